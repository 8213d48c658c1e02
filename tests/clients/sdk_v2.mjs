// The TypeScript MCP SDK, version 2.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { url } from "./person.mjs";
import { run } from "./sdk.mjs";

const transport = (authProvider) => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
const connect = async (way) => {
  const client = new Client({ name: "sdk-v2", version: "1" });
  await client.connect(way);
  return client;
};
await run(connect, transport);
