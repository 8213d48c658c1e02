// The TypeScript MCP SDK, version 1.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { url } from "./person.mjs";
import { run } from "./sdk.mjs";

const transport = (authProvider) => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
const connect = async (way) => {
  const client = new Client({ name: "sdk-v1", version: "1" });
  await client.connect(way);
  return client;
};
await run(connect, transport);
