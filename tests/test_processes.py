"""The command line in a process of its own: streams, signals, environments."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from support import ROOT, SAMPLES, call, session, spawn

from toolreplay.formats.registry import FORMATS

DIRTY = str(SAMPLES / "session-dirty.jsonl")
COMMAND = [sys.executable, "-m", "toolreplay"]
CLEAN_REPORT = "calls: 1\ndivergence: none\nfindings: 0\n"

POSIX = unittest.skipUnless(os.name == "posix", "POSIX alone")


def shell(script: str, **environment: str) -> tuple[int, str, str]:
    """Run a script of the shell in which `toolreplay` is the program."""
    finished = subprocess.run(
        ["sh", "-c", f'toolreplay() {{ "{sys.executable}" -m toolreplay "$@"; }}\n{script}'],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
    return finished.returncode, finished.stdout.decode(), finished.stderr.decode()


@POSIX
class Streams(unittest.TestCase):
    def test_a_full_disk(self) -> None:
        if not os.path.exists("/dev/full"):
            self.skipTest("/dev/full is Linux's")
        error = "error: <stdout>: no space left on device\n"
        for command in (f"replay {DIRTY}", f"seal {DIRTY}", "--help"):
            with self.subTest(command):
                self.assertEqual(shell(f"toolreplay {command} > /dev/full"), (2, "", error))
        self.assertEqual(
            shell(f"toolreplay seal {DIRTY} -o /dev/full"), (2, "", "error: /dev/full: no space left on device\n")
        )

    def test_closed_streams(self) -> None:
        self.assertEqual(shell(f"toolreplay replay {DIRTY} >&-"), (2, "", "error: <stdout>: is closed\n"))
        self.assertEqual(shell(f"toolreplay seal {DIRTY} >&-"), (2, "", "error: <stdout>: is closed\n"))
        self.assertEqual(shell("toolreplay replay - <&-"), (2, "", "error: <stdin>: is closed\n"))
        self.assertEqual(shell("toolreplay replay nowhere 2>&-"), (2, "", ""))
        self.assertEqual(shell(f"toolreplay replay {DIRTY} >&- 2>&-"), (2, "", ""))
        self.assertEqual(shell("toolreplay replay nowhere 2> /dev/full")[:2], (2, ""))

    def test_a_reader_that_goes_away(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            big = Path(folder) / "big.jsonl"
            big.write_bytes(session(*[("a", {"n": n}, {"text": "x" * 1000}) for n in range(2000)]))
            for command in ("seal", "replay"):
                if command == "replay":
                    big.write_bytes(session(*[("a", {}, {}) for n in range(3000)]))
                with self.subTest(command):
                    out, err = Path(folder) / "code", Path(folder) / "err"
                    code, head, _ = shell(f"(toolreplay {command} {big} 2> {err}; echo $? > {out}) | head -1")
                    self.assertEqual((code, head.count("\n"), err.read_text()), (0, 1, ""))
                    self.assertEqual(out.read_text(), "141\n")

    def test_standard_input(self) -> None:
        self.assertEqual(spawn("replay", "-", stdin=call(0)), (0, CLEAN_REPORT, ""))
        self.assertEqual(shell(f"cat {DIRTY} | toolreplay seal - | toolreplay verify -"), (0, "chain: intact\n", ""))
        self.assertEqual(shell("toolreplay replay - < /dev/null")[0], 0)

    def test_standard_input_that_does_not_block(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        process = subprocess.Popen(
            [*COMMAND, "replay", "-"], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
        )
        os.close(reading)
        with open(writing, "wb", buffering=0) as pipe:
            for piece in (call(0)[:20], call(0)[20:], call(1, "b"), call(2)[:-5], call(2)[-5:]):
                pipe.write(piece)
                wait_until_read(writing)
        out, err = process.communicate()
        self.assertEqual((process.returncode, out, err), (0, CLEAN_REPORT.replace("1", "3").encode(), b""))

    def test_memory_that_runs_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.jsonl"
            with path.open("wb") as file:
                file.truncate(2**27)
            result = shell(f"ulimit -v 100000; toolreplay replay {path}")
            self.assertEqual(result, (2, "", "error: not enough memory\n"))


@unittest.skipUnless(sys.platform == "linux", "file names are bytes on Linux")
class Locales(unittest.TestCase):
    """Where Python takes names for ASCII, they are shown, sorted and compared as the UTF-8 that they are."""

    ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # noqa: RUF012

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()), "папка")
        self.folder.mkdir()
        for name, content in (
            ("я.jsonl", call(0, "ёж") + call(1, "ёж")),
            ("ق.jsonl", b"[]\n"),
            (os.fsdecode(b"\xff.jsonl"), b""),
            ("область.json", '{"agent": "ж", "allowed_tools": ["ёж"]}'.encode()),
        ):
            (self.folder / name).write_bytes(content)
        self.names = sorted(path.name for path in self.folder.glob("*.jsonl"))

    def same(self, code: int, out: str, err: str, *words: str) -> None:
        for environment in ({}, self.ASCII):
            self.assertEqual(spawn(*words, cwd=self.folder, env=environment), (code, out, err))

    def test_check(self) -> None:
        clean = "calls: {}\ndivergence: none\nfindings: {}\n"
        out = f"file: я.jsonl\n{clean.format(2, 0)}calls: 2\nfindings: 0\n"
        out += f"file: \\udcff.jsonl\n{clean.format(0, 0)}calls: 0\nfindings: 0\n"
        err = "error: ق.jsonl:1: not an object but an array\n"
        self.same(2, out, err, "check", "--scope", "область.json", "--mutator", "ёж", "--", *self.names)

    def test_baselines(self) -> None:
        self.assertEqual(spawn("check", "--write-baseline", "б.json", "я.jsonl", cwd=self.folder).code, 0)
        report = (
            "calls: 2\ndivergence: none\nfindings: 1\nindex 1: redundant-call: tool 'ёж' repeats the identical call "
        )
        report += "at index 0 with no state change between them (known)\nbaseline: 1 known, 0 new, 0 gone\n"
        for path in ("я.jsonl", str(self.folder / "я.jsonl")):
            self.same(0, f"file: {path}\n{report}", "", "check", "--baseline", "б.json", path)

    def test_errors(self) -> None:
        for err, *words in (
            ("ж: no such file or directory", "check", "ж"),
            ("ж: no such file or directory", "check", "--scope", "ж", "я.jsonl"),
            ("ж: no such file or directory", "check", "--baseline", "ж", "я.jsonl"),
            ("option -o: я.jsonl is an input, which would be replaced", "check", "-o", "я.jsonl", "я.jsonl"),
            (
                "options -o and --write-baseline: ж can't be both",
                "check",
                "-o",
                "ж",
                "--write-baseline",
                "ж",
                "я.jsonl",
            ),
            ("a head must be 64 lower-case hex digits, not 'ж'", "verify", "--expect-head", "ж", "я.jsonl"),
            ("a number of links must be 1 or more, not 'ж'", "verify", "--expect-links", "ж", "я.jsonl"),
            (f"unknown format: 'ж'; there are {', '.join(FORMATS)}", "replay", "--from", "ж", "я.jsonl"),
        ):
            with self.subTest(words):
                found = spawn(*words, cwd=self.folder, env=self.ASCII)
                self.assertEqual(found, (2, "", f"error: {err}\n"))


SMALL_STACK = """
import sys, threading
import toolreplay

