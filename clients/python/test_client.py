"""Tests of the Python package against a running service: SERVICE_URL and KEY name it.

    python -m unittest test_client
"""

import os
import unittest

from carrel_client import CarrelError, connect, pages, result
from carrel_client.api.account import get_account_capabilities
from carrel_client.api.library import get_library_item, list_library_items, read_library_item, save_library_item
from carrel_client.models import LibraryItem, LibraryReadRequest, LibrarySaveRequest

URL, KEY = os.environ["SERVICE_URL"], os.environ["KEY"]


class Client(unittest.TestCase):
    def setUp(self):
        self.client = connect(URL, KEY)

    def save(self, number, tag):
        request = LibrarySaveRequest(
            url=f"https://example.org/{tag}/{number}", title=f"Desk {number}", content=f"A carrel is desk {number}.", tags=[tag]
        )
        return result(save_library_item.sync_detailed(client=self.client, body=request)).item

    def test_saved_item_can_be_read_and_loaded(self):
        saved = self.save(1, "python-read")
        self.assertIsInstance(saved, LibraryItem)
        text = result(read_library_item.sync_detailed(saved.id, client=self.client, body=LibraryReadRequest(max_tokens=500)))
        self.assertIn("A carrel is desk 1.", text.text)
        found = result(get_library_item.sync_detailed(saved.id, client=self.client)).item
        self.assertEqual((found.id, found.title, found.tags), (saved.id, "Desk 1", ["python-read"]))

    def test_pages_yields_every_page_of_a_list(self):
        saved = {self.save(number, "python-list").id for number in range(5)}
        walked = list(pages(list_library_items, self.client, limit=2, tag="python-list"))
        self.assertEqual([len(page.items) for page in walked], [2, 2, 1])
        self.assertEqual({item.id for page in walked for item in page.items}, saved)

    def test_unknown_item_raises_error_with_its_code(self):
        unknown = "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"
        with self.assertRaises(CarrelError) as raised:
            result(get_library_item.sync_detailed(unknown, client=self.client))
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "not_found"))
        self.assertTrue(raised.exception.message)
        self.assertIsNone(raised.exception.retry_after)

    def test_invalid_request_raises_error_that_names_the_field(self):
        with self.assertRaises(CarrelError) as raised:
            result(save_library_item.sync_detailed(client=self.client, body=LibrarySaveRequest(url="nothing")))
        self.assertEqual((raised.exception.status, raised.exception.code), (422, "invalid_url"))
        self.assertIn("url", raised.exception.details)

    def test_wrong_key_is_refused(self):
        with self.assertRaises(CarrelError) as raised:
            result(get_account_capabilities.sync_detailed(client=connect(URL, "svc_wrong")))
        self.assertEqual(raised.exception.status, 401)


if __name__ == "__main__":
    unittest.main()
