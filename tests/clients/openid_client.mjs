// openid-client: discovery, dynamic registration, PKCE, refresh, revocation.
import * as client from "openid-client";
import { allow, assert, revoked, url } from "./person.mjs";

const redirect_uri = "http://127.0.0.1:4321/cb";
const config = await client.dynamicClientRegistration(
  new URL(url),
  { client_name: "openid-client", redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" },
  client.None(),
  { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
);

async function tokens(scope, changes) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri, scope, state, resource: url,
    code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
  });
  return client.authorizationCodeGrant(config, allow(address, changes), {
    pkceCodeVerifier: verifier, expectedState: state,
  });
}

const call = (granted, method, path, body) => client.fetchProtectedResource(
  config, granted.access_token, new URL(path, url), method, body && JSON.stringify(body),
  body && new Headers({ "Content-Type": "application/json" }),
);
const reader = await tokens("svc:read", false);
assert((await call(reader, "GET", "/v1/me")).status === 200, "reading");
const writer = await tokens("svc:read svc:write", true);
const made = await call(writer, "POST", "/v1/rss/collections", { name: "From openid-client" });
assert(made.status < 300, `writing answered ${made.status}`);
console.log(`  stepped up: ${writer.scope}`);
const again = await client.refreshTokenGrant(config, writer.refresh_token);
assert(again.access_token !== writer.access_token, "the same token");
console.log("  refreshed");
await client.tokenRevocation(config, reader.refresh_token);
await revoked(again, config.clientMetadata().client_id);
