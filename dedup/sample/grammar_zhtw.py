"""Traditional Chinese, written as such and not converted, every character in plain Big5."""

from __future__ import annotations

from dedup.sample.grammar import Grammar, entries

WORDS = {
    "place": entries(
        """
        青石鎮 / 白鷺灣 / 松風里 / 龍眼村 / 舊港區 / 雙溪口 / 月牙嶺 / 茶山鄉 / 竹圍莊 / 鹽田里 /
        紅磚埔 / 梅花湖
        """
    ),
    "family": entries("林 / 陳 / 鄭 / 許 / 賴 / 羅 / 鍾 / 簡 / 蕭 / 盧 / 顏 / 龔"),
    "given": entries("慧貞 / 國樑 / 麗雲 / 啟豐 / 雅筑 / 萬隆 / 淑鑾 / 銘義 / 寶珠 / 鴻圖 / 婉瑩 / 慶餘"),
    "kind": entries(
        """
        農會 / 圖書館 / 漁業公所 / 氣象站 / 茶葉試驗所 / 鐵路局 / 戲劇社 / 衛生所 / 水利會 / 郵務所 /
        種苗場 / 讀書會
        """
    ),
    "thing": entries(
        """
        竹橋 / 蓮霧園 / 舊書櫃 / 漁船 / 雨量計 / 茶甕 / 月臺長椅 / 戲服 / 稻種 / 郵筒 / 水車 / 蜂箱
        """
    ),
    "act": entries("修復 / 清點 / 測量 / 搬遷 / 編號 / 拍賣 / 檢查 / 更換 / 記錄 / 借出"),
    "spot": entries(
        """
        老榕樹下 / 碼頭東側 / 廟口對面 / 鐵橋旁邊 / 學校圍牆外 / 舊糖廠裡 / 溪流上游 / 燈塔附近 /
        菜市場後方 / 隧道入口
        """
    ),
    "trait": entries("細緻 / 樸實 / 大膽 / 緩慢 / 實用 / 罕見 / 熱鬧 / 謹慎 / 昂貴 / 親切"),
    "reason": entries(
        """
        因為颱風提早來臨 / 因為舊合約已經到期 / 因為倉庫嚴重漏水 / 因為遊客一再詢問 /
        因為鑰匙始終找不到 / 因為糧價連續下跌 / 因為鄰居聯名陳情 / 因為電線需要重拉
        """
    ),
    "goods": entries("烏龍茶 / 麻油 / 龍眼乾 / 棉線 / 紅糖 / 海鹽 / 陶磚 / 筆記紙 / 桐油 / 蠟燭"),
}

OPENERS = (
    "",
    "",
    "據{year}年{month}月的紀錄，",
    "在{place2}，",
    "出乎眾人意料，",
    "到了{year2}年，",
    "依照慣例，",
    "與{place2}相比，",
)

CORES = (
    "{place}{kind}{act}了{spot}的{num}座{thing}",
    "{family}{given}認為這個{trait}的辦法還能再用{pct}年",
    "{num2}件{thing}之中約有{num}件已經{act}",
    "{goods}的收購價調高了百分之{pct}",
    "{kind}沒有人記得是誰{act}了{spot}的{thing}",
    "{family}{given}寫給{kind}的信裡提到{num}斤{goods}",
    "一張{year3}年的{trait}舊地圖畫著{num}座{thing}",
    "參觀{thing}的門票是{num}元，由{kind}收取",
    "{place3}與{place4}共同負擔{num}擔{goods}的運費",
    "最老的{thing}建於{year3}年，至今仍在{spot}",
    "{family}{given}在{spot}賣了{pct}年的{goods}",
    "關於{thing}的表決以{num}票對{num2}票結束",
    "{kind2}借給{place3}{num}張{trait}的圖紙",
    "學生們在{pct}度的水裡試驗了{goods}與{goods2}",
    "從{place3}走到{place4}要經過{num}座{thing}",
    "{kind2}發表了一份{num}字的{trait}聲明",
)

TAILS = (
    "",
    "",
    "，{reason}",
    "，{reason}",
    "，這件事後來登上了{place5}的晚報",
    "，其餘的都送到{kind3}",
    "，{family2}{given2}對此表示贊成",
    "，費用由{kind3}支付{num3}元",
)

TITLES = (
    "{place}{kind}{act}{num}座{thing}",
    "{family}{given}與{place}的{thing}",
    "{spot}的{thing}引起{place}居民討論",
    "{place}{kind}的{goods}增加百分之{pct}",
)

TAIWANESE = Grammar("zh-TW", "", OPENERS, CORES, TAILS, TITLES, "。", WORDS)
