// oauth4webapi: each step of the protocol is checked separately, with a client that has a secret.
import * as oauth from "oauth4webapi";
import { allow, assert, url } from "./person.mjs";

const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(url);
const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
const server = await oauth.processDiscoveryResponse(issuer, found);
const redirect_uri = "http://127.0.0.1:9876/cb";
const asked = await oauth.dynamicClientRegistrationRequest(
  server, { client_name: "oauth4webapi", redirect_uris: [redirect_uri], token_endpoint_auth_method: "client_secret_post" }, insecure,
);
const client = await oauth.processDynamicClientRegistrationResponse(asked);
const secret = oauth.ClientSecretPost(client.client_secret);

async function tokens(scope, changes) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: client.client_id, redirect_uri, response_type: "code", scope, state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
  }).toString();
  const parameters = oauth.validateAuthResponse(server, client, allow(address, changes), state);
  const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, redirect_uri, verifier, insecure);
  return oauth.processAuthorizationCodeResponse(server, client, answer);
}

const call = (granted, method, path, body) => oauth.protectedResourceRequest(
  granted.access_token, method, new URL(path, url), new Headers(body && { "Content-Type": "application/json" }),
  body && JSON.stringify(body), insecure,
);
const reader = await tokens("svc:read", false);
assert((await call(reader, "GET", "/v1/me")).status === 200, "reading");
const writer = await tokens("svc:read svc:write", true);
assert((await call(writer, "POST", "/v1/rss/collections", { name: "From oauth4webapi" })).status < 300, "writing");
console.log(`  stepped up: ${writer.scope}`);
const answer = await oauth.refreshTokenGrantRequest(server, client, secret, writer.refresh_token, insecure);
const again = await oauth.processRefreshTokenResponse(server, client, answer);
assert(again.access_token !== writer.access_token, "the same token");
console.log("  refreshed");
await oauth.processRevocationResponse(
  await oauth.revocationRequest(server, client, secret, again.refresh_token, insecure),
);
const me = await fetch(`${url}/v1/me`, { headers: { Authorization: `Bearer ${again.access_token}` } });
assert(me.status === 401, `a revoked token got ${me.status}`);
console.log("  revoked");
