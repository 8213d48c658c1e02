// Saves and changes: each is an entry of the queue, which is sent at once and stays until the server has confirmed it.
// The steps of an entry may be repeated: the server recognises an item by its address, and notes and highlights by
// the id that they got here.
import * as addresses from "./addresses.js";
import { call } from "./api.js";
import * as queue from "./queue.js";
import { ServerError, Unreachable } from "./requests.js";
import * as servers from "./servers.js";

/// Least time between two attempts to send what waits.
const ATTEMPT_MS = 30_000;

/// Most saves that wait in this browser.
const WAITING = 500;

/// Ids of the entries that are sent at this moment.
const inProgress = new Set();

const id = () => crypto.randomUUID();
const entryFor = ({ id: serverId, origin, userId }) => ({ id: id(), at: Date.now(), serverId, origin, userId });

/// Entry for a page, link, or picture. `content` and `file` are optional.
export function newEntry(server, { url, title, content, file, highlight, warnings = [] }) {
  const item = { url, captureMethod: "extension" };
  if (content) Object.assign(item, { content, mimeType: "text/html" });
  if (title) item.title = title.slice(0, 500).toWellFormed();
  if (file) Object.assign(item, { fileName: file.name, mimeType: file.type });
  const highlights = highlight ? [{ ...highlight, externalId: id() }] : [];
  return { ...entryFor(server), item, file: file?.blob, highlights, warnings };
}

/// Entry for changes of an item that the server has: its status, tags, and note.
export function newChange(server, itemId, url) {
  return { ...entryFor(server), itemId, url, highlights: [], warnings: [] };
}

/// Writes an entry to the queue and sends it. `state` of the result is `saved`, `waiting`, or `failed`.
export async function submit(entry) {
  if (!(await queue.get(entry.id)) && (await queue.all()).length >= WAITING) {
    throw new Error(`${WAITING} saves wait to be sent. Send or discard them first, in the settings.`);
  }
  if (entry.item) await replaceEarlier(entry);
  await queue.put(entry);
  return attempt(entry);
}

/// Takes the place of earlier saves of the same address that wait, with what the person added to them.
async function replaceEarlier(entry) {
  const isEarlier = (other) => other.id !== entry.id && other.serverId === entry.serverId && other.item?.url === entry.item.url;
  for (const earlier of (await queue.all()).filter((other) => isEarlier(other) && !inProgress.has(other.id))) {
    const { tags, status } = { ...earlier.item, ...earlier.changes };
    entry.item = { ...(tags && { tags }), ...(status && { status }), ...entry.item };
    entry.highlights = [...earlier.highlights, ...entry.highlights];
    entry.note ??= earlier.note;
    await queue.remove(earlier.id);
  }
}

async function attempt(entry) {
  inProgress.add(entry.id);
  try {
    return await confirmed(entry);
  } finally {
    inProgress.delete(entry.id);
  }
}

async function confirmed(entry) {
  const server = (await servers.find(entry.serverId)) ?? (await servers.ofAccount(entry));
  if (!server) return failed(entry, "The server of this page was removed.", false);
  try {
    const result = await transmit(server, entry);
    await queue.remove(entry.id);
    return { state: "saved", ...result, warnings: entry.warnings };
  } catch (error) {
    if (error instanceof Unreachable) return failed(entry, error.message, true);
    if (error instanceof ServerError) return failed(entry, error.message, error.isTransient || error.needsSignIn, error.retryAfter);
    throw error;
  }
}

async function failed(entry, message, isTransient, retryAfter = 0) {
  const waiting = { ...entry, error: message, isRefused: !isTransient, notBefore: Date.now() + retryAfter * 1000 };
  await queue.put(waiting);
  return { state: isTransient ? "waiting" : "failed", entryId: entry.id, message };
}

/// Sends the steps of an entry. A step that is done is noted, so that it is not sent again after an error.
async function transmit(server, entry) {
  let item;
  if (entry.item && !entry.itemId) {
    const answer = await call(server, "POST", "/v1/library/items", { body: entry.item });
    item = answer.item;
    entry.itemId = item.id;
    entry.isNew = !answer.alreadySaved;
    await queue.put(entry);
  }
  const path = `/v1/library/items/${entry.itemId}`;
  if (entry.file) {
    item = (await call(server, "PUT", `${path}/file`, { file: entry.file })).item ?? item;
    delete entry.file;
    await queue.put(entry);
  }
  if (entry.changes) item = (await call(server, "PATCH", path, { body: entry.changes })).item;
  for (const highlight of entry.highlights) {
    const body = Object.fromEntries(Object.entries({ ...highlight, itemId: entry.itemId }).filter(([, value]) => value));
    const { object } = await call(server, "POST", "/v1/library/highlights", { body });
    if (object?.anchorStatus === "orphaned") entry.warnings.push("The highlight was saved, but its words were not found in the text.");
  }
  const note = entry.note && (await sendNote(server, entry));
  const address = entry.item?.url ?? entry.url;
  if (address) await addresses.note(server, entry.itemId, address);
  return { itemId: entry.itemId, item, isNew: entry.isNew, noteId: note?.id };
}

async function sendNote(server, { note, itemId }) {
  if (note.id && !note.text) return void (await call(server, "DELETE", `/v1/library/notes/${note.id}`));
  if (note.id) return (await call(server, "PATCH", `/v1/library/notes/${note.id}`, { body: { text: note.text } })).object;
  if (!note.text) return null;
  return (await call(server, "POST", "/v1/library/notes", { body: { itemId, text: note.text, externalId: note.externalId } })).object;
}

/// Changes status, tags, or note of an entry that waits or of an item that is saved.
export async function change({ server, entryId, itemId, url, changes, note }) {
  const known = entryId && (await queue.get(entryId));
  const entry = known || newChange(server, itemId, url);
  if (entry.item && !entry.itemId) Object.assign(entry.item, changes);
  else if (changes) entry.changes = { ...entry.changes, ...changes };
  if (note) entry.note = { externalId: id(), ...entry.note, ...note };
  return submit(entry);
}

let isSending = false;

/// Sends what waits, oldest first, unless an attempt was made just now. Returns the number of entries that still wait.
export async function sendWaiting({ isForced = false } = {}) {
  const { lastAttempt = 0 } = await chrome.storage.session.get("lastAttempt");
  if (isSending || (!isForced && Date.now() - lastAttempt < ATTEMPT_MS)) return queue.all();
  isSending = true;
  try {
    await chrome.storage.session.set({ lastAttempt: Date.now() });
    const offline = new Set();
    for (const entry of await queue.all()) {
      const isDue = isForced || (!entry.isRefused && (entry.notBefore ?? 0) <= Date.now());
      if (!isDue || inProgress.has(entry.id) || offline.has(entry.serverId)) continue;
      const { state } = await attempt(entry);
      if (state === "waiting") offline.add(entry.serverId);
    }
  } finally {
    isSending = false;
  }
  return queue.all();
}
