"""Tar archives whose bytes depend only on their content: sorted names, fixed times, no user of this machine."""

import gzip
import io
import tarfile


class Tree:
    """Files of an archive, by path."""

    def __init__(self):
        self.entries = {}

    def folder(self, path, mode=0o755, owner=0):
        self.entries[path] = (None, mode, owner)

    def file(self, path, data, mode=0o644, owner=0):
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            self.entries.setdefault("/".join(parts[:depth]), (None, 0o755, 0))
        self.entries[path] = (data.encode() if isinstance(data, str) else data, mode, owner)

    def tar(self, epoch):
        """Returns the archive, not compressed."""
        output = io.BytesIO()
        with tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, (data, mode, owner) in sorted(self.entries.items()):
                entry = tarfile.TarInfo(path)
                entry.mtime, entry.mode, entry.uid, entry.gid = epoch, mode, owner, owner
                if data is None:
                    entry.type = tarfile.DIRTYPE
                    archive.addfile(entry)
                else:
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
        return output.getvalue()


def compressed(data, level):
    return gzip.compress(data, compresslevel=level, mtime=0)
