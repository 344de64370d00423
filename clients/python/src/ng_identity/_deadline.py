"""The deadlines of a call and of its attempts."""

from time import monotonic


class Deadline:
    """A moment on the monotonic clock, `timeout_s` from now."""

    def __init__(self, timeout_s: float) -> None:
        self._end_s = monotonic() + timeout_s

    def remaining_s(self) -> float:
        return self._end_s - monotonic()
