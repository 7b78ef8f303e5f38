"""``toolreplay check``."""

from ..arguments import Arguments, Command, Option, UsageError
from ..check import Settings, check_files, fail_on_kinds, judge, read_scope_in
from ..delivery import OPTIONS as DELIVERY_OPTIONS
from ..delivery import delivery_from, must_not_replace, place_of
from ..engine.errors import InputError
from ..engine.findings import KINDS
from ..engine.quoting import bare, quoted
from ..exit_codes import CLEAN
from ..expectations import heads, mutators
from ..importing import OPTIONS as IMPORT_OPTIONS
from ..importing import importing
from ..names import as_text
from ..output import complain, remark, stdout
from ..parallel import OPTION as JOBS
from ..parallel import jobs
from ..reports.text import file_report
from ..source import STDIN
from ..workspace import current_workspace

OPTIONS = (
    Option("--scope", "FILE", "also find calls outside the scope that FILE declares"),
    Option(
        "--fail-on", "KINDS", f"what makes exit 1: any (default), none, or of {', '.join(KINDS)} with commas between"
    ),
    Option("--mutator", "NAME", "a tool that changes state, besides the usual ones (again for more)", repeats=True),
    Option(
        "--expect-head", "PATH=DIGEST", "this file must be sealed and have this head (again for more)", repeats=True
    ),
    Option("--exact", "", "each line of a sealed file must be the very bytes that 'seal' writes"),
    Option("--baseline", "FILE", "findings that FILE has are known and fail nothing"),
    Option("--write-baseline", "FILE", "write a baseline that has every finding of this run"),
    JOBS,
    *IMPORT_OPTIONS,
    *DELIVERY_OPTIONS,
)


def settings_from(arguments: Arguments, *, dash_is_stdin: bool = False) -> Settings:
    """Make the settings that a command line with these options asks for.

    Args:
        arguments: the command line.
        dash_is_stdin: whether the path ``-`` means standard input; in a list of file names it is a file.

    Raises:
        UsageError: for a value that an option doesn't take.
        InputError: if the scope file can't be read or is no scope.
    """
    workspace = current_workspace()
    scope_path = arguments.last("--scope")
    return Settings(
        workspace,
        scope=None if scope_path is None else read_scope_in(workspace, scope_path, dash_is_stdin=dash_is_stdin),
        mutators=mutators(arguments.all("--mutator")),
        fail_on=_fail_on(arguments.last("--fail-on")),
        heads=heads(arguments.all("--expect-head")),
        exact=arguments.has("--exact"),
        dash_is_stdin=dash_is_stdin,
        jobs=jobs(arguments),
        importing=importing(arguments),
    )


def _fail_on(text: str | None) -> frozenset[str]:
    kinds = fail_on_kinds("any" if text is None else text)
    if kinds is None:
        allowed = f"any, none, or of {', '.join(KINDS)} with commas between"
        raise UsageError(f"option --fail-on: {quoted(as_text(text or ''))} is not {allowed}")
    return kinds


def check_and_report(paths: list[str], settings: Settings, arguments: Arguments) -> int:
    """Check files and report as the options say; return the exit code.

    Where nothing else is asked for, each file's report is printed as soon as it is there.
    """
    baseline, new_baseline = arguments.last("--baseline"), arguments.last("--write-baseline")
    read = [*paths, *settings.heads, *arguments.all("--scope")]
    delivery = delivery_from(arguments, [*read, *arguments.all("--baseline")])
    must_not_replace("--write-baseline", new_baseline, read)
    _must_differ(delivery.target, new_baseline)
    if not delivery.plain or baseline is not None or new_baseline is not None:
        from ..baseline import baselines_in
        from ..reporting import deliver_check

        baselines = baselines_in(settings.workspace, baseline, new_baseline, dash_is_stdin=settings.dash_is_stdin)
        return deliver_check(paths, settings, delivery, baselines)
    code = CLEAN
    for outcome in check_files(paths, settings):
        if isinstance(outcome, InputError):
            complain(outcome)
        else:
            remark(outcome.notes)
            stdout().lines(file_report(outcome))
        code = max(code, judge(outcome, settings.fail_on))
    return code


def _must_differ(report: str | None, baseline: str | None) -> None:
    """Refuse to write two things to one file, of which the second would replace the first.

    Raises:
        UsageError: if both paths lead to the same place, where nothing has to be yet.
    """
    if report is not None and baseline is not None and place_of(report) == place_of(baseline):
        raise UsageError(f"options -o and --write-baseline: {bare(as_text(report))} can't be both")


def _run(arguments: Arguments) -> int:
    if [*arguments.operands, arguments.last("--scope"), arguments.last("--baseline")].count(STDIN) > 1:
        raise UsageError("standard input ('-') can be read only once")
    return check_and_report(arguments.operands, settings_from(arguments, dash_is_stdin=True), arguments)


COMMAND = Command("check", "Audit transcripts and sealed files, told apart by content.", ("FILE…",), OPTIONS, _run)
