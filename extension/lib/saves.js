// Saves and changes: each is an entry of the queue, which is sent immediately and remains until the server has confirmed it. The
// steps of an entry may be repeated: the server recognises an item by its address, and notes and highlights by the id that the
// extension assigned.
import * as addresses from "./addresses.js";
import { call } from "./api.js";
import * as queue from "./queue.js";
import { ServerError, Unreachable } from "./requests.js";
import * as servers from "./servers.js";

/// Minimum time between two attempts to send the waiting entries.
const ATTEMPT_MS = 30_000;

/// Maximum number of waiting saves in this browser.
const WAITING = 500;
/// Maximum size of all waiting copies of pages in this browser, in bytes.
const WAITING_COPY_BYTES = 100 * 1024 * 1024;

/// Attempts in progress, by the id of their entry. An entry has only one attempt at a time.
const inProgress = new Map();

const id = () => crypto.randomUUID();
const entryFor = ({ id: serverId, origin, userId }) => ({ id: id(), at: Date.now(), serverId, origin, userId });

/// Entry for a page, link, or picture. `content`, `file`, and `copy` are optional.
export function newEntry(server, { url, title, content, file, copy, highlight, warnings = [] }) {
  const item = { url, captureMethod: "extension" };
  if (content) Object.assign(item, { content, mimeType: "text/html" });
  if (title) item.title = title.slice(0, 500).toWellFormed();
  if (file) Object.assign(item, { fileName: file.name, mimeType: file.type });
  const highlights = highlight ? [{ ...highlight, externalId: id() }] : [];
  return { ...entryFor(server), item, file: file?.blob, copy, highlights, warnings };
}

/// Entry for changes of an item that is on the server: its status, tags, note, and the copy of its page.
export function newChange(server, itemId, url) {
  return { ...entryFor(server), itemId, url, highlights: [], warnings: [] };
}

/// Writes an entry to the queue and sends it. `state` of the result is `saved`, `waiting`, or `failed`.
export async function submit(entry) {
  const others = await queue.all();
  const isEarlier = (other) => entry.item && other.serverId === entry.serverId && other.item?.url === entry.item.url;
  const earlier = others.filter((other) => isEarlier(other) && !inProgress.has(other.id));
  if (others.length - earlier.length >= WAITING) {
    throw new Error(`${WAITING} saves wait to be sent. Send or discard them first, in the settings.`);
  }
  const complete = withRoom(earlier.reduceRight(withEarlier, entry), others.filter((other) => !earlier.includes(other)));
  // The earlier saves are removed last, so that an error or a closed browser loses nothing.
  await queue.put(complete);
  for (const { id: replaced } of earlier) await queue.remove(replaced);
  return attempt(complete);
}

/// Returns the entry, without its copy if the waiting copies would become too large.
function withRoom(entry, others) {
  const waiting = others.reduce((bytes, { copy }) => bytes + (copy?.blob.size ?? 0), 0);
  if (!entry.copy || waiting + entry.copy.blob.size <= WAITING_COPY_BYTES) return entry;
  const warning = "The copy of the page was not stored: 100 MB of copies wait to be sent. Send or discard them first, in the settings.";
  return { ...entry, copy: undefined, warnings: [...entry.warnings, warning] };
}

/// Returns the entry merged with an earlier save of the same address: with what the person added to that save, and
/// with its page or file if the new save is only an address.
function withEarlier(entry, earlier) {
  const { tags, status, title, content, mimeType, fileName } = earlier.item;
  const isBare = !entry.item.content && !entry.file;
  const values = Object.entries({ tags, status, ...(isBare && { title, content, mimeType, fileName }) });
  const item = Object.fromEntries(values.filter(([, value]) => value));
  return {
    ...entry,
    item: { ...item, ...entry.item },
    changes: earlier.changes || entry.changes ? { ...earlier.changes, ...entry.changes } : undefined,
    file: isBare ? earlier.file : entry.file,
    copy: entry.copy ?? earlier.copy,
    highlights: [...earlier.highlights, ...entry.highlights],
    note: entry.note ?? earlier.note,
    warnings: isBare && (content || earlier.file) ? earlier.warnings : entry.warnings,
  };
}

