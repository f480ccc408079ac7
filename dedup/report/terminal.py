"""Results as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape as no_markup
from rich.table import Table

from dedup.report.explain import SHOWN, Story, split
from dedup.rules import Measure

Readable = Mapping[int, str]

CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), "�")


def escape(text: str) -> str:
    """Text of pages and paths as it is: no markup, nothing that steers the terminal."""
    return no_markup(text.translate(CONTROLS))


def show_run(console: Console, manifest: Mapping[str, Any], output: str) -> None:
    """The summary of a finished run."""
    counts, met, output = manifest["counts"], manifest["comparisons"], escape(output)
    table = Table(title=f"Run {manifest['run_id']}", title_justify="left", show_header=False, box=None)
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column(style="dim", overflow="fold")
    pages = counts["pages"]
    for name, note in (
        ("pages", "in"),
        ("survivors", f"{output}/survivors"),
        ("duplicates", f"{counts['exact']:,} exact, {counts['near']:,} near; {output}/duplicates"),
        ("quarantined", f"{output}/quarantine" if counts["quarantined"] else ""),
    ):
        table.add_row(name, f"{counts[name]:,}", note)
    sound = pages - counts["quarantined"]
    every = sound * (sound - 1) // 2
    how = "exact: none missed" if met["exact"] else "not exact: candidates.pre is a number"
    table.add_row("compared", f"{met['compared']:,}", f"pairs of {every:,}; {how}")
    table.add_row("seconds", f"{sum(manifest['seconds'].values()):,.0f}", _stages(manifest["seconds"]))
    console.print(table)


def show_plan(console: Console, plan: Mapping[str, Any]) -> None:
    """Settings as resolved, the input's columns, and what a run would meet."""
    table = Table(title=f"Plan of {plan['run_id']} (nothing was written)", title_justify="left", box=None)
    table.add_column("setting", style="bold")
    table.add_column("value")
    for name, value in _flat(plan["settings"]):
        table.add_row(name, escape(repr(value)))
    table.add_row("rule as built", plan["rule"])
    table.add_row("detector as built", escape(plan["detector"]))
    console.print(table)
    columns = Table(title="Pages as read", title_justify="left", box=None)
    columns.add_column("column", style="bold")
    columns.add_column("type")
    for name, kind in plan["input"]["columns"].items():
        columns.add_row(name, kind)
    console.print(columns)
    sample, expected = plan["sample"], plan["expected"]
    console.print(
        f"{plan['input']['pages']:,} pages; {sample['pages']:,} of them signed as a sample "
        f"({sample['seconds_to_sign']:g} s). Of the whole, expect\n"
        f"  signing       about {expected['seconds_to_sign']:,.0f} s on this machine\n"
        f"  leading keys  about {expected['leading_keys']:,}\n"
        f"  pairs         about {expected['pairs']:,} to compare "
        f"(largest group of the sample: {sample['largest_group']:,})"
    )
    for words, pairs in plan["fewer_pairs"].items():
        console.print(f"  with --set {words}, about {pairs:,} pairs", highlight=False)
    for reason, count in sample["quarantined"].items():
        console.print(f"  quarantine    {count:,} of the sample: {reason}")


def show_story(
    console: Console, story: Story, manifest: Mapping[str, Any], measure: Measure, own: Readable, keeper: Readable
) -> None:
    """Why one page stayed, left, or never took part.

    Args:
        console: where to.
        story: what became of the page.
        manifest: the run's.
        measure: of the run's rule: what blocks count for.
        own: the texts behind the page's fingerprints, as far as they can be read again.
        keeper: the same for its keeper.
    """
    verdict = story.verdict
    console.print(f"[bold]{escape(story.page_id)}[/]")
    if story.fate == "unknown":
        console.print("  is not a page of this run")
    elif story.fate == "quarantined":
        console.print(f"  in quarantine: {verdict['reason']} ({escape(verdict['detail'] or '')})")
    elif story.fate == "survivor":
        console.print(f"  stays (run {manifest['run_id']}); {story.keeps_all:,} pages were removed for it")
        for row in story.keeps[:SHOWN]:
            console.print(f"    {_score(row)}  {row['stage']:<5}  {escape(row['page_id'])}", highlight=False)
        if verdict:
            console.print(f"  another row with this id is in quarantine: {verdict['reason']}")
    else:
        _show_duplicate(console, story, manifest, measure, own, keeper)
    console.print()


def _show_duplicate(
    console: Console, story: Story, manifest: Mapping[str, Any], measure: Measure, own: Readable, keeper: Readable
) -> None:
    verdict = story.verdict
    console.print(f"  removed for   [bold]{escape(verdict['keeper_id'])}[/]")
    console.print(f"  stage         {verdict['stage']}, score {_score(verdict)}", highlight=False)
    console.print(f"  rule          {escape(manifest['rule'])}, run {manifest['run_id']}", highlight=False)
    console.print(
        f"  blocks        {verdict['common']:,} in common; {verdict['m']:,} here, {verdict['m_keeper']:,} in the keeper"
    )
    if story.template:
        console.print(f"  left out      {len(story.template):,} template blocks of its site")
    shared, here, there = split(story)
    weight, other = (
        dict(zip(page["fingerprints"], page["weights"], strict=True)) for page in (story.signature, story.keeper)
    )
    texts = {**keeper, **own}
    for title, style, found in (
        ("in both", "green", {f: measure.common(weight[f], other[f]) for f in shared}),
        ("only here", "yellow", {f: measure.size(weight[f]) for f in here}),
        ("only in the keeper", "cyan", {f: measure.size(other[f]) for f in there}),
    ):
        _show_blocks(console, title, style, found, texts)


def _score(verdict: Mapping[str, Any]) -> str:
    # resolve = components removes pages that do not match their keeper.
    return "none  (in a chain, no match)" if verdict["score"] is None else f"{verdict['score']:.3f}"


def _show_blocks(console: Console, title: str, style: str, found: Mapping[int, int], texts: Readable) -> None:
    console.print(f"  [{style}]{title}[/]: {len(found):,} blocks, weighing {sum(found.values()):,}")
    for fingerprint, size in list(found.items())[:SHOWN]:
        text = texts.get(fingerprint)
        shown = escape(text) if text is not None else f"{fingerprint & (2**64 - 1):016x} (weighing {size:,})"
        console.print(f"    [{style}]·[/] {shown}", highlight=False, overflow="ellipsis", no_wrap=True)
    if len(found) > SHOWN:
        console.print(f"    … and {len(found) - SHOWN:,} more")


def _stages(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {spent:.0f}" for name, spent in seconds.items() if spent >= 0.5)


def _flat(values: Mapping[str, Any], above: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
