"""Words of the command line, and paths, as the text that they are."""

import os
import sys


def as_text(word: str) -> str:
    """Return a word or path for showing: what its bytes say in UTF-8, whatever the locale makes of them.

    Under `LC_ALL=C` Python hands over every byte of a name that is not ASCII on its own, and a report would change with
    the environment. For opening a file the word has to stay as it is.
    """
    if sys.getfilesystemencoding() == "utf-8":
        return word
    try:
        return os.fsencode(word).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return word
