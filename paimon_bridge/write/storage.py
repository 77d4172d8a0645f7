"""A table's folder on some file system, through pyarrow. Files are made once and never overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
from pyarrow import fs

from paimon_bridge.errors import WriteError

_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?://(?P<authority>[^/]*))?(?P<path>.*)", re.DOTALL)
# Hadoop's names for what Arrow calls s3.
_ALIASES = {"s3a": "s3", "s3n": "s3"}


class Storage:
    """Opens and deletes files below one folder. Paths are relative to it, with ``/`` between their parts, and taken as they are:
    Paimon's paths are not URIs, so a space or a percent sign stands for itself."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        match = _SCHEME.fullmatch(self.root)
        if match is None or match["scheme"] == "file":
            self._local = True
            self._fs: Any = fs.LocalFileSystem()
            self._base = self.root if match is None else match["path"]
        else:
            self._local = False
            self._fs, self._base = _remote(self.root, match["scheme"], match["authority"] or "", match["path"])

    @property
    def is_local(self) -> bool:
        return self._local

    def path(self, relative: str) -> str:
        """The whole path of a file, as Paimon would write it."""
        return f"{self.root}/{relative}"

    def create(self, relative: str) -> Any:
        """An output stream to a new file, in folders made as needed. Raises WriteError if the file exists or cannot be made."""
        target = f"{self._base}/{relative}"
        try:
            self._claim(target)
            return self._fs.open_output_stream(target)
        except (OSError, pa.ArrowException) as error:
            raise WriteError(
                f"cannot create the data file {self.path(relative)}: {error}",
                code="FILE_EXISTS" if isinstance(error, FileExistsError) else "FILE_NOT_CREATED",
                remedy="check that the table's folder can be written from this machine, and that there is room.",
            ) from error

    def _claim(self, target: str) -> None:
        """Make sure that a name is free, and ours."""
        folder = os.path.dirname(target)
        if self._local:
            os.makedirs(folder, exist_ok=True)
            # O_EXCL makes the name ours; the stream then truncates our own empty file.
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        elif self._fs.get_file_info(target).type != fs.FileType.NotFound:
            raise FileExistsError(target)
        else:
            self._fs.create_dir(folder, recursive=True)

    def delete(self, relative: str) -> None:
        """Delete a file; one that is not there counts as deleted. Raises OSError otherwise."""
        try:
            self._fs.delete_file(f"{self._base}/{relative}")
        except FileNotFoundError:
            return

    def delete_all(self, relatives: Iterable[str]) -> list[str]:
        """Delete files; those that could not be, with the reason."""
        left = []
        for relative in relatives:
            try:
                self.delete(relative)
            except (OSError, pa.ArrowException) as error:
                left.append(f"{self.path(relative)} ({error})")
        return left

    def read(self, relative: str) -> bytes:
        """The bytes of a file."""
        with self._fs.open_input_stream(f"{self._base}/{relative}") as source:
            data: bytes = source.read()
        return data

    def list_files(self) -> list[str]:
        """Every file below the folder, as relative paths."""
        selector = fs.FileSelector(self._base, recursive=True, allow_not_found=True)
        infos = self._fs.get_file_info(selector)
        return [info.path[len(self._base) :].lstrip("/") for info in infos if info.type == fs.FileType.File]


def _remote(root: str, scheme: str, authority: str, path: str) -> tuple[Any, str]:
    # Only the authority goes through URI parsing, so that the path keeps its percent signs and spaces.
    try:
        filesystem, base = fs.FileSystem.from_uri(f"{_ALIASES.get(scheme, scheme)}://{authority}")
    except (pa.ArrowException, OSError, ValueError) as error:
        raise WriteError(
            f"pyarrow has no file system for {root}: {error}",
            code="FILE_SYSTEM_UNSUPPORTED",
            remedy="use a path of a scheme pyarrow knows (file, s3, gs, hdfs, abfs), reachable from the executors.",
        ) from error
    return filesystem, f"{base.rstrip('/')}{path}"
