// Calls of the Developer API of a server.
import { accessToken } from "./oauth.js";
import { send, ServerError } from "./requests.js";

/// Calls an operation of the Developer API with the credential of `server`.
export async function call(server, method, path, { query = {}, body, file } = {}) {
  const url = new URL(path, server.origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const headers = { Accept: "application/json" };
  if (file) headers["Content-Type"] = file.type || "application/octet-stream";
  else if (body) headers["Content-Type"] = "application/json";
  const request = async (renew) => {
    headers.Authorization = `Bearer ${await accessToken(server, renew)}`;
    return send(server.origin, url, { method, headers, body: file ?? (body && JSON.stringify(body)) });
  };
  try {
    return (await request(false)).body;
  } catch (error) {
    // A token may become invalid before it expires, for example if the server was restored from a backup.
    if (!(error instanceof ServerError) || !error.needsSignIn || server.credential.kind !== "oauth") throw error;
    return (await request(true)).body;
  }
}
