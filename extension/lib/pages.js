// Scripts in pages. They run only when the person uses the extension on a page (`activeTab`).

/// Error if the browser does not let extensions read the page.
export class Unreadable extends Error {
  constructor() {
    super("The browser does not let extensions read this page.");
  }
}

async function run(tabId, injection) {
  let results;
  try {
    results = await chrome.scripting.executeScript({ target: { tabId }, ...injection });
  } catch {
    throw new Unreadable();
  }
  return results?.[0]?.result;
}

async function read(tabId, file) {
  const result = await run(tabId, { files: [file] });
  if (!result) throw new Unreadable();
  return result;
}

export const describe = (tabId) => read(tabId, "page/describe.js");
export const capture = (tabId) => read(tabId, "page/capture.js");

/// Maximum size of a copy of a page that the server accepts, in bytes.
const COPY_BYTES = 20 * 1024 * 1024;

/// Creates a copy of the page as the person sees it, as one HTML file. `leftOut` is a sentence about the content that
/// it lacks.
export async function snapshot(tabId) {
  await run(tabId, { files: ["page/snapshot.js"] });
  const copy = await run(tabId, { func: () => globalThis.carrelSnapshot?.() ?? null });
  if (!copy) throw new Unreadable();
  const { url, html, isCut, left } = copy;
  const blob = new Blob([html], { type: "text/html;charset=utf-8" });
  if (blob.size > COPY_BYTES) throw new Error("The copy of the page is larger than 20 MB.");
  return { id: crypto.randomUUID(), url, blob, isCut, leftOut: sentenceOf(left, isCut) };
}

function sentenceOf({ pictures, styles, frames }, isCut) {
  const named = [[pictures, "picture or font", "pictures or fonts"], [styles, "style sheet", "style sheets"], [frames, "frame", "frames"]];
  const parts = named.filter(([count]) => count).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  if (isCut) parts.push("the end of the page");
  return parts.length ? `Left out of the copy: ${parts.join(", ")}.` : "";
}

/// Reads a picture or document that the page displays. Null if the site does not let the page read it.
export async function readFile(tabId, address) {
  await run(tabId, { files: ["page/file.js"] });
  const file = await run(tabId, { func: (url) => globalThis.carrelFile?.(url) ?? null, args: [address] });
  if (!file) return null;
  const bytes = Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0));
  const type = file.type.split(";")[0];
  return { name: fileName(address, type), type, blob: new Blob([bytes], { type }) };
}

function fileName(address, type) {
  const { protocol, pathname } = new URL(address);
  const last = protocol.startsWith("http") ? pathname.split("/").pop().slice(-150) : "picture";
  const ending = { "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg", "image/avif": "avif", "application/pdf": "pdf" }[type];
  if (/\.[a-z0-9]{2,5}$/i.test(last)) return last;
  return `${last || "file"}${ending ? `.${ending}` : ""}`;
}

export async function pick(tabId, settings) {
  await run(tabId, { files: ["page/picker.js"] });
  await run(tabId, { func: (given) => globalThis.carrelPick(given), args: [settings] });
}
