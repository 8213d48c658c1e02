// The default set of tools, with both versions of the TypeScript MCP SDK and both generations of the protocol: each
// tool, structured results against their schemas, a loaded set with its notification, and a subscription to a feed. KEY is an API key.
import { createServer } from "node:http";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { assert, url } from "./person.mjs";

const TOOLS = [
  "search", "fetch", "read", "find", "save", "annotate", "organize", "list_updates", "mark", "follow", "watch",
  "list_following", "account", "more_tools",
];
const authorization = { Authorization: `Bearer ${process.env.KEY}` };

/** Entries of each feed of the site. */
const entries = new Map();
const item = (feed, n) =>
  `<item><title>Harbour ${feed} ${n}</title><link>https://example.org/${feed}/${n}</link><guid>${feed}-${n}</guid>` +
  `<description>Boats and tide at the harbour, number ${n}.</description></item>`;
const site = createServer((request, response) => {
  const feed = request.url.slice(1);
  const count = entries.get(feed);
  if (count === undefined) {
    response.setHeader("content-type", "text/html");
    response.end("<title>Harbour</title><main><h1>Harbour</h1><p>Boats and tide, and the people who watch them.</p></main>");
    return;
  }
  response.setHeader("content-type", "application/rss+xml");
  const items = Array.from({ length: count }, (_, n) => item(feed, n + 1)).join("");
  response.end(`<rss version="2.0"><channel><title>${feed}</title><link>https://example.org/</link>${items}</channel></rss>`);
});
await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
const siteUrl = `http://127.0.0.1:${site.address().port}`;

/** Waits until `observe` returns something. */
async function until(what, observe) {
  for (let tries = 0; tries < 120; tries += 1) {
    const observed = await observe();
    if (observed) return observed;
    await new Promise((elapsed) => setTimeout(elapsed, 250));
  }
  throw new Error(`did not happen: ${what}`);
}

/** Ways to connect: a client, its notifications, and how it subscribes to a resource. */
const WAYS = [
  {
    name: "sdk v1", set: "feeds",
    client: () => new Client1({ name: "default-set", version: "1" }),
    transport: (path) => new Transport1(new URL(url + path), { requestInit: { headers: authorization } }),
    onChanged: (client, seen) => client.setNotificationHandler(ToolListChangedNotificationSchema, seen),
    onUpdated: (client, seen) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, seen),
    subscribe: (client, uri) => client.subscribeResource({ uri }),
  },
  {
    name: "sdk v2", set: "monitors",
    client: () => new Client2({ name: "default-set", version: "1" }),
    transport: (path) => new Transport2(new URL(url + path), { requestInit: { headers: authorization } }),
    onChanged: (client, seen) => client.setNotificationHandler("notifications/tools/list_changed", seen),
    onUpdated: (client, seen) => client.setNotificationHandler("notifications/resources/updated", seen),
    subscribe: (client, uri) => client.subscribeResource({ uri }),
  },
];
WAYS.push({
  ...WAYS[1], name: "sdk v2, newest revision", set: "rss",
  client: () => new Client2({ name: "default-set", version: "1" }, { versionNegotiation: { mode: "auto" } }),
  subscribe: (client, uri) => client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] }),
});

async function connected(way, path) {
  const client = way.client();
  await client.connect(way.transport(path));
  return client;
}

/** Calls each tool with structured results, which the SDK checks against the output schemas. Returns the feed's id. */
async function callEach(way, feed) {
  const client = await connected(way, "/mcp?output=structured");
  const { tools } = await client.listTools();
  for (const tool of tools) assert(tool.outputSchema?.type === "object", `${tool.name} has no output schema`);
  const called = new Set();
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert(!result.isError && typeof result.structuredContent === "object", `${name}: ${JSON.stringify(result)}`);
    called.add(name);
    return result.structuredContent;
  };
  const followed = await call("follow", { url: `${siteUrl}/${feed}`, collection: "Harbours" });
  const entry = await until("the feed is polled", async () => {
    const { results } = await call("list_updates", { in: "entries", source: followed.id });
    return results[0];
  });
  const [hit] = (await call("search", { query: `harbour ${feed}`, in: "entries" })).results;
  assert(hit, "search found nothing");
  await call("fetch", { id: entry.id });
  const saved = await call("save", { text: `Boats and tide at ${feed}. The tide comes at noon.`, title: feed, tags: ["sea"] });
  const id = saved.results[0].id;
  await call("read", { id });
  await call("find", { id, query: "tide" });
  await call("annotate", { id, quote: "The tide comes at noon.", text: "Really?" });
  await call("organize", { ids: [id], addTags: ["read"], status: "archive" });
  await call("mark", { ids: [entry.id] });
  await call("mark", { consumer: feed });
  await call("list_updates", { consumer: feed });
  await call("watch", { url: `${siteUrl}/page-${feed}` });
  await call("list_following", { kind: "monitors" });
  await call("account", {});
  await call("more_tools", { set: "articles" });
  assert(TOOLS.every((name) => called.has(name)), [...called]);
  await client.close();
  return followed.id.slice("feed:".length);
}

/** Loads a set and updates a feed, and waits for the notification of each. */
async function notified(way, feed, feedId) {
  const client = await connected(way, "/mcp");
  const { tools } = await client.listTools();
  assert(TOOLS.every((name, at) => tools[at]?.name === name), tools.map((tool) => tool.name));
  assert(tools.slice(0, 14).every((tool) => tool.outputSchema === undefined), "Markdown has no output schema");
  let changed = 0;
  const updated = [];
  way.onChanged(client, () => { changed += 1; });
  way.onUpdated(client, (notification) => { updated.push(notification.params.uri); });
  const uri = `svc://rss/feeds/${feedId}`;
  await way.subscribe(client, uri);
  const loaded = await client.callTool({ name: "more_tools", arguments: { set: way.set } });
  assert(!loaded.isError && loaded.structuredContent === undefined, loaded);
  await until("the list of tools changes", () => changed > 0);
  const more = (await client.listTools()).tools;
  assert(more.length > tools.length, `${tools.length} tools, then ${more.length}`);
  const headers = { "x-api-key": process.env.KEY };
  const list = await (await fetch(`${url}/v1/rss/subscriptions`, { headers })).json();
  const { id } = list.subscriptions.find((subscription) => String(subscription.feedId) === feedId);
  entries.set(feed, 3);
  const refreshed = await fetch(`${url}/v1/rss/subscriptions/${id}/refresh`, { method: "POST", headers });
  assert(refreshed.status === 202, `the refresh answered ${refreshed.status}`);
  await until("the feed is updated", () => updated.includes(uri));
  const read = await client.readResource({ uri });
  assert(read.contents[0].text.includes(`Harbour ${feed} 3`), read);
  await client.close();
}

for (const [at, way] of WAYS.entries()) {
  const feed = `feed${at}`;
  entries.set(feed, 2);
  const feedId = await callEach(way, feed);
  await notified(way, feed, feedId);
  console.log(`  ${way.name}: called ${TOOLS.length} tools, loaded a set, and was notified`);
}
site.close();
