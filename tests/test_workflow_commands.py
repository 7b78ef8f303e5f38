"""Commands as the runner reads them: escaping, cutting, and what no property can hold."""

import unittest

from hostile import HOSTILE
from runner import MESSAGE_LIMIT, Command, command_in

from toolreplay.reports.workflow_commands import can_be_property, command, fitted


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class Commands(unittest.TestCase):
    def test_strings(self) -> None:
        # Worked out by the rules of @actions/core.
        cases = {
            ("error", (), ""): "::error::",
            ("warning", (("title", "t"), ("file", "a,b:c%d"), ("line", "7")), "m: a,b\r\n100%"): (
                "::warning title=t,file=a%2Cb%3Ac%25d,line=7::m: a,b%0D%0A100%25"
            ),
            ("error", (("file", "::a=b"),), "::x"): "::error file=%3A%3Aa=b::::x",
        }
        for (name, properties, message), line in cases.items():
            with self.subTest(line):
                self.assertEqual(command(name, dict(properties), message), line)

    def test_the_runner_reads_the_very_text(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                properties = {"title": "t", "file": text} if can_be_property(text) else {"title": "t"}
                message = text[:MESSAGE_LIMIT].replace("\r", "")
                read = command_in(command("error", properties, message))
                self.assertEqual(read, Command("error", properties, message))

    def test_what_no_property_can_hold(self) -> None:
        for text in ("", "=a", "a ", "a\xa0", "a\x1b", "a\u202eb", "##[error]", "\ud800", "a\n"):
            self.assertFalse(can_be_property(text), text)
        for text in ("a", " a", "a=b", "a:b", "a,b", "a\nb", "##", "#[a]", "a%0A", "\u06cc\u200c\u062e"):
            self.assertTrue(can_be_property(text), text)


class Messages(unittest.TestCase):
    def test_messages_that_fit(self) -> None:
        for text in ("", "x" * 4096, "\U0001f600" * 2048):
            self.assertEqual(fitted(text), text)

    def test_a_longer_message_ends_in_a_mark(self) -> None:
        for text in ("x" * 4097, "\U0001f600" * 2049, "x" + "\U0001f600" * 2048):
            cut = fitted(text)
            self.assertTrue(cut.endswith(" … (cut)"))
            self.assertLessEqual(MESSAGE_LIMIT - units(cut), 1)
            self.assertGreaterEqual(MESSAGE_LIMIT, units(cut))
            self.assertTrue(text.startswith(cut.removesuffix(" … (cut)")))


if __name__ == "__main__":
    unittest.main()
