"""Random names and values, biased to what attacks: the runner reads one command for each annotation, no other."""

import posixpath
import unittest

from hostile import ACTING, HOSTILE, shown
from runner import Command, commands_in, lines_of

from toolreplay.engine.findings import KINDS, Finding
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import FileResult
from toolreplay.reports.annotations import annotation_lines, annotations
from toolreplay.reports.text import file_report

try:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
except ImportError:
    raise unittest.SkipTest("hypothesis is not installed") from None

# The same examples at each run: a check that fails now and then helps nobody.
some = settings(
    max_examples=300, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)

pieces = st.one_of(
    st.sampled_from(
        [*HOSTILE.values(), "::", "##[", "##", "[", "]", "%", "%0A", "\r", "\n", "=", ",", ":", " ", "/", "."]
    ),
    st.text(st.characters(), max_size=5),
    st.sampled_from(sorted(ACTING)),
)
texts = st.lists(pieces, max_size=6).map("".join)


class Inert(unittest.TestCase):
    @some
    @given(path=texts, tool=texts, line=st.integers(1, 10**9))
    def test_one_finding_is_one_annotation(self, path: str, tool: str, line: int) -> None:
        finding = Finding(1, "redundant-call", line, tool, 0)
        result = FileResult(path, None, ReplayResult(2, (finding,)), None)
        report = "\n".join(file_report(result)).encode()
        self.assertEqual(commands_in(report), [])
        self.assertEqual(len(lines_of(report)), 5)
        printed = "\n".join(annotation_lines(annotations([result], frozenset(KINDS))))
        text = f"tool {shown(tool)} repeats the identical call at index 0 with no state change between them"
        with_place = Command(
            "error", {"title": "redundant-call", "file": posixpath.normpath(path), "line": str(line)}, text
        )
        without = Command("error", {"title": "redundant-call"}, f"{shown(path, '')}:{line}: {text}")
        self.assertIn(commands_in(printed.encode()), ([with_place], [without]))


if __name__ == "__main__":
    unittest.main()
