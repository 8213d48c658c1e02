// The person of person.py, for clients that run in Node.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("person.py", import.meta.url));

/** Lets the person approve the request. Returns the address to which the browser is redirected. */
export function allow(address, changes = true) {
  const flags = changes ? [] : ["--read-only"];
  const back = execFileSync(process.env.PYTHON ?? "python3", [script, String(address), ...flags], { encoding: "utf8" });
  return new URL(back.trim());
}

export function assert(holds, what) {
  if (!holds) throw new Error(typeof what === "string" ? what : JSON.stringify(what));
}

export const url = process.env.SERVICE_URL;

/** Revokes the refresh token, and asserts that the next call with the access token is refused. */
export async function revoked(tokens, clientId) {
  const body = new URLSearchParams({ token: tokens.refresh_token, client_id: clientId });
  const answer = await fetch(`${url}/oauth/token/revoke`, { method: "POST", body });
  assert(answer.status === 200, `revocation answered ${answer.status}`);
  const me = await fetch(`${url}/v1/me`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
  assert(me.status === 401, `a revoked token got ${me.status}`);
  console.log("  revoked");
}
