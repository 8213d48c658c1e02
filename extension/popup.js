// The popup: state of the page, saving, tags, status, note, watching, and feeds.
import { ask, find, make } from "./lib/elements.js";

const TAGS = 12;
const SUGGESTED = 8;
const NOTE_DELAY_MS = 700;
const INTERVALS = [
  [60, "every hour"], [360, "every 6 hours"], [1440, "every day"], [10080, "every week"],
];

const tabId = await currentTab();
let known = {};
let item = null;
let tags = [];
let suggestions = [];

async function currentTab() {
  // Tests open the popup as a page, for the tab that the address names.
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab.id;
}

function display(text, kind = "", detail = "") {
  Object.assign(find("state"), { textContent: text, className: `state ${kind}` });
  Object.assign(find("detail"), { textContent: detail, hidden: !detail });
}

function displayWarnings(warnings = []) {
  find("warnings").replaceChildren(...warnings.map((warning) => make("li", {}, warning)));
  find("warnings").hidden = warnings.length === 0;
}

const day = (time) => new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });

// State of the page on the server

async function open() {
  known = await ask("open", { tabId });
  find("title").textContent = known.page?.title || known.page?.url || "Carrel";
  if (known.error) return display("Carrel cannot be used on this page.", "bad", known.error);
  if (!known.server) {
    display("No server is chosen yet.");
    find("welcome").hidden = false;
    return find("choose").focus();
  }
  displayServers();
  displayWaiting(known.waiting);
  if (!/^https?:/.test(known.page.url ?? "")) return display("This page cannot be saved.", "", "Only pages from the web can be saved.");
  find("follow").hidden = false;
  find("copying").hidden = !known.page.isReadable || !/html|xml/.test(known.page.contentType);
  find("copies").checked = known.keepsCopies;
  find("name").value = known.page.title.slice(0, 120) || known.page.url.slice(0, 120);
  displayFeeds(known.page.feeds);
  if (known.problem?.needsSignIn) {
    display("Sign in again.", "bad", known.problem.message);
    find("welcome").hidden = false;
    return;
  }
  if (known.item) return displayKnown();
  if (known.entryId) {
    const state = known.entry.isRefused ? "failed" : "waiting";
    return displaySave({ state, entryId: known.entryId, message: known.entry.message });
  }
  if (known.savesOnClick) return save();
  display("Not in your library.", "", known.problem?.message ?? "");
  displayActions("Save this page", true);
}

function displayKnown() {
  const saved = `In your library since ${day(known.item.savedAt)}.`;
  const detail = known.canonical ? `Under another address: ${known.canonical}` : articleState(known.item);
  display(saved, "good", detail);
  displayItem(known.item);
  displayActions(known.canonical ? "Save this address too" : "Save again", false);
}

/// Describes the state of the text on the server. Empty if there is nothing to report.
function articleState({ articleStatus, articleError }) {
  if (articleStatus === "failed") return `The server has no text of it: ${articleError ?? "unknown reason"}. Save again to send the page as you see it.`;
  return articleStatus === "ready" || articleStatus === "not_applicable" ? "" : "The server still reads the text.";
}

function displayActions(text, isMain) {
  find("actions").hidden = false;
  const words = known.page.selection && known.page.isReadable ? known.page.selection.split(/\s+/).length : 0;
  find("save").textContent = words ? `Save with highlight (${words} ${words === 1 ? "word" : "words"})` : text;
  find("save").classList.toggle("main", isMain || words > 0);
}

async function save() {
  display("Saving…");
  displayWarnings();
  find("copied").textContent = "";
  find("save").disabled = find("copies").disabled = true;
  const result = await ask("save", { tabId });
  find("save").disabled = find("copies").disabled = false;
  if (result.error) {
    display("The page was not saved.", "bad", result.error);
    return displayActions("Try again", true);
  }
  displaySave(result);
}

function displaySave(result) {
  known.entryId = result.entryId;
  displayWarnings(result.warnings);
  displayCopy(result);
  if (result.state === "failed") {
    display("The server refused the page.", "bad", result.message);
    return displayActions("Try again", true);
  }
  if (result.state === "waiting") {
    display("Saved in this browser.", "warn", `${result.message ?? ""} It is sent as soon as the server accepts it.`.trim());
    displayItem(known.entry ?? { tags: [], status: "inbox" });
  } else {
    known.canonical = null;
    display(result.isNew ? "Saved." : "Saved again.", "good", articleState(result.item));
    displayItem(result.item);
  }
  displayActions("Save again", false);
  find("tag").focus();
}

function displayItem(next) {
  item = next;
  tags = [...next.tags];
  find("item").hidden = false;
  find("read").hidden = find("remove").hidden = !next.id;
  if (next.id) find("read").href = `${known.server.origin}/library/${next.id}`;
  find("status").value = next.status;
  find("note").value = known.note?.text ?? "";
  displayTags();
  void suggest();
}

// Copy of the page

