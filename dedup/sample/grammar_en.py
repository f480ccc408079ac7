"""English words and frames, entry by entry those of :mod:`dedup.sample.grammar_zh`: change both or none."""

from __future__ import annotations

from dedup.sample.grammar import Grammar, entries

WORDS = {
    "place": entries(
        """
        Norvale / Tessin / Bramdock / Ostrey / Kelmouth / Lindhaven / Marrowby / Quillford / Sandrick /
        Velden / Westerholm / Yarlside / Draycombe / Fenwater / Garrow / Halmstock / Inverlade /
        Östervik / Corrin / Pellbridge / Rothmere / Stavely / Thornquay / Ulverdale
        """
    ),
    "given": entries(
        """
        Marta / Jonas / Elsie / Pavel / Ingrid / Tomas / Noël / Felix / Alma / Bruno / Clara / Dario /
        Edith / Gustav / Hilde / Ivo / Judit / Kasimir / Lotte / Milan
        """
    ),
    "family": entries(
        """
        Kelling / Sørland / Brandt / Virtanen / Dupré / Marchetti / Novotny / Lindqvist / Haverkamp /
        Soler / Petrov / Tanner / Ullmann / Weir / Zeller / Abernathy / Corwin / Fontaine / Greaves /
        Holloway
        """
    ),
    "kind": entries(
        """
        harbour office / water board / city library / fruit growers’ union / evening school /
        weather station / tram company / museum of tools / seed bank / rowing club / district hospital /
        road survey / fish market / theatre workshop / radio society / forest service
        """
    ),
    "role": entries(
        """
        chief engineer / head gardener / night porter / bookkeeper / retired teacher / ship’s cook /
        bridge keeper / map maker / young apprentice / duty nurse / stage hand / deputy mayor
        """
    ),
    "thing": entries(
        """
        wooden bridges / ferry timetables / apple orchards / rain gauges / reading rooms /
        evening courses / copper pipes / tram shelters / seed drawers / rowing boats / hospital beds /
        milestones / herring crates / stage lamps / short-wave receivers / pine seedlings /
        street maps / wind pumps / bee hives / night buses / stone walls / clock towers / public baths /
        grain sacks
        """
    ),
    "act": entries(
        """
        repaired / counted / repainted / measured / insured / catalogued / auctioned / inherited /
        photographed / relocated / inspected / borrowed / doubled / mapped / replaced / cleaned
        """
    ),
    "spot": entries(
        """
        behind the old mill / along the north canal / beside the railway yard / under the castle hill /
        near the salt works / at the edge of the moor / opposite the town hall / below the upper lock /
        on the eastern quay / in the former barracks / between the two churches /
        around the lower market / past the last tram stop / above the flooded meadow /
        outside the city wall / next to the glass factory
        """
    ),
    "when": entries(
        """
        before the first frost / during the spring holidays / after the autumn fair /
        on a windless night / within a single week / throughout the dry summer /
        shortly after midnight / at the end of the term / between two storms / on the longest day /
        while the bridge was shut / ahead of the election / in the quiet season / over three weekends /
        just before harvest / at the turn of the year
        """
    ),
    "reason": entries(
        """
        because the winter store ran low / since the old contract had lapsed /
        as the ground was still wet / because two suppliers withdrew / since nobody had kept the keys /
        as the price of timber fell / because visitors kept asking / since the archive was damp /
        as a second pump failed / because the schedule was too tight / since the river rose early /
        as the lottery paid for it / because a neighbour complained / since the paint would not dry /
        as the census required it / because the roof was about to go
        """
    ),
    "effect": entries(
        """
        which cut the waiting time by half / which surprised the accountants /
        which left the side street dark / which pleased the older members /
        which brought back the swallows / which saved a full day of work / which nobody had asked for /
        which the insurers refused to accept / which made the evening papers /
        which kept the cellar dry / which opened a second entrance / which doubled the queue /
        which ended a long quarrel / which the children liked best / which filled the guest houses /
        which required a new permit
        """
    ),
    "trait": entries(
        """
        cautious / generous / practical / stubborn / modest / hurried / thorough / costly / quiet /
        popular / doubtful / simple / bold / familiar / patient / remarkable
        """
    ),
    "goods": entries(
        """
        plum jam / linen cloth / roof slate / dried cod / rye flour / lamp oil / beeswax / rope /
        sheet glass / cider / wool / birch tar / brass screws / writing paper / sea salt / clay tiles
        """
    ),
}

