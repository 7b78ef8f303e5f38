"""Words of the command line are shown as the text that they are, under every locale."""

import os
import sys
import unittest
from unittest import mock

from toolreplay.names import as_text


class AsText(unittest.TestCase):
    def test_utf_8(self) -> None:
        for word in ("", "a.jsonl", "сессия", "\udcff", "\ud83d"):
            self.assertEqual(as_text(word), word)

    @unittest.skipIf(sys.platform == "win32", "file names are text here")
    def test_other_locales(self) -> None:
        for encoding, word, expected in (
            ("ascii", "a.jsonl", "a.jsonl"),
            ("ascii", "сессия".encode().decode("ascii", "surrogateescape"), "сессия"),
            ("ascii", "\udcff", "\udcff"),
            ("ascii", "\ud83d", "\ud83d"),  # no word of a command line, but a name that Python code may give
            ("koi8-r", "сессия".encode().decode("koi8-r"), "сессия"),
            ("iso8859-1", "Ã©", "é"),
        ):
            with (
                self.subTest(encoding=encoding, word=word),
                mock.patch.object(sys, "getfilesystemencoding", return_value=encoding),
                mock.patch.object(os, "fsencode", lambda text, to=encoding: text.encode(to, "surrogateescape")),
            ):
                self.assertEqual(as_text(word), expected)


if __name__ == "__main__":
    unittest.main()