def nested(levels):
    inner = levels - 2
    return b'{"index":0,"tool":"a","args":{"x":' + b"[" * inner + b"]" * inner + b'},"response":{}}'

def work():
    for line in (nested(501), nested(100_000), b"[" * 100_000, b'{"a":' * 100_000):
        try:
            list(toolreplay.read_records([line]))
        except toolreplay.InputError as error:
            print(error.cause)
    sealed = [link.line for link in toolreplay.seal(toolreplay.read_records([nested(500)]))]
    print(bool(toolreplay.verify(sealed)))

threading.stack_size(256 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


@POSIX
class Nesting(unittest.TestCase):
    def test_a_thread_with_a_small_stack(self) -> None:
        finished = subprocess.run([sys.executable, "-c", SMALL_STACK], capture_output=True, cwd=ROOT, check=False)
        expected = "nested more than 500 levels deep\n" * 4 + "True\n"
        self.assertEqual((finished.returncode, finished.stdout.decode(), finished.stderr), (0, expected, b""))

    def test_a_process_with_a_small_stack(self) -> None:
        script = "ulimit -s 256; awk 'BEGIN { for (n = 0; n < 100000; n++) printf \"[\" }' | toolreplay replay -"
        self.assertEqual(shell(script), (2, "", "error: <stdin>:1: nested more than 500 levels deep\n"))


class Digits(unittest.TestCase):
    def test_whatever_the_environment_sets(self) -> None:
        accepted = call(0, "a", {"n": 10**4299})
        refused = accepted.replace(b"10000", b"100000", 1)
        for limit, other in (("0", "640"), ("640", "0")):
            with self.subTest(limit):
                sealed = spawn("seal", "-", stdin=accepted, PYTHONINTMAXSTRDIGITS=limit)
                self.assertEqual((sealed.code, sealed.err, sealed.out.count("0" * 4299)), (0, "", 1))
                verified = spawn("verify", "-", stdin=sealed.out.encode(), PYTHONINTMAXSTRDIGITS=other)
                self.assertEqual(verified, (0, "chain: intact\n", ""))
                error = "error: <stdin>:1: an integer has more than 4300 digits\n"
                self.assertEqual(spawn("seal", "-", stdin=refused, PYTHONINTMAXSTRDIGITS=limit), (2, "", error))


@POSIX
class Interrupted(unittest.TestCase):
    def test_ctrl_c(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            old = Path(folder) / "out"
            old.write_bytes(b"old")
            sealed = spawn("seal", "-", stdin=call(0)).out.encode()
            for words in (["replay", "-"], ["verify", "-"], ["seal", "-"], ["seal", "-", "-o", str(old)]):
                with self.subTest(words):
                    process = subprocess.Popen(
                        [*COMMAND, *words],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        cwd=ROOT,
                    )
                    assert process.stdin is not None
                    process.stdin.write(sealed if words[0] == "verify" else call(0))
                    process.stdin.flush()
                    wait_until_read(process.stdin.fileno())
                    process.send_signal(signal.SIGINT)
                    out, err = process.communicate()
                    self.assertEqual((process.returncode, out, err), (130, b"", b""))
            self.assertEqual((os.listdir(folder), old.read_bytes()), (["out"], b"old"))


def wait_until_read(pipe: int) -> None:
    """Wait until a program has taken what is in its pipe, so that it is past its start."""
    import array
    import fcntl
    import termios

    waiting = array.array("i", [1])
    deadline = time.monotonic() + 10
    while waiting[0] and time.monotonic() < deadline:
        time.sleep(0.005)
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    time.sleep(0.01)


class SameBytes(unittest.TestCase):
    TRANSCRIPT = session(
        ("қидириш", {"матн": "o‘zbek", "x": [1.5, 1e16, -0.0, 2**70]}, {"a": "اردو"}),
        ("қидириш", {"x": [1.5, 1e16, -0.0, 2**70], "матн": "o‘zbek"}, {"a": "می\u200cروم"}),
        ("\ud83d", {"😀": "\ude00", "\ue000": "\u2028"}, {}),
    )
    ENVIRONMENTS = (
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "utf-16", "PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "PYTHONINTMAXSTRDIGITS": "640", "LANG": "ru_RU.KOI8-R"},
        {"PYTHONUNBUFFERED": "1", "PYTHONDEVMODE": "1", "PYTHONWARNINGS": "error", "TZ": "Asia/Tashkent"},
    )

    def test_whatever_the_environment(self) -> None:
        expected = outcomes(self.TRANSCRIPT, [sys.executable], {})
        self.assertEqual(expected[0], 0, expected[2])
        self.assertIn("tool 'қидириш' returned".encode(), expected[1])
        self.assertIn("error: муҳр:1: a link of a sealed file".encode(), expected[2])
        self.assertIn("error: йўқ\\n😀/x: no such file or directory\n".encode(), expected[2])
        for environment in self.ENVIRONMENTS:
            with self.subTest(environment):
                self.assertEqual(outcomes(self.TRANSCRIPT, [sys.executable], environment), expected)

    def test_whatever_the_python(self) -> None:
        pythons = other_pythons()
        if not pythons:
            self.skipTest("no other Python from 3.11 up is here")
        expected = outcomes(self.TRANSCRIPT, [sys.executable], {})
        for python in pythons:
            with self.subTest(python):
                self.assertEqual(outcomes(self.TRANSCRIPT, [python], {}), expected)


SCRIPT = """
import sys
from toolreplay.cli import main
transcript, sealed, word = sys.argv[1:]
codes = [main(["replay", transcript]), main(["seal", transcript]), main(["seal", transcript, "-o", sealed])]
codes += [main(["verify", sealed]), main(["replay", sealed]), main(["verify", word]), main(["scope", "-", transcript])]
codes += [main(["--help"]), main([word]), main(["seal", "--" + word]), main(["seal", transcript, word])]
codes += [main(["seal", transcript, "-o", word + "/x"])]
raise SystemExit(0 if codes == [1, 0, 0, 0, 2, 2, 2, 0, 2, 2, 2, 2] else repr(codes))
"""


def outcomes(transcript: bytes, python: list[str], environment: dict[str, str]) -> tuple[int, bytes, bytes]:
    """Run many commands in one process; return what was printed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "сессия.jsonl"
        path.write_bytes(transcript)
        finished = subprocess.run(
            [*python, "-c", SCRIPT, path.name, "муҳр", "йўқ\n😀"],
            capture_output=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            check=False,
        )
    return finished.returncode, finished.stdout, finished.stderr


def other_pythons() -> list[str]:
    """Return the Pythons from 3.11 up on the path and beside this one, bar its own version."""
    found = {}
    for minor in range(11, 20):
        if (3, minor) == sys.version_info[:2]:
            continue
        places = [
            shutil.which(f"python3.{minor}"),
            *map(str, Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3")),
        ]
        for python in filter(None, places):
            check = subprocess.run(
                [python, "-c", "import sys; print(sys.version_info[1])"], capture_output=True, check=False
            )
            if check.stdout.strip() == str(minor).encode():
                found[minor] = python
    return list(found.values())


if __name__ == "__main__":
    unittest.main()