function attempt(entry) {
  if (!inProgress.has(entry.id)) {
    inProgress.set(entry.id, confirmed(entry).finally(() => inProgress.delete(entry.id)));
  }
  return inProgress.get(entry.id);
}

async function confirmed(entry) {
  const server = (await servers.find(entry.serverId)) ?? (await servers.ofAccount(entry));
  if (!server) return failed(entry, { message: "The server of this page was removed." });
  try {
    const result = await transmit(server, entry);
    const newer = await completed(entry);
    return newer ? confirmed(newer) : { state: "saved", ...result, warnings: entry.warnings };
  } catch (error) {
    const isTransient = error instanceof Unreachable || (error instanceof ServerError && (error.isTransient || error.needsSignIn));
    const result = await failed(entry, { message: error.message, isTransient, retryAfter: error.retryAfter });
    // An entry that the server cannot process does not delay the others.
    return { ...result, isOffline: isTransient && error.status !== 500 };
  }
}

/// Removes an entry that was sent. Returns the entry if the person changed it in the meantime.
async function completed(entry) {
  let newer = null;
  await queue.update(entry.id, (stored) => {
    const isChanged = stored && stored.revision !== entry.revision;
    // The server recognises the item, so the entry can be sent again with the changes.
    newer = isChanged ? { ...stored, itemId: stored.item ? undefined : stored.itemId } : null;
    return newer;
  });
  return newer;
}

async function failed(entry, { message, isTransient = false, retryAfter = 0 }) {
  const problem = { error: message, isRefused: !isTransient, notBefore: Date.now() + retryAfter * 1000 };
  await queue.update(entry.id, (stored) => stored && { ...stored, ...problem });
  const { warnings, copy } = entry;
  return { state: isTransient ? "waiting" : "failed", entryId: entry.id, message, warnings, leftOut: copy?.leftOut };
}

/// Records the completed steps of an entry, so that they are not repeated after an error.
const noteProgress = (entry) => queue.update(entry.id, (stored) => stored && {
  ...stored,
  itemId: entry.itemId,
  isNew: entry.isNew,
  file: entry.file,
  // A newer copy may have been created while this one was sent.
  copy: stored.copy?.id === entry.sentCopyId ? undefined : stored.copy,
});

/// Sends the steps of an entry.
async function transmit(server, entry) {
  let item;
  if (entry.item && !entry.itemId) {
    const answer = await call(server, "POST", "/v1/library/items", { body: entry.item });
    item = answer.item;
    entry.itemId = item.id;
    entry.isNew ??= !answer.alreadySaved;
    await noteProgress(entry);
  }
  const path = `/v1/library/items/${entry.itemId}`;
  if (entry.file) {
    item = (await call(server, "PUT", `${path}/file`, { file: entry.file })).item ?? item;
    delete entry.file;
    await noteProgress(entry);
  }
  if (entry.changes) item = (await call(server, "PATCH", path, { body: entry.changes })).item;
  for (const highlight of entry.highlights) {
    const body = Object.fromEntries(Object.entries({ ...highlight, itemId: entry.itemId }).filter(([, value]) => value));
    const { object } = await call(server, "POST", "/v1/library/highlights", { body });
    if (object?.anchorStatus === "orphaned") entry.warnings.push("The highlight was saved, but its words were not found in the text.");
  }
  const copy = entry.copy && (await sendCopy(server, entry));
  const sentNote = entry.note && (await sendNote(server, entry));
  const address = entry.item?.url ?? entry.url;
  if (address) await addresses.note(server, entry.itemId, address);
  return { itemId: entry.itemId, item, isNew: entry.isNew, noteId: sentNote?.id, copy };
}

