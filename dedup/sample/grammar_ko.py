"""Korean, every syllable in EUC-KR."""

from __future__ import annotations

from dedup.sample.grammar import Grammar, entries

WORDS = {
    "place": entries("푸른내 / 소나무골 / 흰여울 / 달맞이 / 돌다리 / 가람포 / 솔바람 / 새터마을"),
    "family": entries("김 / 이 / 박 / 최 / 정 / 강 / 윤 / 한"),
    "given": entries("미정 / 준호 / 영수 / 하나 / 동욱 / 서연 / 기태 / 보람"),
    "kind": entries("도서관 / 어업조합 / 기상대 / 차시험장 / 철도공사 / 극단 / 보건소 / 우체국"),
    "thing": entries("나무다리 / 사과밭 / 헌책장 / 고깃배 / 우량계 / 대합실 / 무대의상 / 물레방아"),
    "spot": entries("항구 동쪽 / 학교 앞 / 철교 옆 / 강 상류 / 등대 근처 / 시장 뒤"),
    "trait": entries("신중한 / 소박한 / 대담한 / 친절한 / 실용적인 / 드문 / 조용한 / 비싼"),
    "goods": entries("녹차 / 참기름 / 곶감 / 무명실 / 흑설탕 / 천일염 / 벽돌 / 편지지"),
}

OPENERS = (
    "",
    "",
    "{year}년 {month}월 기록에 따르면 ",
    "{place2}에서는 ",
    "모두의 예상과 달리 ",
    "{year2}년 말까지 ",
)

CORES = (
    "{place} {kind} 직원들이 {spot}에 있는 {thing} {num}개를 고쳤다",
    "{family}{given} 씨는 이 {trait} 계획이 {pct}년 더 이어질 것이라고 말했다",
    "{thing} {num2}개 가운데 약 {num}개를 {kind}에서 이미 조사했다",
    "{goods} 값은 {pct}퍼센트 올랐다",
    "{family}{given} 씨의 편지에는 {goods} {num}상자라고 적혀 있었다",
    "{year3}년의 {trait} 지도에는 {thing} {num}개가 그려져 있다",
    "{thing} 관람료는 {num}원이며 {kind}에 낸다",
    "가장 오래된 {thing} 하나는 {year3}년에 만들어졌다",
    "{thing} 투표는 {num}대 {num2}로 끝났다",
    "학생들은 {pct}도의 물에서 {goods} 성질을 시험했다",
)

TAILS = (
    "",
    "",
    "고 {family2}{given2} 씨가 일기에 남겼다",
    ". 나머지는 {place5}에 보냈다",
    ". 비용 {num3}원은 {kind3}에서 부담했다",
)

TITLES = (
    "{place} {kind}, {thing} {num}개 공개",
    "{family}{given} 씨와 {place}의 {thing}",
)

KOREAN = Grammar("ko", " ", OPENERS, CORES, TAILS, TITLES, ".", WORDS)
