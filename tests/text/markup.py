"""Pages for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

LONG = "The harbour office repaired the wooden bridge behind the old mill before the first frost of that year"
OTHER = "Nobody in the town library could say who had counted the apple orchards along the northern canal"
HAN = "渡轮时刻表在三月修好，旧港的茶馆终于重新开张，天气报告说雨水要到初七才停，果园今年的收成比去年好一些。"
THAI = "ท่าเรือเก่าของเมืองนี้เปิดใหม่ในเดือนมีนาคมหลังจากปิดซ่อมมาเป็นเวลานานหลายปี"

TAGS = ["p", "div", "b", "a", "h1", "title", "nav", "main", "span", "li", "td", "table", "br", "article", "header"]
MARKUP = st.lists(
    st.sampled_from(TAGS).map("<{}>".format)
    | st.sampled_from(TAGS).map("</{}>".format)
    | st.sampled_from(["<br><br>", "<p hidden>", "&nbsp;", "\n", "  ", LONG, f"{OTHER}. {LONG}", HAN, THAI])
    | st.sampled_from(
        ["one ", "two. ", "三。", "四!五", "ﬁ", "Ａ", "é", "e\u0301", "İ", "ΣΑΣ", "a\u00adb", "\u200b", "हिन्दी।"]
    ),
    max_size=30,
).map("".join)