/// Sends the copy of the page. A copy that the server refuses does not delay the save of its page. If the save waited,
/// the person does not see its result, so the entry stays in the queue with the reason.
async function sendCopy(server, entry) {
  const { id: copyId, blob, isCut } = entry.copy;
  let stored = null;
  try {
    const query = { incomplete: isCut ? "true" : undefined };
    stored = (await call(server, "PUT", `/v1/library/items/${entry.itemId}/copies/html`, { query, file: blob })).copy;
  } catch (error) {
    const isRefused = error instanceof ServerError && !error.isTransient && !error.needsSignIn;
    if (!isRefused) throw error;
    const reason = error.status === 405 ? "This server is too old for copies." : error.message;
    if (entry.notBefore) throw new ServerError(error.status, { error: `The page is saved, but not its copy: ${reason}` });
    entry.warnings.push(`The copy of the page was not stored: ${reason}`);
  }
  delete entry.copy;
  entry.sentCopyId = copyId;
  await noteProgress(entry);
  return stored && { size: stored.size, leftOut: stored.statement };
}

async function sendNote(server, { note, itemId }) {
  if (note.id && !note.text) return void (await call(server, "DELETE", `/v1/library/notes/${note.id}`));
  if (note.id) return (await call(server, "PATCH", `/v1/library/notes/${note.id}`, { body: { text: note.text } })).object;
  if (!note.text) return null;
  return (await call(server, "POST", "/v1/library/notes", { body: { itemId, text: note.text, externalId: note.externalId } })).object;
}

/// Changes the status, tags, or note of a waiting entry or of a saved item, or adds the copy of its page.
export async function change({ server, entryId, itemId, url, changes, note: changedNote, copy }) {
  let waiting = null;
  if (entryId) {
    const others = (await queue.all()).filter((other) => other.id !== entryId);
    await queue.update(entryId, (stored) => {
      waiting = stored ? withRoom(changed(stored, changes, changedNote, copy), others) : null;
      return waiting;
    });
  }
  if (waiting) return attempt(waiting);
  return submit(changed(newChange(server, itemId, url), changes, changedNote, copy));
}

/// Returns the entry with changes. Tags of an unsent entry are part of its save, which adds them to the tags on the
/// server. Its status is sent after the save, because a save does not move an item that is already on the server.
function changed(entry, changes = {}, changedNote = null, copy = undefined) {
  const isUnsent = entry.item && !entry.itemId;
  const { tags, ...others } = changes;
  const direct = { ...entry.changes, ...others, ...(tags && !isUnsent && { tags }) };
  return {
    ...entry,
    revision: (entry.revision ?? 0) + 1,
    ...(isUnsent && tags && { item: { ...entry.item, tags } }),
    ...(Object.keys(direct).length && { changes: direct }),
    ...(copy && { copy }),
    ...(changedNote && { note: { externalId: id(), ...entry.note, ...changedNote } }),
  };
}

let isSending = false;

/// Sends the waiting entries, oldest first, unless an attempt was made shortly before. Returns the number of entries
/// that still wait.
export async function sendWaiting({ isForced = false } = {}) {
  const { lastAttempt = 0 } = await chrome.storage.session.get("lastAttempt");
  if (isSending || (!isForced && Date.now() - lastAttempt < ATTEMPT_MS)) return queue.all();
  isSending = true;
  try {
    await chrome.storage.session.set({ lastAttempt: Date.now() });
    const offline = new Set();
    for (const { id: waitingId } of await queue.all()) {
      // The person may have discarded or changed it while others were sent.
      const entry = await queue.get(waitingId);
      if (!entry) continue;
      const isDue = isForced || (!entry.isRefused && (entry.notBefore ?? 0) <= Date.now());
      if (!isDue || inProgress.has(entry.id) || offline.has(entry.serverId)) continue;
      const { isOffline } = await attempt(entry);
      if (isOffline) offline.add(entry.serverId);
    }
  } finally {
    isSending = false;
  }
  return queue.all();
}
