"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import sys

import typer

from noregret.cli import (
    convert,
    demo,
    dimension,
    duel,
    experts_command,
    inspect,
    learners,
    predict,
    reporting,
    run_command,
    signals,
    theorems,
    verify,
)
from noregret.errors import BadCommand, NoregretError, reason

INTERRUPTED = 130

app = typer.Typer(
    name="noregret",
    help="Online learning you can check: learners that predict, are corrected and improve, one example at a "
    "time; every run comes with a certificate.\n\nBegin with: noregret demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run_command.run)
app.command("experts")(experts_command.experts)
app.command("predict")(predict.predict)
app.command("convert")(convert.convert)
app.command("inspect")(inspect.inspect)
app.command("learners")(learners.learners)
app.command("demo")(demo.demo)
app.command("duel")(duel.duel)
app.command("dimension")(dimension.dimension)
app.command("theorems")(theorems.theorems)
app.command("verify")(verify.verify)


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    if version:
        from noregret import __version__

        typer.echo(f"noregret {__version__}")
        raise typer.Exit


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; give its exit status: 0 done, 1 bad data, 2 bad command, 130 interrupted."""
    reporting.given[:] = sys.argv[1:] if arguments is None else arguments
    signals.told.clear()
    try:
        app(args=arguments)
    except SystemExit as leave:  # typer has explained a wrong command by then
        if leave.code == INTERRUPTED and not signals.told:
            signals.tell()
        return leave.code if isinstance(leave.code, int) else 0
    except BadCommand as wrong:
        return _say(wrong, 2)
    except NoregretError as wrong:
        return _say(wrong, 1)
    except OSError as wrong:
        return _say(f"{wrong.filename}: {reason(wrong)}" if wrong.filename else reason(wrong), 1)
    except MemoryError:
        return _say("there is not enough memory", 1)
    return 0


def _say(problem: object, status: int) -> int:
    from noregret.cli.cells import seen

    print(f"noregret: {seen(str(problem), lines=True)}", file=sys.stderr)
    return status
