"""The command line: ``dedup run``, ``plan``, ``explain``, ``sample``.

Exit codes: 0 done, 1 a fault of the program or of Spark, 2 a word of the command line or a setting, 3 the input
breaks its contract.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from dedup import __version__
from dedup.errors import EXIT_CRASH, EXIT_DATA, EXIT_DONE, EXIT_USAGE, DataError, UsageError, in_words

Command = Callable[..., None]

FORMATS = click.Choice(["html", "parquet", "jsonl", "table"])
JOB = (
    click.option("--input", "input_path", metavar="PATH|TABLE", help="Folder, glob, file, or table of pages."),
    click.option("--output", metavar="DIR", help="Folder for the results."),
    click.option("--format", "input_format", type=FORMATS, help="What the input is; html files by default."),
    click.option("--conf", metavar="FILE", help="Settings in TOML; conf/default.toml names them all."),
    click.option("--set", "sets", multiple=True, metavar="KEY=VALUE", help="One setting, such as rule.threshold=0.8."),
    click.option("--run-id", metavar="ID", help="Name of the run; the same name replaces itself."),
    click.option("--overwrite", is_flag=True, default=None, help="Replace another run in the output folder."),
)
SPARK = (
    click.option("--master", metavar="URL", help="Spark master; all cores of this machine by default."),
    click.option("--remote", metavar="URL", help="Spark Connect server, such as sc://host:15002, instead."),
    click.option("--spark-properties", metavar="FILE", help="Spark's own settings, in its properties format."),
)
SPEECH = (
    click.option("--quiet", is_flag=True, help="No progress, no summary; errors only."),
    click.option("--json", "as_json", is_flag=True, help="The result as JSON on standard output."),
    click.option("--verbose", is_flag=True, help="Spark's log on the terminal, stack traces of faults."),
)


def _with(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="dedup")
def cli() -> None:
    """Remove near-duplicate pages: surviving ids as Parquet, every removal with its keeper and the evidence.

    Exit codes: 0 done, 1 fault, 2 usage or settings, 3 the input breaks its contract.
    """


@cli.command()
@_with(*JOB, *SPARK, *SPEECH)
def run(input_path: str, output: str, input_format: str, conf: str, sets: tuple[str, ...], run_id: str,
        overwrite: bool, quiet: bool, as_json: bool, verbose: bool, **spark: str) -> None:  # fmt: skip
    """Clean up: read pages, find copies, write who stays and why the others left."""
    from dedup import run as job
    from dedup.io.publish import Output
    from dedup.report.terminal import show_run
    from dedup.watch import Watch

    settings = _settings(conf, sets, input_path, input_format, output, run_id, overwrite)
    if not settings.output.path:
        raise UsageError("no output: give --output DIR")
    target = Output(settings.output.path, settings.run_id, settings.output.overwrite)
    watch = Watch(quiet)
    with _session(verbose, **spark) as session:
        try:
            manifest = job.run(session, settings, target, watch)
        finally:
            watch.close()
    if as_json:
        _print_json(manifest)
    elif not quiet:
        show_run(Console(), manifest, settings.output.path.rstrip("/"))


@cli.command()
@_with(*JOB, *SPARK, *SPEECH)
def plan(input_path: str, output: str, input_format: str, conf: str, sets: tuple[str, ...], run_id: str,
         overwrite: bool, quiet: bool, as_json: bool, verbose: bool, **spark: str) -> None:  # fmt: skip
    """Show settings as resolved, the input's columns and what a sample foretells; write nothing."""
    from dedup import plan as planning
    from dedup.report.terminal import show_plan

    settings = _settings(conf, sets, input_path, input_format, output, run_id, overwrite)
    with _session(verbose, **spark) as session:
        found = planning.plan(session, settings)
    if as_json:
        _print_json(found)
    elif not quiet:
        show_plan(Console(), found)


