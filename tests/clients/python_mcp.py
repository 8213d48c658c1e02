"""The Python MCP SDK: registers, is allowed to read, steps up to writing, refreshes, is revoked."""

import asyncio
import os
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

from person import Person

URL = os.environ["SERVICE_URL"]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Flow:
    """Answers the consent page. The first time, only reading is allowed."""

    def __init__(self):
        self.asked, self.person, self.back = 0, Person(), ""

    async def redirect(self, address):
        self.asked += 1
        self.back = await asyncio.to_thread(self.person.answer, address, self.asked > 1)

    async def callback(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.back).query))
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


async def main():
    memory, flow = Memory(), Flow()
    metadata = OAuthClientMetadata(
        client_name="Python MCP SDK",
        redirect_uris=["http://localhost:7777/callback"],
        token_endpoint_auth_method="none",
    )
    auth = OAuthClientProvider(
        server_url=f"{URL}/mcp",
        client_metadata=metadata,
        storage=memory,
        redirect_handler=flow.redirect,
        callback_handler=flow.callback,
    )
    async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client:
            tools = (await client.list_tools()).tools
            print(f"  {len(tools)} tools, granted {memory.tokens.scope}")
            me = await client.call_tool("account", {})
            assert not me.is_error and len(tools) == 14, me
            print("  called account")
            made = await client.call_tool("annotate", {"text": "From Python"})
            assert not made.is_error, made
            assert flow.asked == 2, f"asked {flow.asked} times"
            print(f"  stepped up: {memory.tokens.scope}")
            before = memory.tokens.access_token
            auth.context.token_expiry_time = 1
            again = await client.call_tool("search", {"query": "python"})
            assert not again.is_error and memory.tokens.access_token != before
            print("  refreshed")
            loaded = await client.call_tool("more_tools", {"set": "library"})
            assert not loaded.is_error, loaded
            more = (await client.list_tools()).tools
            assert len(more) > 14, [tool.name for tool in more]
            print(f"  loaded a set: {len(more)} tools")
        async with Client(streamable_http_client(f"{URL}/mcp?output=structured", http_client=http)) as client:
            assert all(tool.output_schema for tool in (await client.list_tools()).tools)
            found = await client.call_tool("search", {"query": "python"})
            assert not found.is_error and isinstance(found.structured_content["results"], list), found
            print("  structured results match their schemas")
    async with httpx2.AsyncClient() as http:
        token = memory.tokens.refresh_token
        form = {"token": token, "client_id": memory.client.client_id}
        assert (await http.post(f"{URL}/oauth/token/revoke", data=form)).status_code == 200
        bearer = {"Authorization": f"Bearer {memory.tokens.access_token}"}
        assert (await http.get(f"{URL}/v1/me", headers=bearer)).status_code == 401
        print("  revoked")


asyncio.run(main())
