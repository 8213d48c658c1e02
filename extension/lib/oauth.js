// Sign-in by OAuth 2.1: discovery (RFC 8414), registration (RFC 7591), code with PKCE (RFC 7636), refresh, revocation.
// The browser hands the answer to the extension's own redirect address; the address is never requested from a server.
import { send, ServerError } from "./requests.js";
import * as servers from "./servers.js";

const SCOPE = "svc:read svc:write";
/// Seconds before its expiry at which a token is replaced.
const EARLY_S = 60;

/// Signs in at `origin`. Returns the credential.
export async function signIn(origin) {
  const { body: metadata } = await send(origin, `${origin}/.well-known/oauth-authorization-server`);
  if (!metadata?.code_challenge_methods_supported?.includes("S256")) {
    throw new ServerError(502, { error: "The answer does not come from Carrel." });
  }
  const redirect = chrome.identity.getRedirectURL();
  const client = await post(origin, metadata.registration_endpoint, {
    json: {
      client_name: "Carrel for browsers",
      redirect_uris: [redirect],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: SCOPE,
    },
  });
  const [verifier, state] = [random(), random()];
  const request = new URL(metadata.authorization_endpoint);
  request.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: SCOPE,
    state,
    code_challenge: await challenge(verifier),
    code_challenge_method: "S256",
  });
  const answer = await authorize(request.href);
  if (answer.get("state") !== state || answer.get("iss") !== metadata.issuer) {
    throw new Error("The answer does not belong to this sign-in. Try again.");
  }
  const code = answer.get("code");
  if (!code) throw new Error("You did not allow the access.");
  const token = await post(origin, metadata.token_endpoint, {
    form: { grant_type: "authorization_code", code, redirect_uri: redirect, client_id: client.client_id, code_verifier: verifier },
  });
  const { token_endpoint, revocation_endpoint } = metadata;
  const credential = { kind: "oauth", clientId: client.client_id, token_endpoint, revocation_endpoint, ...tokens(token) };
  if (!String(token.scope ?? SCOPE).split(" ").includes("svc:write")) {
    await revoke({ origin, credential });
    throw new Error("The extension must be allowed to make changes, or it cannot save. Sign in again.");
  }
  return credential;
}

async function authorize(url) {
  let answer;
  try {
    answer = await chrome.identity.launchWebAuthFlow({ url, interactive: true });
  } catch {
    throw new Error("The sign-in was closed before it was complete.");
  }
  return new URL(answer).searchParams;
}

// Two refreshes at the same time would appear to be the theft of a token, and the server would revoke the access.
const refreshes = new Map();

/// Returns a valid token of `server`, which is the key itself for a server with an API key.
export async function accessToken(server, renew) {
  const { credential } = (await servers.find(server.id)) ?? server;
  if (credential.kind === "key") return credential.key;
  const isNew = credential.access !== server.credential.access;
  if (credential.expiresAt > Date.now() && (!renew || isNew)) return credential.access;
  if (!refreshes.has(server.id)) {
    refreshes.set(server.id, refresh(server, credential).finally(() => refreshes.delete(server.id)));
  }
  return refreshes.get(server.id);
}

async function refresh(server, credential) {
  try {
    const token = await post(server.origin, credential.token_endpoint, {
      form: { grant_type: "refresh_token", refresh_token: credential.refresh, client_id: credential.clientId },
    });
    const renewed = { ...credential, ...tokens(token, credential.refresh) };
    await servers.setCredential(server.id, renewed);
    return renewed.access;
  } catch (error) {
    if (error instanceof ServerError && !error.isTransient) throw new ServerError(401, null);
    throw error;
  }
}

/// Revokes the access of the extension at the server. An unreachable server is ignored.
export async function revoke({ origin, credential }) {
  if (credential.kind !== "oauth") return;
  const form = { token: credential.refresh ?? credential.access, client_id: credential.clientId };
  await post(origin, credential.revocation_endpoint, { form }).catch(() => {});
}

function tokens(token, refreshToken) {
  return {
    access: token.access_token,
    refresh: token.refresh_token ?? refreshToken,
    expiresAt: Date.now() + (Number(token.expires_in ?? 3600) - EARLY_S) * 1000,
  };
}

async function post(origin, url, { json, form }) {
  const type = json ? "application/json" : "application/x-www-form-urlencoded";
  const body = json ? JSON.stringify(json) : new URLSearchParams(form).toString();
  return (await send(origin, url, { method: "POST", headers: { "Content-Type": type }, body })).body;
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function challenge(verifier) {
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
}
