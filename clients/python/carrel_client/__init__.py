"""Typed client of Carrel's Developer API: `connect`, operations in `carrel_client.api`, `result`, and `pages`.

All other files of the installed package are generated.
"""

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any, TypeVar

from .client import AuthenticatedClient
from .models import Error
from .types import UNSET, Response

__all__ = ["UNSET", "AuthenticatedClient", "CarrelError", "connect", "pages", "result"]

Answer = TypeVar("Answer")


class CarrelError(Exception):
    """Error response. `code` is stable; `retry_after` is in seconds, and None if a retry cannot help."""

    def __init__(self, status: int, code: str, message: str, details: str | None, retry_after: int | None):
        super().__init__(f"{code}: {message}")
        self.status, self.code, self.message = status, code, message
        self.details, self.retry_after = details, retry_after


def connect(base_url: str, key: str, **options: Any) -> AuthenticatedClient:
    """Returns a client that sends an API key or access token. `options` are those of `AuthenticatedClient`."""
    return AuthenticatedClient(base_url=base_url.rstrip("/"), token=key, **options)


def result(response: Response[Error | Answer]) -> Answer:
    """Returns the parsed body of the response of a `…_detailed` function. Raises `CarrelError` if it is an error."""
    parsed = response.parsed
    if response.status_code < 400 and not isinstance(parsed, Error):
        return parsed
    if not isinstance(parsed, Error):
        # A status that is not in the OpenAPI document, for example from a proxy.
        try:
            parsed = Error.from_dict(json.loads(response.content))
        except (ValueError, KeyError, TypeError):
            text = response.content.decode(errors="replace")[:200]
            parsed = Error(error=text, code="unexpected_answer")
    raise CarrelError(
        int(response.status_code),
        parsed.code,
        parsed.error,
        None if parsed.details is UNSET else parsed.details,
        None if parsed.retry_after is UNSET else parsed.retry_after,
    )


def pages(operation: ModuleType, client: AuthenticatedClient, **parameters: Any) -> Iterator[Any]:
    """Yields each page of a list, with the same filters, until there is no further cursor."""
    cursor: Any = UNSET
    while cursor is not None:
        page = result(operation.sync_detailed(client=client, cursor=cursor, **parameters))
        yield page
        cursor = page.next_cursor or None
