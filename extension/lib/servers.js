// The servers of the person and their credentials. They are stored in this browser only, are not synchronised, and
// scripts in pages cannot read them.

// Opens the storage to pages of the extension only. Firefox has no such setting: there, scripts of web pages never have
// access, and the scripts that the extension runs in a page do not read it.
void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

async function read() {
  const { servers = [], activeServer = null } = await chrome.storage.local.get(["servers", "activeServer"]);
  return { servers, activeServer };
}

export async function list() {
  return (await read()).servers;
}

/// The chosen server; undefined before the first sign-in.
export async function active() {
  const { servers, activeServer } = await read();
  return servers.find((server) => server.id === activeServer) ?? servers[0];
}

export async function find(id) {
  return (await list()).find((server) => server.id === id);
}

/// The server with this address and account, even after it was removed and added again.
export async function ofAccount({ origin, userId }) {
  return (await list()).find((server) => server.origin === origin && server.userId === userId);
}

/// Adds a server, or replaces the credentials of the same server and account, and chooses it.
export async function put(server) {
  const { servers } = await read();
  const known = servers.find((other) => other.origin === server.origin && other.userId === server.userId);
  const stored = { ...server, id: known?.id ?? crypto.randomUUID() };
  const others = servers.filter((other) => other !== known);
  await chrome.storage.local.set({ servers: [...others, stored], activeServer: stored.id });
  return stored;
}

export async function setCredential(id, credential) {
  const { servers } = await read();
  await chrome.storage.local.set({
    servers: servers.map((server) => (server.id === id ? { ...server, credential } : server)),
  });
}

export async function activate(id) {
  await chrome.storage.local.set({ activeServer: id });
}

export async function remove(id) {
  const { servers, activeServer } = await read();
  const rest = servers.filter((server) => server.id !== id);
  await chrome.storage.local.set({ servers: rest, activeServer: activeServer === id ? (rest[0]?.id ?? null) : activeServer });
}

/// Parses what a person types as the address of a server: an origin, with or without a scheme and a path.
export function originOf(text) {
  const typed = text.trim();
  const isLocal = /^(localhost|127\.|\[::1\]|10\.|192\.168\.|[^./]+(:|\/|$))/.test(typed);
  const url = URL.parse?.(/^https?:\/\//i.test(typed) ? typed : `${isLocal ? "http" : "https"}://${typed}`);
  return url && /^https?:$/.test(url.protocol) && url.hostname ? url.origin : null;
}

/// Match pattern of a server, for the permission to send requests to it. Patterns have no port.
export function patternOf(origin) {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
