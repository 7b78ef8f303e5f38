"""Several processes report what one does, to the byte."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from support import ROOT, SAMPLES, run, spawn

from toolreplay import parallel
from toolreplay.engine.errors import InputError
from toolreplay.engine.links import Expectation
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record
from toolreplay.parallel import mapped, verify_in_parts
from toolreplay.source import verify_file

LINKS = [link.line for link in seal(Record(index, "t", {"n": index}, {"text": "x" * index}, 1) for index in range(12))]
OTHER = [link.line for link in seal(Record(index, "u", {}, {}, 1) for index in range(12))]


def edited(position: int, old: bytes, new: bytes) -> list[bytes]:
    lines = list(LINKS)
    assert old in lines[position]
    lines[position] = lines[position].replace(old, new)
    return lines


FILES: dict[str, list[bytes]] = {
    "intact": LINKS,
    "blank lines and CRLF": [line.replace(b"\n", b"\r\n\n \t\n") for line in LINKS],
    "blank lines first": [b"\n" * 300, *LINKS],
    "blank lines last": [*LINKS, b"\n" * 3000],
    "no end to the last line": [*LINKS[:-1], LINKS[-1][:-1]],
    "spelled in another way": [line.replace(b":", b" : ") for line in LINKS],
    "one link": LINKS[:1],
    "cut": LINKS[:7],
    "first link gone": LINKS[1:],
    "first half gone": LINKS[6:],
    "a link gone": [*LINKS[:6], *LINKS[7:]],
    "a link twice": [*LINKS[:6], *LINKS[5:]],
    "two links swapped": [*LINKS[:5], LINKS[6], LINKS[5], *LINKS[7:]],
    "halves swapped": [*LINKS[6:], *LINKS[:6]],
    "two chains": [*LINKS[:6], *OTHER[6:]],
    "a chain and itself": LINKS + LINKS,
    "no link": [b"\n", b" \n"] * 200,
    "empty": [],
    "a transcript": [b'{"index":0,"tool":"t","args":{},"response":{}}\n'] * 40,
    "numbers": [b"1\n"] * 900,
    "arrays": [b'["index","prev"]\n'] * 90,
    **{f"changed at {position}": edited(position, b'"n"', b'"m"') for position in range(len(LINKS))},
    **{
        f"digest changed at {position}": edited(position, b'"digest":"', b'"digest":"0')
        for position in range(len(LINKS))
    },
    **{f"prev changed at {position}": edited(position, b'"prev":"', b'"prev":"0') for position in range(len(LINKS))},
    **{f"no JSON at {position}": edited(position, b"}\n", b"\n") for position in range(len(LINKS))},
    **{f"no link at {position}": edited(position, b'"tool":"t"', b'"tool":0') for position in range(len(LINKS))},
    **{f"index true at {position}": edited(position, b'"index":', b'"index":true,"x":') for position in (0, 6)},
    **{f"a key twice at {position}": edited(position, b'"tool"', b'"tool":"t","tool"') for position in (0, 6, 11)},
}


def in_this_process(make: Any, given: Iterable[Any], processes: int, at_once: int = 1) -> Iterator[Any]:
    return map(make, given)


def outcome(of: Any, *given: Any) -> Any:
    try:
        return of(*given)
    except InputError as error:
        return str(error)


class Forking(unittest.TestCase):
    def setUp(self) -> None:
        # unittest shows what users don't see: 3.12 warns of forking beside a thread, were it one of the executor before
        # that is just ending. A command makes but one.
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore", DeprecationWarning)


class Verify(Forking):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name) / "x.jsonl")
        self.enterContext(mock.patch.object(parallel, "SMALLEST_RANGE", 200))

    def write(self, lines: list[bytes]) -> None:
        Path(self.path).write_bytes(b"".join(lines))

    def test_every_file_in_any_number_of_ranges(self) -> None:
        divided = 0
        for name, lines in FILES.items():
            self.write(lines)
            expected = outcome(verify_file, self.path)
            for processes in (2, 3, 7, 13):
                with self.subTest(name, processes=processes), mock.patch.object(parallel, "mapped", in_this_process):
                    self.assertEqual(outcome(verify_in_parts, self.path, Expectation(), processes), expected)
                    divided += len(parallel._ranges(self.path, processes)) > 1
        self.assertGreater(divided, 200)

    def test_ranges_are_whole_lines_and_all_of_them(self) -> None:
        self.write(LINKS)
        for processes in range(1, 20):
            ranges = parallel._ranges(self.path, processes)
            data = Path(self.path).read_bytes()
            self.assertEqual(b"".join(data[start:end] for _, start, end in ranges), data)
            self.assertTrue(all(data[:end].endswith(b"\n") for _, _, end in ranges))
            self.assertLessEqual(len(ranges), processes)

    def test_in_other_processes(self) -> None:
        for name in ("intact", "changed at 8", "two chains", "no JSON at 11"):
            self.write(FILES[name])
            with self.subTest(name):
                expected = outcome(verify_file, self.path)
                self.assertEqual(outcome(verify_in_parts, self.path, Expectation(), 2), expected)

    def test_what_is_expected_is_checked(self) -> None:
        self.write(LINKS)
        for expectation in (Expectation(links=3), Expectation(head="0" * 64), Expectation(exact=True)):
            expected = verify_file(self.path, expectation)
            self.assertEqual(verify_in_parts(self.path, expectation, 2), expected)

    def test_command(self) -> None:
        self.write(FILES["changed at 9"])
        one = run("verify", self.path)
        self.assertEqual(one.code, 1)
        self.assertEqual(run("verify", "--jobs", "2", self.path), one)
        self.assertEqual(run("verify", "--jobs", "2", "-", stdin=b"".join(LINKS)), (0, "chain: intact\n", ""))
        missing = run("verify", "--jobs", "2", "no/such")
        self.assertEqual(missing, (2, "", "error: no/such: no such file or directory\n"))


class Check(Forking):
    def test_the_same_reports_and_errors(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, lines in enumerate(FILES.values()):
                path = Path(folder) / f"{number}.jsonl"
                path.write_bytes(b"".join(lines))
                paths.append(str(path))
            paths += [str(SAMPLES / "session-dirty.jsonl"), str(SAMPLES / "session-clean.jsonl"), f"{folder}/none"]
            words = ("check", "--scope", str(SAMPLES / "scope.json"))
            one = run(*words, *paths)
            self.assertEqual(one.code, 2)
            self.assertIn("permission-overreach", one.out)
            self.assertEqual(run(*words, "--jobs", "2", *paths), one)
            self.assertEqual(run(*words, "--jobs", "9", *paths[:2]), run(*words, *paths[:2]))
            self.assertEqual(spawn(*words, "--jobs", "2", *paths[:9]), run(*words, *paths[:9]))

    def test_standard_input(self) -> None:
        words = ("check", "-", str(SAMPLES / "session-clean.jsonl"))
        given = (SAMPLES / "session-dirty.jsonl").read_bytes()
        one = spawn(*words, stdin=given)
        self.assertIn("redundant-call", one.out)
        self.assertEqual(spawn(*words, "--jobs=2", stdin=given), one)

    def test_numbers_of_processes(self) -> None:
        for number in ("0", "-1", "65", "1.5", "٢", "x", "", "1e1"):
            with self.subTest(number):
                found = run("check", f"--jobs={number}", "x")
                self.assertEqual((found.code, found.out), (2, ""))
                self.assertEqual(found.err, f"error: option --jobs: '{number}' is no number from 1 to 64\n")


def spoiled(number: int) -> int:
    os._exit(number)


def doubled(number: int) -> int:
    return 2 * number


class Mapped(Forking):
    def test_order(self) -> None:
        self.assertEqual(list(mapped(doubled, range(20), 2, 3)), list(range(0, 40, 2)))

    def test_processes_that_share_nothing(self) -> None:
        context = multiprocessing.get_context("spawn")
        with mock.patch("multiprocessing.context._default_context._actual_context", context):
            self.assertEqual(list(mapped(doubled, [1, 2], 2)), [2, 4])

    @unittest.skipUnless(os.name == "posix", "signals are POSIX's")
    def test_no_process_outlives_the_first(self) -> None:
        killed = "for _ in mapped(abs, [1, 2], 2): os.kill(os.getpid(), signal.SIGKILL)"
        script = f"import os, signal\nfrom toolreplay.parallel import mapped\n{killed}"
        # Whatever process is left holds the pipes open, and so this would wait for it.
        finished = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, cwd=ROOT, timeout=20, check=False
        )
        self.assertEqual((finished.returncode, finished.stdout, finished.stderr), (-signal.SIGKILL, b"", b""))

    @unittest.skipUnless(sys.platform == "linux", "limits and descriptors as Linux has them")
    def test_processes_that_can_not_be_started(self) -> None:
        error = "error: other processes could not be started: system error EMFILE\n"
        check = f'exec "{sys.executable}" -m toolreplay check --jobs 8 samples/session-clean.jsonl samples/scope.json'
        for limit in (10, 16, 24):  # before the first process and after some
            with self.subTest(limit):
                finished = subprocess.run(
                    ["sh", "-c", f"ulimit -n {limit}; {check}"], capture_output=True, cwd=ROOT, timeout=20, check=False
                )
                self.assertEqual((finished.returncode, finished.stdout, finished.stderr.decode()), (2, b"", error))

    def test_a_process_that_ends(self) -> None:
        with self.assertRaises(InputError) as caught:
            list(mapped(spoiled, [3], 1))
        self.assertEqual(str(caught.exception), "a process that checked a part has ended before its time")


if __name__ == "__main__":
    unittest.main()
