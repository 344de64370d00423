"""The certificates of authorities that the environment names, for both HTTP libraries."""

import os
from typing import Optional

_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
"""`requests` reads the first two, httpx the last. The client accepts all of them for both."""


def authorities() -> Optional[str]:
    """
    Returns the file or folder with the certificates that the environment names, or None for the library's
    own. Raises ValueError if it does not exist.
    """
    for name in _VARIABLES:
        path = os.environ.get(name)
        if path:
            if not os.path.exists(path):
                raise ValueError(f"The environment variable {name} names a file that does not exist.")
            return path
    return None