@cli.command()
@click.option("--output", metavar="DIR", required=True, help="Folder of a finished run.")
@click.argument("page_ids", metavar="PAGE_ID...", nargs=-1, required=True)
@_with(*SPARK, *SPEECH)
def explain(output: str, page_ids: tuple[str, ...], quiet: bool, as_json: bool, verbose: bool, **spark: str) -> None:
    """Why pages were removed: keeper, score, the blocks both share and those that differ."""
    from dedup.config import Settings
    from dedup.io.again import read_again
    from dedup.report.explain import stories
    from dedup.report.terminal import show_story

    manifest, told = stories(output, list(page_ids))
    settings = Settings.model_validate(manifest["settings"])
    rows = [row for story in told for row in (story.signature, story.keeper) if row and story.verdict]
    contents = {}
    if rows:
        with ExitStack() as stack:  # Spark starts only where the pages are in no files of their own
            contents = read_again(settings.input, rows, lambda: stack.enter_context(_session(verbose, **spark)))
    detector, reader = settings.build_detector(), settings.text.build()
    # A page that cannot be read any more shows its fingerprints, as one that is gone.
    texts = {page_id: detector.readable(reader.read_one(*content)) for page_id, content in contents.items()}
    if as_json:
        _print_json([story.as_json(texts) for story in told])
    elif not quiet:
        for story in told:
            known = (texts.get(page_id, {}) for page_id in (story.page_id, story.keeper_id))
            show_story(Console(), story, manifest, detector.rule.measure, *known)
    unknown = [story.page_id for story in told if story.fate == "unknown"]
    if unknown:
        raise UsageError(f"{output} knows no page {', '.join(unknown)}; page ids are in {output}/signatures")


@cli.command()
@click.argument("folder", metavar="DIR")
@click.option("--check", metavar="OUTPUT", help="Compare a finished run on the sample site with the truth.")
@click.option("--quiet", is_flag=True, help="No summary.")
def sample(folder: str, check: str, quiet: bool) -> None:
    """Write the sample site, hundreds of pages with known copies, or check a run on it against the truth."""
    from dedup.sample import write_sample
    from dedup.sample.judge import judge

    if check:
        try:
            click.echo(judge(Path(folder), check).told())
        except FileNotFoundError as error:
            raise UsageError(f"{check} is no finished run, or {folder} no sample site: {error}") from None
        return
    there = Path(folder)
    if there.is_dir() and any(there.iterdir()) and not (there / "truth.csv").exists():
        raise UsageError(f"{folder} holds files that are not of the sample site; choose a new folder")
    summary = write_sample(there)
    if not quiet:
        click.echo(f"{summary.pages} pages of {summary.sites} sites under {folder}/pages, truth in {folder}/truth.csv")


def _settings(conf: str, sets: tuple[str, ...], input_path: str, input_format: str, output: str, run_id: str,
              overwrite: bool) -> Any:  # fmt: skip
    from dedup.config import load
    from dedup.io.pages import check_path

    settings = load(
        conf,
        sets,
        input__path=input_path,
        input__format=input_format,
        output__path=output,
        output__overwrite=overwrite,
        run_id=run_id,
    ).as_run()
    check_path(settings.input)
    return settings


@contextmanager
def _session(verbose: bool, master: str, remote: str, spark_properties: str) -> Iterator[Any]:
    from dedup.session import open_session

    log = _no_log(verbose)
    kept = False
    session = open_session(master, remote, spark_properties, log)
    try:
        yield session
    except (DataError, UsageError):
        raise
    except Exception as error:
        kept = log is not None and log.stat().st_size > 0
        if kept:
            error.add_note(f"Spark's own log: {log}")
        raise
    finally:
        session.stop()
        if log is not None and not kept:
            log.unlink(missing_ok=True)


def _no_log(verbose: bool) -> Path | None:
    return None if verbose else Path(tempfile.mkstemp(prefix="dedup-spark-", suffix=".log")[1])


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def main(arguments: list[str] | None = None) -> None:
    """The console script. What a user can mend is told in words; only faults of the program show a trace."""
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    words = sys.argv[1:] if arguments is None else arguments
    try:
        cli.main(words, prog_name="dedup", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(EXIT_USAGE)
    except click.Abort:
        _fail("stopped", EXIT_CRASH)
    except (UsageError, DataError) as error:
        _fail(str(error), EXIT_USAGE if isinstance(error, UsageError) else EXIT_DATA)
    except Exception as error:
        if "--verbose" in words:
            raise
        notes = [*getattr(error, "__notes__", ()), "--verbose shows the whole trace."]
        _fail("\n".join([in_words(error), *notes]), EXIT_CRASH)
    sys.exit(EXIT_DONE)


def _fail(text: str, code: int) -> None:
    click.echo(f"dedup: {text}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