OPENERS = (
    "",
    "",
    "",
    "in {place2}, ",
    "according to a note of {day}/{month}/{year}, ",
    "by the end of {year}, ",
    "to general relief, ",
    "against all advice, ",
    "for the {role2}, ",
    "as in {year2}, ",
    "on paper, ",
    "not for the first time, ",
    "{when2}, ",
    "compared with {place2}, ",
    "in practice, ",
    "with {num3} votes in favour, ",
)

CORES = (
    "the {place} {kind} {act} {num} {thing} {spot}",
    "{given} {family}, the {role}, called the plan “{trait} and {trait2}”",
    "about {num} of the {num2} {thing} were {act} by the {kind}",
    "the share of {thing} rose to {pct} per cent",
    "nobody at the {kind} could say who had {act} the {thing} {spot}",
    "a {trait} proposal by {given} {family} would move the {thing} to {place3}",
    "{num} crates of {goods} were exchanged for {num2} bales of {goods2}",
    "the {role} {act} every third of the {thing} and kept a {trait} record",
    "visitors paid {num} crowns to see the {thing} {spot}",
    "the {kind} of {place3} lent {num} {thing} to the {kind2}",
    "{given} {family} remembered the {trait} winter of {year3}",
    "the budget for {goods} shrank by {pct} per cent to {num} crowns",
    "a {trait} map from {year3} shows {num} {thing} {spot}",
    "{num} people signed the letter of {given} {family} about the {thing}",
    "the {thing} {spot} had last been {act} in {year3}",
    "each of the {thing} now carries a number, from {num} to {num2}",
    "the {role} and the {role3} disagreed about the price of {goods}",
    "a committee under {given} {family} {act} the {thing} of {place3}",
    "rain delayed the delivery of {goods} to the {kind} by {pct} hours",
    "the new {thing} are {trait}, yet {pct} per cent of members prefer the old ones",
    "{place3} and {place4} share the cost of {num} {thing}",
    "the oldest of the {thing}, built in {year3}, stands {spot}",
    "{given} {family} sold {goods} {spot} for {pct} years",
    "the {kind2} answered with a {trait} statement of {num} words",
    "three of the {thing} were {act} twice by the same {role}",
    "an audit found {num} crowns set aside for {goods}",
    "the {trait} route from {place3} to {place4} passes {num} {thing}",
    "students of {given} {family} measured {goods} and {goods2} at {pct} degrees",
    "the {kind} expects {num} guests and {pct} wagons of {goods}",
    "without the {role}, the {thing} would have been {act} long ago",
    "every {kind} in the county has {pct} days to have its {thing} {act}",
    "a {role} from {place3} found {goods} {spot}",
    "the {kind2} prints {num} copies of its {trait} yearbook on {thing}",
    "{given} {family} left the {kind} {num} crowns and a {trait} diary",
    "the vote on the {thing} ended {num} to {num2}",
    "the {role3} keeps {goods} and {goods2} {spot}",
)

TAILS = (
    "",
    "",
    "",
    ", {reason}",
    ", {reason}",
    ", {effect}",
    ", {effect}",
    " {when}",
    " {when}",
    " {when}, {effect}",
    ", {reason}, and the {role4} agreed",
    "; the rest went to {place5}",
    ", and {pct2} per cent of it was {goods3}",
    ", though {given2} {family2} had hoped for {num4}",
    ", {effect}, as the {kind3} noted",
    " in {year4}, {reason}",
)

TITLES = (
    "{place} {kind} has {num} {thing} {act}",
    "{num} {thing} {spot}: what {given} {family} found",
    "{trait} plan for {thing} divides {place}",
    "why the {place} {kind} needs {goods}",
    "{given} {family} and the {thing} of {place}",
    "{pct} per cent more {thing} at the {place} {kind}",
)

ENGLISH = Grammar("en", " ", OPENERS, CORES, TAILS, TITLES, ".", WORDS)
