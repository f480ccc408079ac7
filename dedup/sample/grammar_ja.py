"""Japanese, every character in Shift-JIS and EUC-JP."""

from __future__ import annotations

from dedup.sample.grammar import Grammar, entries

WORDS = {
    "place": entries(
        """
        青浜町 / 松ヶ丘 / 白川村 / 大井戸 / 北見坂 / 柳瀬 / 海老沼 / 三日月島 / 桜谷 / 鳥居原
        """
    ),
    "family": entries("佐野 / 森口 / 藤代 / 黒田 / 早川 / 野村 / 石橋 / 水谷 / 長岡 / 西尾"),
    "given": entries("恵子 / 健一 / 正雄 / 千春 / 達也 / 美和 / 良平 / 由紀 / 浩二 / さくら"),
    "kind": entries(
        """
        図書館 / 漁業組合 / 気象台 / 茶業試験場 / 鉄道会社 / 劇団 / 保健所 / 水道局 / 郵便局 / 種苗園
        """
    ),
    "thing": entries(
        """
        木の橋 / りんご畑 / 古い本棚 / 小型の漁船 / 雨量計 / 待合室 / 舞台衣装 / 石段 / 水車 /
        みつばちの巣箱
        """
    ),
    "act": entries("修理し / 数え直し / 測定し / 移し / 記録し / 競売にかけ / 点検し / 取り替え"),
    "spot": entries(
        """
        港の東側 / 神社の向かい / 鉄橋のそば / 旧校舎の中 / 川の上流 / 灯台の近く / 市場の裏 /
        トンネルの入口
        """
    ),
    "trait": entries("慎重な / 素朴な / 大胆な / 丁寧な / 実用的な / 珍しい / 静かな / 高価な"),
    "reason": entries(
        """
        台風が早く来たため / 契約が切れたため / 倉庫が雨漏りしたため / 見学者が増えたため /
        鍵が見つからないため / 木材が値下がりしたため / 近所から苦情が出たため / 予算が余ったため
        """
    ),
    "goods": entries("緑茶 / ごま油 / 干し柿 / 綿糸 / 黒砂糖 / 天然塩 / れんが / 便せん"),
}

OPENERS = (
    "",
    "",
    "{year}年{month}月の記録によると、",
    "{place2}では、",
    "大方の予想に反して、",
    "{year2}年の末までに、",
    "慣例どおり、",
)

CORES = (
    "{place}の{kind}は{spot}にある{num}個の{thing}を{act}た",
    "{family}{given}さんはこの{trait}計画があと{pct}年は続くと語った",
    "{num2}個の{thing}のうち約{num}個を{kind}がすでに{act}た",
    "{goods}の仕入れ値は{pct}パーセント上がった",
    "{spot}の{thing}を誰が{act}たのか、{kind}では誰も覚えていなかった",
    "{family}{given}さんの手紙には{goods}が{num}箱と書いてあった",
    "{year3}年の{trait}地図には{num}個の{thing}が描かれている",
    "{thing}を見るには{num}円を{kind}に払うことになっている",
    "{place3}と{place4}は{goods}の運賃{num}円を分け合っている",
    "一番古い{thing}は{year3}年に作られ、今も{spot}に残る",
    "{family}{given}さんは{spot}で{pct}年のあいだ{goods}を売ってきた",
    "{thing}をめぐる投票は{num}対{num2}で終わった",
    "{kind2}は{place3}に{trait}図面を{num}枚貸し出した",
    "生徒たちは{pct}度の水で{goods}と{goods2}を試した",
)

TAILS = (
    "",
    "",
    "が、{reason}と説明されている",
    "、と{family2}{given2}さんは日記に残した",
    "。なお残りは{place5}へ送られた",
    "。費用の{num3}円は{kind3}が負担した",
    "。{reason}、作業は{pct2}日遅れた",
)

TITLES = (
    "{place}の{kind}が{num}個の{thing}を公開",
    "{family}{given}さんと{place}の{thing}",
    "{spot}の{thing}をめぐり{place}で議論",
)

JAPANESE = Grammar("ja", "", OPENERS, CORES, TAILS, TITLES, "。", WORDS)
