"""``toolreplay verify``."""

from ..arguments import Arguments, Command, Option
from ..delivery import HTML, OPTIONS, delivery_from
from ..engine.links import Expectation
from ..engine.results import FileResult
from ..exit_codes import CLEAN, FINDINGS
from ..expectations import digest, number_of_links
from ..output import stdout
from ..parallel import OPTION as JOBS
from ..parallel import jobs, verify_in_parts
from ..reports.text import verify_report
from ..source import shown_name, verify_file


def _run(arguments: Arguments) -> int:
    head, links = arguments.last("--expect-head"), arguments.last("--expect-links")
    expectation = Expectation(
        None if head is None else digest(head),
        None if links is None else number_of_links(links),
        arguments.has("--exact"),
    )
    count = jobs(arguments)
    path = arguments.operands[0]
    delivery = delivery_from(arguments, [path])
    if delivery.format == HTML:
        from ..reporting import deliver_sealed

        return deliver_sealed(path, expectation, delivery)
    result = verify_in_parts(path, expectation, count) if count > 1 else verify_file(path, expectation)
    if not delivery.plain:
        from ..reporting import deliver

        return deliver("verify", FileResult(shown_name(path), result, None, None), delivery)
    stdout().lines(verify_report(result))
    return CLEAN if result else FINDINGS


COMMAND = Command(
    "verify",
    "Find the first broken link of a sealed file.",
    ("SEALED",),
    (
        Option("--expect-head", "DIGEST", "the last link must have this digest"),
        Option("--expect-links", "NUMBER", "there must be this number of links"),
        Option("--exact", "", "each line must be the very bytes that 'seal' writes"),
        JOBS,
        *OPTIONS,
    ),
    _run,
)
