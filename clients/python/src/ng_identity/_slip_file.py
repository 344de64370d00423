"""Writes a PDF to a file that only its owner can read, because a slip contains identity data."""

import contextlib
import os
import tempfile
from typing import Optional, Type, Union

Path = Union[str, "os.PathLike[str]"]


class SlipFile:
    """Writes a temporary file in the target's folder. Renames it to the target if the block succeeds."""

    def __init__(self, target: Path) -> None:
        self._target = os.path.abspath(os.fspath(target))
        if os.path.isdir(self._target):
            raise IsADirectoryError(f"The path to write to is a folder: {self._target}")
        descriptor, self._temporary = tempfile.mkstemp(
            prefix=".slip-", suffix=".part", dir=os.path.dirname(self._target)
        )
        self._file = os.fdopen(descriptor, "wb")

    def write(self, content: bytes) -> None:
        self._file.write(content)

    def __enter__(self) -> "SlipFile":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], *_: object) -> None:
        try:
            self._file.close()
            if kind is None:
                os.replace(self._temporary, self._target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._temporary)