/// Size of the stored copy, and what was left out of it.
function displayCopy({ state, copy, leftOut }) {
  const size = copy && `A copy of ${Math.ceil(copy.size / 1024).toLocaleString()} KB is stored.`;
  const text = state === "saved" ? [size, copy?.leftOut] : [leftOut];
  Object.assign(find("copied"), { textContent: text.filter(Boolean).join(" "), className: "small soft" });
}

/// The choice is stored. A page that is already saved gets its copy immediately.
async function chooseCopies() {
  const isWanted = find("copies").checked;
  await chrome.storage.local.set({ keepsCopies: isWanted });
  if (!isWanted || known.canonical || !(item?.id || known.entryId)) return;
  Object.assign(find("copied"), { textContent: "Making a copy…", className: "small soft" });
  find("save").disabled = find("copies").disabled = true;
  const result = await ask("copy", { tabId, serverId: known.server.id, itemId: item?.id, entryId: known.entryId, url: known.page.url });
  find("save").disabled = find("copies").disabled = false;
  if (result.error || result.state === "failed") {
    return Object.assign(find("copied"), { textContent: result.error ?? result.message, className: "small bad" });
  }
  displayWarnings(result.warnings);
  known.entryId = result.entryId;
  if (result.state === "waiting") known.waiting = Math.max(known.waiting ?? 0, 1);
  displayCopy(result);
  if (result.state === "waiting") find("copied").prepend("The copy is sent later. ");
}

// Tags, status, and note

async function change(part) {
  find("changed").textContent = "Saving…";
  const result = await ask("change", { serverId: known.server.id, itemId: item.id, entryId: known.entryId, url: known.page.url, ...part });
  if (result.noteId) known.note = { ...known.note, id: result.noteId };
  const words = { saved: "Saved.", waiting: "Saved in this browser. It is sent later." };
  find("changed").textContent = words[result.state] ?? result.message ?? result.error;
  find("changed").classList.toggle("bad", !words[result.state]);
  if (result.state === "saved") {
    known.entryId = undefined;
    if (item) item.id ??= result.itemId;
  }
  return result;
}

function displayTags() {
  find("tags").replaceChildren(...tags.map((tag) => {
    const button = make("button", { type: "button", className: "tag chosen", title: `Remove the tag ${tag}` }, `${tag} ×`);
    button.setAttribute("aria-label", `Remove the tag ${tag}`);
    button.addEventListener("click", () => setTags(tags.filter((other) => other !== tag)));
    return button;
  }));
  displaySuggestions();
}

function displaySuggestions() {
  const typed = find("tag").value.trim().toLowerCase();
  const isChosen = (tag) => tags.some((other) => other.toLowerCase() === tag.toLowerCase());
  const matching = suggestions.filter((tag) => !isChosen(tag) && tag.toLowerCase().startsWith(typed)).slice(0, SUGGESTED);
  find("suggestions").replaceChildren(...matching.map((tag) => {
    const button = make("button", { type: "button", className: "tag" }, `+ ${tag}`);
    button.setAttribute("aria-label", `Add the tag ${tag}`);
    button.addEventListener("click", () => addTags(tag));
    return button;
  }));
}

async function suggest() {
  const prefix = find("tag").value.trim();
  const answer = await ask("tags", { prefix });
  if (Array.isArray(answer) && prefix === find("tag").value.trim()) suggestions = answer;
  displaySuggestions();
}

async function setTags(next) {
  const before = tags;
  tags = next;
  displayTags();
  find("tag").focus();
  const { state, item: stored } = await change({ changes: { tags } });
  if (state !== "saved" && state !== "waiting") tags = before;
  else if (stored) tags = [...stored.tags];
  displayTags();
}

function addTags(text) {
  const named = text.split(",").map((tag) => tag.trim().replace(/\s+/g, " ")).filter(Boolean);
  const fresh = named.filter((tag) => !tags.some((other) => other.toLowerCase() === tag.toLowerCase()));
  find("tag").value = "";
  if (tags.length + fresh.length > TAGS) {
    find("changed").textContent = `A page has at most ${TAGS} tags.`;
    return displaySuggestions();
  }
  if (fresh.length) void setTags([...tags, ...fresh]);
}

let noteTimer;
function noteChanged() {
  clearTimeout(noteTimer);
  noteTimer = setTimeout(sendNote, NOTE_DELAY_MS);
}

/// Sends the note when the person pauses typing, or when the popup closes.
async function sendNote() {
  clearTimeout(noteTimer);
  noteTimer = undefined;
  const text = find("note").value.trim();
  if (!item || text === (known.note?.text ?? "")) return;
  known.note = { ...known.note, externalId: known.note?.externalId ?? crypto.randomUUID(), text };
  await change({ note: known.note });
  if (!text) known.note = null;
}

// Watching and feeds

