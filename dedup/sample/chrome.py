"""What stands around an article, in the language of the page: menu, footer, advertisement, box of links.

Kept short, because the articles are short too: on most pages the article has six times as many characters.
"""

from __future__ import annotations

from dataclasses import dataclass

from dedup.sample.grammar import entries


@dataclass(frozen=True)
class Chrome:
    """The words of one language.

    Attributes:
        menu: labels; a site uses some of them.
        footers: one a site; ``{site}`` is its name.
        ads: a page shows one.
        latest: heading of the box of links.
        published: what stands before the date.
        archive: title of an index page; ``{number}`` is its number.
        more: what ends an excerpt.
        contact: last line of a classified advertisement.
    """

    menu: tuple[str, ...]
    footers: tuple[str, ...]
    ads: tuple[str, ...]
    latest: str
    published: str
    archive: str
    more: str
    contact: str

    def labels(self, site_number: int, count: int) -> tuple[str, ...]:
        """A site's menu: the first label, and others that not every site has."""
        rest = self.menu[1:]
        return self.menu[:1] + tuple(rest[(site_number * 3 + i) % len(rest)] for i in range(count - 1))


CHROME = {
    "en": Chrome(
        entries(
            "Home / News / Weather / Letters / Markets / Culture / Harbour / Schools / Gardens / Archive / "
            "Contact / Search / Jobs / Maps"
        ),
        entries(
            "All rights reserved by {site}, set in Kelmouth. / Printed and published by {site}. / "
            "{site}: write to the editor by post only. / No part of {site} may be sold without consent."
        ),
        entries(
            "Umbrellas mended while you wait. / Two for one: lamp oil and wicks. / "
            "Learn to row in nine evenings. / Dry cellars by Weir and Sons."
        ),
        "Latest",
        "Published",
        "Archive of articles, sheet {number}",
        "The whole article is for members.",
        "Call {phone} in the evening, viewing from {day}/{month}/2025.",
    ),
    "zh": Chrome(
        entries("首页 / 新闻 / 天气 / 来信 / 行情 / 文化 / 港口 / 学校 / 园艺 / 存档 / 联系 / 搜索 / 招聘 / 地图"),
        entries("{site}版权所有 / 由{site}编印出版 / {site}编辑部只收书面来信 / 未经{site}同意不得转售"),
        entries("雨伞立等可修 / 灯油灯芯买一送一 / 九个晚上学会划船 / 韦尔父子地窖防潮"),
        "最新",
        "发表于",
        "文章存档第{number}页",
        "全文仅供会员阅读。",
        "请在晚间致电{phone}，2025年{month}月{day}日起看货。",
    ),
    "zh-TW": Chrome(
        entries("首頁 / 新聞 / 天氣 / 投書 / 行情 / 文化 / 港口 / 學校 / 園藝 / 存檔 / 聯絡 / 搜尋 / 徵才 / 地圖"),
        entries("{site}版權所有 / 由{site}編印出版 / {site}編輯部只收書面來信 / 未經{site}同意不得轉售"),
        entries("雨傘現場修理 / 燈油燈芯買一送一 / 九個晚上學會划船 / 陳家父子地窖防潮"),
        "最新",
        "發表於",
        "文章存檔第{number}頁",
        "全文僅供會員閱讀。",
        "請在晚間致電{phone}，2025年{month}月{day}日起看貨。",
    ),
    "ja": Chrome(
        entries(
            """
            トップ / ニュース / 天気 / 投書 / 相場 / 文化 / 港 / 学校 / 園芸 / 過去記事 / 連絡先 /
            検索 / 求人 / 地図
            """
        ),
        entries("{site}編集部 / 発行は{site} / {site}への投書は郵便で / {site}の無断転載を禁じます"),
        entries("傘の修理お待ちします / 灯油と芯を二つで一つの値段 / 九晩でおぼえるボート / 地下室の湿気取り"),
        "新着",
        "掲載日",
        "過去記事の一覧その{number}",
        "全文は会員だけが読めます。",
        "夜間に{phone}へお電話ください。見学は2025年{month}月{day}日から。",
    ),
    "ko": Chrome(
        entries(
            """
            처음 / 소식 / 날씨 / 편지 / 시세 / 문화 / 항구 / 학교 / 원예 / 지난글 /
            연락처 / 찾기 / 구인 / 지도
            """
        ),
        entries("{site} 편집부 / 펴낸곳 {site} / {site} 투고는 우편으로 / {site} 무단 전재 금지"),
        entries("우산을 바로 고칩니다 / 등유와 심지 하나 더 / 아홉 밤에 배우는 노젓기 / 지하실 습기 제거"),
        "새 글",
        "올린 날",
        "지난 글 목록 {number}",
        "전문은 회원만 볼 수 있습니다.",
        "저녁에 {phone}번으로 전화하세요. 2025년 {month}월 {day}일부터 볼 수 있습니다.",
    ),
}
