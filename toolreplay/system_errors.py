"""What the system's errors are called here: its own words differ between platforms and languages."""

import errno

_CAUSES = {
    errno.ENOENT: "no such file or directory",
    errno.EISDIR: "is a directory",
    errno.ENOTDIR: "a part of the path is not a directory",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "too many symbolic links",
    errno.ENOSPC: "no space left on device",
    errno.EROFS: "the file system is read-only",
    errno.EFBIG: "the file is too big",
    errno.EBADF: "is closed",
}


def cause_of(error: OSError) -> str:
    """Name the cause of a system's error in a fixed English text."""
    number = error.errno
    if number is None:
        return "system error"
    return _CAUSES.get(number) or f"system error {errno.errorcode.get(number, number)}"
