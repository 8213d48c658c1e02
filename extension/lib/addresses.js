// Addresses of pages, compared as the server compares them (`kernel::address::key`), and the list of those in the library.
// The list lets the extension mark saved pages without a request for each page that is opened.
import { call } from "./api.js";

/// Parameters that only count visitors (`extract::feed::is_tracking`).
const TRACKING = new Set(
  ("_hsenc _hsmi dclid fbclid gclid gclsrc hsctatracking igshid mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id pk_campaign " +
    "pk_kwd srsltid twclid vero_id wbraid gbraid yclid _ga s_cid at_medium at_campaign ref_src").split(" "),
);
const isTracking = (name) => name.startsWith("utm_") || TRACKING.has(name);
/// Maximum number of pages of the list that one call reads, and minimum time between two calls.
const PAGES = 20;
const LIST_AGE_MS = 15 * 60_000;
/// Maximum number of items in the list.
const ITEMS = 50_000;
const EMPTY = { items: {}, cursor: null, at: 0 };

/// True if a page with this address can be saved.
export function isWeb(address) {
  return /^https?:\/\//i.test(address ?? "");
}

/// The address without user name and password, which the server refuses.
export function plain(address) {
  const url = new URL(address);
  url.username = url.password = "";
  return url.href;
}

export function keyOf(address) {
  const url = URL.parse(address);
  if (!url || !isWeb(address)) return null;
  const parameters = url.search.slice(1).split("&").filter((pair) => pair && !isTracking(pair.split("=")[0].toLowerCase()));
  const query = parameters.length ? `?${parameters.join("&")}` : "";
  const fragment = /^#[/!]/.test(url.hash) ? url.hash : "";
  return url.host + url.pathname + query + fragment;
}

const nameOf = (server) => `addresses:${server.id}`;
const read = async (server) => (await chrome.storage.local.get(nameOf(server)))[nameOf(server)] ?? { ...EMPTY, items: {} };

/// Stores the list. A list that is too long for the browser's storage is dropped, and only the server is queried.
async function write(server, known) {
  index = {};
  const isFull = known.isFull || Object.keys(known.items).length > ITEMS;
  const stored = isFull ? { ...EMPTY, isFull } : known;
  await chrome.storage.local.set({ [nameOf(server)]: stored }).catch(() => forget(server));
}

/// Keys of one server, cached in this process.
let index = {};

/// Reads the changes of the library since the last call.
export async function refresh(server) {
  const known = await read(server);
  if (known.isFull || (Date.now() - known.at < LIST_AGE_MS && !known.hasMore)) return;
  for (let page = 0; page < PAGES; page++) {
    let answer;
    try {
      answer = await call(server, "GET", "/v1/library/sync", { query: { types: "item", limit: 500, cursor: known.cursor ?? undefined } });
    } catch (error) {
      if (error.status === 410) await write(server, EMPTY);
      return;
    }
    for (const { op, ref, object } of answer.changes) {
      if (op === "delete") delete known.items[ref];
      else known.items[ref] = [object.url, object.originalUrl].map((address) => address && keyOf(address)).filter(Boolean);
    }
    Object.assign(known, { cursor: answer.nextCursor, hasMore: answer.hasMore, at: Date.now() });
    await write(server, known);
    if (!answer.hasMore || Object.keys(known.items).length > ITEMS) return;
  }
}

export async function isKnown(server, address) {
  const key = keyOf(address);
  if (index.serverId !== server.id) {
    const { items } = await read(server);
    index = { serverId: server.id, keys: new Set(Object.values(items).flat()) };
  }
  return key !== null && index.keys.has(key);
}

/// Returns the id of the item with this address, if the list contains it.
export async function itemIdOf(server, address) {
  const key = keyOf(address);
  const known = Object.entries((await read(server)).items).find(([, keys]) => keys.includes(key));
  return known?.[0].slice("item:".length);
}

/// Adds an item that was just saved, or removes an item that was deleted.
export async function note(server, itemId, address) {
  const known = await read(server);
  const ref = `item:${itemId}`;
  if (address) known.items[ref] = [...new Set([...(known.items[ref] ?? []), keyOf(address)])];
  else delete known.items[ref];
  await write(server, known);
}

export const forget = (server) => chrome.storage.local.remove(nameOf(server));
