"""The system's errors have fixed names here."""

import errno
import os
import unittest

from toolreplay.system_errors import cause_of

CAUSES = [
    (errno.ENOENT, "no such file or directory"),
    (errno.EISDIR, "is a directory"),
    (errno.ENOTDIR, "a part of the path is not a directory"),
    (errno.EACCES, "permission denied"),
    (errno.EPERM, "permission denied"),
    (errno.ENAMETOOLONG, "the name is too long"),
    (errno.ELOOP, "too many symbolic links"),
    (errno.ENOSPC, "no space left on device"),
    (errno.EROFS, "the file system is read-only"),
    (errno.EFBIG, "the file is too big"),
    (errno.EBADF, "is closed"),
    (errno.EIO, "system error EIO"),
    (99_999, "system error 99999"),
]


class Causes(unittest.TestCase):
    def test_table(self) -> None:
        for number, cause in CAUSES:
            with self.subTest(cause):
                self.assertEqual(cause_of(OSError(number, os.strerror(number))), cause)

    def test_no_number(self) -> None:
        self.assertEqual(cause_of(OSError("somebody's own words")), "system error")


if __name__ == "__main__":
    unittest.main()