async function displayIntervals() {
  const { minimumMinutes = 60, remaining, error } = await ask("limits");
  const allowed = INTERVALS.filter(([minutes]) => minutes >= minimumMinutes);
  find("interval").replaceChildren(...allowed.map(([value, text]) => make("option", { value, selected: value === 1440 }, text)));
  const full = remaining === 0 ? "Your plan has no monitor left. Delete one in Carrel first." : "";
  Object.assign(find("watched"), { textContent: error ?? full, className: "small bad" });
  find("pick").disabled = find("whole").disabled = remaining === 0;
}

function watchSettings() {
  const select = find("interval");
  return {
    name: find("name").value.trim() || known.page.url,
    intervalMinutes: Number(select.value),
    intervalText: select.selectedOptions[0]?.textContent ?? "",
  };
}

async function pick() {
  const { error } = await ask("pick", { tabId, settings: watchSettings() });
  if (error) return Object.assign(find("watched"), { textContent: error, className: "small bad" });
  window.close();
}

async function watchWhole() {
  const { name, intervalMinutes } = watchSettings();
  find("watched").textContent = "Creating the monitor…";
  const { error } = await ask("watch", { tabId, name, intervalMinutes });
  const text = error ?? `“${name}” is watched. Changes appear in Carrel, under Monitors.`;
  Object.assign(find("watched"), { textContent: text, className: `small ${error ? "bad" : "good"}` });
}

function displayFeeds(feeds) {
  find("feeds").replaceChildren(...feeds.map(({ url, title }) => {
    const button = make("button", { type: "button" }, "Follow");
    button.setAttribute("aria-label", `Follow ${title || url}`);
    button.addEventListener("click", () => follow(url, button));
    return make("li", { className: "row" }, button, make("span", { title: url, dir: "auto" }, title || url));
  }));
  find("find").hidden = feeds.length > 0;
}

async function findFeeds() {
  find("followed").textContent = "Looking for feeds…";
  const answer = await ask("feeds", { url: known.page.url });
  const isList = Array.isArray(answer);
  if (isList) displayFeeds(answer);
  const text = isList ? (answer.length ? "" : "This page has no feed. Watch it instead.") : answer.error;
  Object.assign(find("followed"), { textContent: text, className: "small" });
}

async function follow(url, button) {
  button.disabled = true;
  const { error, title, alreadySubscribed } = await ask("follow", { url });
  button.disabled = !error;
  const text = error ?? (alreadySubscribed ? `You already follow “${title}”.` : `You follow “${title}” now.`);
  Object.assign(find("followed"), { textContent: text, className: `small ${error ? "bad" : "good"}` });
}

// Servers and waiting saves

function displayServers() {
  const select = find("server");
  select.replaceChildren(...known.servers.map(({ id, name }) => make("option", { value: id, selected: id === known.server.id }, name)));
  select.hidden = find("serverlabel").hidden = known.servers.length < 2;
  find("foot").hidden = select.hidden && !known.waiting;
}

function displayWaiting(count = 0) {
  find("waiting").hidden = find("send").hidden = count === 0;
  find("waiting").textContent = count === 1 ? "1 save waits to be sent." : `${count} saves wait to be sent.`;
  if (count) find("foot").hidden = false;
}

async function sendWaiting() {
  find("send").disabled = true;
  const entries = await ask("send");
  find("send").disabled = false;
  if (entries.error) return void (find("waiting").textContent = entries.error);
  displayWaiting(entries.length);
  if (!entries.length) location.reload();
  else find("waiting").textContent += ` ${entries[0].error ?? ""}`;
}

async function remove() {
  const { error } = await ask("remove", { serverId: known.server.id, itemId: item.id, tabId });
  if (error) return display("The page was not removed.", "bad", error);
  [item, known.item, known.note] = [null, null, null];
  find("item").hidden = find("read").hidden = find("remove").hidden = true;
  display("Removed from your library.", "", "Highlights and notes of the page are kept.");
  displayActions("Save this page", true);
  find("save").focus();
}

const openSettings = () => chrome.runtime.openOptionsPage().then(() => window.close());
const clicks = { settings: openSettings, choose: openSettings, save, remove, pick, whole: watchWhole, find: findFeeds, send: sendWaiting };
for (const [id, action] of Object.entries(clicks)) find(id).addEventListener("click", () => void action());
find("tag").addEventListener("input", () => (find("tag").value.includes(",") ? addTags(find("tag").value) : void suggest()));
find("tag").addEventListener("keydown", (event) => {
  if (event.key === "Enter") addTags(find("tag").value);
  if (event.key === "Backspace" && !find("tag").value && tags.length) void setTags(tags.slice(0, -1));
});
find("status").addEventListener("change", () => void change({ changes: { status: find("status").value } }));
find("copies").addEventListener("change", () => void chooseCopies());
find("note").addEventListener("input", noteChanged);
find("note").addEventListener("blur", () => void sendNote());
addEventListener("pagehide", () => void sendNote());
find("watching").addEventListener("toggle", () => find("watching").open && void displayIntervals());
find("server").addEventListener("change", async () => {
  await ask("activate", { id: find("server").value });
  location.reload();
});

await open();
