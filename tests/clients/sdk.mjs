// Test steps for both versions of the TypeScript MCP SDK.
import { allow, assert, revoked, url } from "./person.mjs";

/** Provider that stores everything in memory and lets the person approve immediately. */
export class Provider {
  asked = 0;
  get redirectUrl() { return "http://localhost:6274/oauth/callback"; }
  get clientMetadata() {
    return {
      client_name: "TypeScript MCP SDK", redirect_uris: [this.redirectUrl], token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"], response_types: ["code"],
    };
  }
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  discoveryState() { return this.discovered; }
  saveDiscoveryState(discovered) { this.discovered = discovered; }
  redirectToAuthorization(address) {
    this.asked += 1;
    this.back = allow(address, this.asked > 1);
  }
}

/** Connects. If the SDK requires an approval, passes it the code of the redirect. */
async function connected(provider, connect, transport) {
  for (let tries = 0; tries < 2; tries += 1) {
    const way = transport(provider);
    try { return await connect(way); } catch (error) {
      if (!provider.back) throw error;
      await finish(way, provider);
    }
  }
  throw new Error("not connected");
}

async function finish(way, provider) {
  const { searchParams } = provider.back;
  provider.back = undefined;
  await way.finishAuth(searchParams.get("code"), searchParams.get("iss") ?? undefined);
}

export async function run(connect, transport) {
  const provider = new Provider();
  let client = await connected(provider, connect, transport);
  const { tools } = await client.listTools();
  console.log(`  ${tools.length} tools, granted ${provider.kept.scope}`);
  const me = await client.callTool({ name: "account", arguments: {} });
  assert(!me.isError, me);
  assert(tools.length === 14, `${tools.length} tools`);
  const write = { name: "annotate", arguments: { text: `From TypeScript ${Date.now()}` } };
  let made;
  try { made = await client.callTool(write); } catch (error) {
    // Version 1 refreshes its token when it is refused, which grants no more scopes, so the person must connect again.
    if (provider.back) await finish(transport(provider), provider);
    else if (error.code === 403) provider.kept = undefined;
    else throw error;
    await client.close();
    client = await connected(provider, connect, transport);
    made = await client.callTool(write);
  }
  assert(!made.isError, made);
  console.log(`  stepped up: ${provider.kept.scope}`);
  const before = provider.kept.access_token;
  provider.kept = { ...provider.kept, access_token: `${before.slice(0, -1)}${before.endsWith("0") ? "1" : "0"}` };
  // The client listens to notifications until it is closed.
  await client.close();
  client = await connected(provider, connect, transport);
  assert(!(await client.callTool({ name: "search", arguments: { query: "typescript" } })).isError, "after the refresh");
  assert(provider.kept.access_token !== before && provider.asked === 2, `asked ${provider.asked} times`);
  console.log("  refreshed");
  await client.close();
  await revoked(provider.kept, provider.client.client_id);
}
