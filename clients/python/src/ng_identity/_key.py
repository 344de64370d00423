"""The API key, in a form that no repr, log line or traceback shows."""

from typing import Optional

from ._errors import AuthenticationError, ErrorDetails


class Key:
    """An API key. `check` raises AuthenticationError if it is missing or malformed."""

    __slots__ = ("_value",)

    def __init__(self, value: Optional[str]) -> None:
        self._value = value

    def check(self) -> None:
        """
        Raises AuthenticationError for a missing or malformed key. No local variable here holds the key,
        because error trackers may print local variables.
        """
        if not self._value:
            raise AuthenticationError(
                "No API key: pass api_key, or set the environment variable NG_IDENTITY_API_KEY.",
                details=ErrorDetails("missing_key", "Authorization", None),
            )
        # Other characters could end the header and start another. The API checks the rest.
        is_text = isinstance(self._value, str) and self._value.isascii() and self._value.isprintable()
        if not is_text or " " in self._value:
            raise AuthenticationError(
                "The API key contains a space, a line break or another invalid character.",
                details=ErrorDetails("malformed_key", "Authorization", None),
            )

    def authorization(self) -> str:
        """Returns the value of the header, as plain text, which recorders can store."""
        return f"Bearer {self._value}"

    def __repr__(self) -> str:
        return "<API key>"

    def __reduce__(self) -> str:
        raise TypeError("A client cannot be pickled, because the pickle would contain its API key.")
