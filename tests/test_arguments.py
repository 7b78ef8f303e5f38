"""Reading a command line: what is taken, what is refused and in which words."""

import unittest

from toolreplay.arguments import Arguments, Command, Option, UsageError, parse, usage

OUT = Option("-o", "FILE", "where to write")
SKIP = Option("--skip", "GLOB", "what to leave out", repeats=True)
QUIET = Option("--quiet", "", "say less")


def command(operands: tuple[str, ...] = ("A", "B"), options: tuple[Option, ...] = (OUT, SKIP, QUIET)) -> Command:
    return Command("audit", "Audits.", operands, options, lambda arguments: 0)


TAKEN: list[tuple[str, list[str], list[str], dict[str, list[str]]]] = [
    ("operands", ["a", "b"], ["a", "b"], {}),
    ("options before", ["-o", "f", "a", "b"], ["a", "b"], {"-o": ["f"]}),
    ("options between and after", ["a", "-o", "f", "b", "--quiet"], ["a", "b"], {"-o": ["f"], "--quiet": [""]}),
    ("a value after =", ["a", "b", "--skip=x=y"], ["a", "b"], {"--skip": ["x=y"]}),
    ("an empty value", ["a", "b", "--skip="], ["a", "b"], {"--skip": [""]}),
    ("an empty value of its own", ["a", "b", "--skip", ""], ["a", "b"], {"--skip": [""]}),
    ("a value that looks like an option", ["a", "b", "--skip=--quiet"], ["a", "b"], {"--skip": ["--quiet"]}),
    ("a repeated option", ["--skip", "x", "a", "b", "--skip=y"], ["a", "b"], {"--skip": ["x", "y"]}),
    ("standard input", ["a", "-"], ["a", "-"], {}),
    ("standard output as a value", ["a", "b", "-o", "-"], ["a", "b"], {"-o": ["-"]}),
    ("an empty operand", ["", "b"], ["", "b"], {}),
    ("after --", ["--", "-o", "--quiet"], ["-o", "--quiet"], {}),
    ("-- twice", ["--", "--", "b"], ["--", "b"], {}),
    ("-- between", ["a", "--quiet", "--", "--help"], ["a", "--help"], {"--quiet": [""]}),
]

REFUSED: list[tuple[str, list[str], str]] = [
    ("nothing", [], "audit: missing argument: A"),
    ("one missing", ["a"], "audit: missing argument: B"),
    ("one too many", ["a", "b", "c", "d"], "audit: one argument too many: 'c'"),
    (
        "one too many that attacks",
        ["a", "b", "::error::\n##[x]"],
        "audit: one argument too many: '::error::\\n##\\u005bx]'",
    ),
    ("an unknown option", ["a", "b", "--loud"], "unknown option: '--loud'; 'toolreplay audit --help' lists them"),
    ("an unknown short option", ["-x", "a", "b"], "unknown option: '-x'; 'toolreplay audit --help' lists them"),
    ("a shortened option", ["a", "b", "--qui"], "unknown option: '--qui'; 'toolreplay audit --help' lists them"),
    (
        "an option in other case",
        ["a", "b", "--Quiet"],
        "unknown option: '--Quiet'; 'toolreplay audit --help' lists them",
    ),
    (
        "an option that attacks",
        ["-::error::x\r\n\x1b[2J"],
        "unknown option: '-::error::x\\r\\n\\u001b[2J'; 'toolreplay audit --help' lists them",
    ),
    ("an option that is no UTF-8", ["--\udcff"], "unknown option: '--\\udcff'; 'toolreplay audit --help' lists them"),
    (
        "a long option",
        ["--" + "x" * 1000],
        "unknown option: '--" + "x" * 198 + "…' (1002 characters); 'toolreplay audit --help' lists them",
    ),
    ("short options joined", ["-of", "a", "b"], "unknown option: '-of'; 'toolreplay audit --help' lists them"),
    ("a short option with =", ["-o=f", "a", "b"], "unknown option: '-o=f'; 'toolreplay audit --help' lists them"),
    (
        "a switch with a value",
        ["--quiet=yes", "a", "b"],
        "unknown option: '--quiet=yes'; 'toolreplay audit --help' lists them",
    ),
    ("three dashes", ["---", "a", "b"], "unknown option: '---'; 'toolreplay audit --help' lists them"),
    ("a value missing at the end", ["a", "b", "-o"], "option -o needs a value: FILE"),
    ("a value missing before an option", ["a", "b", "-o", "--quiet"], "option -o needs a value: FILE"),
    ("a value missing before --", ["a", "b", "-o", "--"], "option -o needs a value: FILE"),
    ("an option twice", ["-o", "f", "-o", "g", "a", "b"], "option -o is given twice"),
    ("a switch twice", ["--quiet", "a", "b", "--quiet"], "option --quiet is given twice"),
    ("standard input twice", ["-", "-"], "standard input ('-') can be read only once"),
]


class Parse(unittest.TestCase):
    def test_taken(self) -> None:
        for name, words, operands, options in TAKEN:
            with self.subTest(name):
                self.assertEqual(parse(command(), words), Arguments(operands, options))

    def test_refused(self) -> None:
        for name, words, text in REFUSED:
            with self.subTest(name):
                with self.assertRaises(UsageError) as caught:
                    parse(command(), words)
                self.assertEqual(str(caught.exception), text)

    def test_any_number_of_operands(self) -> None:
        self.assertEqual(parse(command(("PATH…",)), ["a"]).operands, ["a"])
        self.assertEqual(parse(command(("PATH…",)), ["a", "b", "c"]).operands, ["a", "b", "c"])
        with self.assertRaisesRegex(UsageError, "^audit: missing argument: PATH$"):
            parse(command(("PATH…",)), [])

    def test_no_operands(self) -> None:
        self.assertEqual(parse(command((), ()), []).operands, [])
        with self.assertRaisesRegex(UsageError, "^audit: one argument too many: 'x'$"):
            parse(command((), ()), ["x"])

    def test_asking(self) -> None:
        arguments = parse(command(), ["a", "b", "--skip=x", "--skip=y"])
        self.assertEqual((arguments.last("--skip"), arguments.last("-o")), ("y", None))
        self.assertEqual((arguments.has("--skip"), arguments.has("-o")), (True, False))


class Usage(unittest.TestCase):
    def test_with_options(self) -> None:
        self.assertEqual(
            usage(command()),
            [
                "usage: toolreplay audit [OPTIONS] A B",
                "",
                "  Audits.",
                "",
                "options:",
                "  -o FILE      where to write",
                "  --skip GLOB  what to leave out",
                "  --quiet      say less",
            ],
        )

    def test_without(self) -> None:
        self.assertEqual(usage(command((), ())), ["usage: toolreplay audit", "", "  Audits."])


if __name__ == "__main__":
    unittest.main()
