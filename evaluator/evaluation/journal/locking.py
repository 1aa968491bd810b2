"""One process at a time: a lock on an open file that ends with the process, however that ends."""

import os
import sys

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 62
    """A byte that no file has; on Windows, locked bytes cannot be read."""

    def try_lock(descriptor: int) -> bool:
        """Lock an open file; return False if another process has locked it."""
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file; return False if another process has locked it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
