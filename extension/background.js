// The background script: saves by shortcut and menu, and carries out the commands of popup, settings, and picker. Only
// this script sends requests, so that a token is refreshed once and a save outlives its popup.
import * as addresses from "./lib/addresses.js";
import { call } from "./lib/api.js";
import * as badge from "./lib/badge.js";
import { revoke, signIn } from "./lib/oauth.js";
import * as pages from "./lib/pages.js";
import * as queue from "./lib/queue.js";
import * as saves from "./lib/saves.js";
import * as servers from "./lib/servers.js";

/// Maximum length of a query of the item list. Longer addresses are looked up in this browser's list.
const QUERY_CHARACTERS = 500;
const SUGGESTIONS = 30;
const NO_FILE = "The browser could not read the file, or it is larger than 25 MB: the server fetches its address.";

class NotSignedIn extends Error {
  constructor() {
    super("Choose a server first.");
  }
}

async function activeServer() {
  const server = await servers.active();
  if (!server) throw new NotSignedIn();
  return server;
}

/// Returns the data of a server that the popup and the settings receive, without its credential.
const visible = ({ id, origin, name, credential }) => ({ id, origin, name, kind: credential.kind });

// Saving

/// True if the person wants copies of the pages that are saved.
async function keepsCopies() {
  return (await chrome.storage.local.get("keepsCopies")).keepsCopies ?? false;
}

/// Adds the copy of the page to the entry, or the reason why there is none.
async function withCopy(tabId, page) {
  if (!(await keepsCopies())) return page;
  try {
    return { ...page, copy: await pages.snapshot(tabId) };
  } catch (error) {
    return { ...page, warnings: [...page.warnings, `No copy of the page was made: ${error.message}`] };
  }
}

/// Builds the entry of a page: as it is displayed, or its address alone if the browser does not let extensions read it.
async function entryOfTab(server, tab) {
  let page;
  try {
    page = await pages.capture(tab.id);
  } catch (error) {
    if (!addresses.isWeb(tab.url)) throw error;
    const warnings = ["The browser does not let extensions read this page: the server fetches its address."];
    return saves.newEntry(server, { url: addresses.plain(tab.url), title: tab.title, warnings });
  }
  if (!addresses.isWeb(page.url)) throw new Error("Only pages with an address that begins with http or https can be saved.");
  const url = addresses.plain(page.url);
  if (!/html|xml/.test(page.contentType) || page.contentType.startsWith("image/")) {
    const file = await pages.readFile(tab.id, page.url);
    return saves.newEntry(server, { url, file, warnings: file ? [] : [NO_FILE] });
  }
  const { html: content, highlight, warnings } = page;
  return saves.newEntry(server, { url, ...(await withCopy(tab.id, { content, highlight, warnings })) });
}

async function save(tab, build) {
  await badge.mark(tab.id, "busy");
  try {
    const server = await activeServer();
    const result = await saves.submit(await build(server));
    await badge.mark(tab.id, result.state, result.message ?? result.warnings?.[0]);
    return result;
  } catch (error) {
    await badge.mark(tab.id, "failed", error.message);
    throw error;
  } finally {
    await badge.displayWaiting();
  }
}

const saveTab = (tab) => save(tab, (server) => entryOfTab(server, tab));

async function entryOfPicture(server, tab, { srcUrl, pageUrl }) {
  const file = await pages.readFile(tab.id, srcUrl).catch(() => null);
  if (!file && !addresses.isWeb(srcUrl)) throw new Error("The site does not let the picture be saved.");
  const url = addresses.isWeb(srcUrl) ? addresses.plain(srcUrl) : `${addresses.plain(pageUrl)}#!picture=${Date.now()}`;
  return saves.newEntry(server, { url, file, warnings: file ? [] : [NO_FILE] });
}

// A save without a popup opens the settings if there is no server yet.
async function saveQuietly(saving) {
  try {
    await saving();
  } catch (error) {
    if (error instanceof NotSignedIn) await chrome.runtime.openOptionsPage();
  }
}

const MENU = {
  page: { title: "Save this page to Carrel", contexts: ["page", "frame"], save: (tab) => saveTab(tab) },
  selection: { title: "Save this page with the selection as a highlight", contexts: ["selection"], save: (tab) => saveTab(tab) },
  link: {
    title: "Save this link to Carrel",
    contexts: ["link"],
    save: (tab, { linkUrl }) => save(tab, (server) => saves.newEntry(server, { url: addresses.plain(linkUrl) })),
  },
  picture: {
    title: "Save this picture to Carrel",
    contexts: ["image"],
    save: (tab, info) => save(tab, (server) => entryOfPicture(server, tab, info)),
  },
};

async function createMenu() {
  await chrome.contextMenus.removeAll();
  for (const [id, { title, contexts }] of Object.entries(MENU)) {
    const links = id === "link" ? { targetUrlPatterns: ["http://*/*", "https://*/*"] } : {};
    chrome.contextMenus.create({ id, title, contexts, ...links });
  }
}

// Commands of the popup

async function itemOf(server, address) {
  if (!addresses.isWeb(address)) return null;
  if (address.length > QUERY_CHARACTERS) {
    const itemId = await addresses.itemIdOf(server, address);
    return itemId ? (await call(server, "GET", `/v1/library/items/${itemId}`)).item : null;
  }
  const { items } = await call(server, "GET", "/v1/library/items", { query: { query: addresses.plain(address), limit: 1 } });
  return items[0] ?? null;
}

/// Finds the item of a page by its address, or else by the canonical address that the page declares.
async function lookUp(server, { url, canonical }) {
  const item = await itemOf(server, url);
  if (item) return { item };
  const isOther = canonical && addresses.keyOf(canonical) !== addresses.keyOf(url);
  const other = isOther ? await itemOf(server, canonical) : null;
  return other ? { item: other, canonical } : {};
}

async function describeTab(tabId) {
  const tab = await chrome.tabs.get(tabId);
  try {
    return { ...(await pages.describe(tabId)), isReadable: true };
  } catch {
    return { url: tab.url ?? null, title: tab.title ?? "", canonical: null, feeds: [], selection: "", isReadable: false };
  }
}

async function noteOf(server, itemId) {
  const { notes } = await call(server, "GET", "/v1/library/notes", { query: { itemId, limit: 1 } });
  return notes[0] && !notes[0].truncated ? { id: notes[0].id, text: notes[0].text } : null;
}

const COMMANDS = {
  async open({ tabId }) {
    const [server, page, waiting] = [await servers.active(), await describeTab(tabId), await queue.all()];
    const { savesOnClick = true } = await chrome.storage.local.get("savesOnClick");
    const known = { page, savesOnClick, keepsCopies: await keepsCopies(), server: server && visible(server), servers: (await servers.list()).map(visible) };
    if (!server) return known;
    const key = page.url && addresses.keyOf(page.url);
    const entry = waiting.find(({ item, serverId }) => item && serverId === server.id && addresses.keyOf(item.url) === key);
    const { tags = [], status = "inbox" } = { ...entry?.item, ...entry?.changes };
    Object.assign(known, { waiting: waiting.length, entryId: entry?.id });
    if (entry) Object.assign(known, { entry: { tags, status, message: entry.error, isRefused: entry.isRefused }, note: entry.note });
    try {
      Object.assign(known, page.url ? await lookUp(server, page) : {});
      if (known.item) {
        known.note = await noteOf(server, known.item.id);
        await badge.mark(tabId, "known");
        // A page may declare the address of any other page.
        if (!known.canonical) await addresses.note(server, known.item.id, page.url);
      }
    } catch (error) {
      known.problem = { message: error.message, needsSignIn: error.needsSignIn ?? false };
    }
    void addresses.refresh(server);
    return known;
  },

  save: async ({ tabId }) => saveTab(await chrome.tabs.get(tabId)),

  async change({ serverId, entryId, itemId, url, changes, note, copy }) {
    const server = await servers.find(serverId);
    if (!server) throw new Error("The server of this page was removed.");
    // A save that waited may have been sent since the popup opened.
    const isSent = !itemId && !(entryId && (await queue.get(entryId)));
    const item = isSent ? await itemOf(server, url) : null;
    if (isSent && !item) throw new Error("The page is not in your library any more. Save it again.");
    const result = await saves.change({ server, entryId, itemId: itemId ?? item?.id, url, changes, note, copy });
    await badge.displayWaiting();
    return result;
  },

  /// Adds a copy of the page to an item that is already saved.
  async copy({ serverId, entryId, itemId, tabId, url }) {
    const copy = await pages.snapshot(tabId);
    if (addresses.keyOf(copy.url) !== addresses.keyOf(url)) throw new Error("The tab displays another page by now.");
    return COMMANDS.change({ serverId, entryId, itemId, url, copy });
  },

  async remove({ serverId, itemId, tabId }) {
    const server = await servers.find(serverId);
    await call(server, "DELETE", `/v1/library/items/${itemId}`);
    await addresses.note(server, itemId, null);
    await badge.mark(tabId, "none");
  },

  async tags({ prefix }) {
    const { tags } = await call(await activeServer(), "GET", "/v1/library/tags", { query: { prefix, limit: 1000 } });
    return tags.sort((one, other) => other.count - one.count).slice(0, SUGGESTIONS).map(({ name }) => name);
  },

  async feeds({ url }) {
    const { feeds } = await call(await activeServer(), "POST", "/v1/rss/discover", { body: { url } });
    return feeds.map(({ feedUrl, title }) => ({ url: feedUrl, title: title ?? "" }));
  },

  async follow({ url }) {
    const { subscription, alreadySubscribed } = await call(await activeServer(), "POST", "/v1/rss/subscriptions", { body: { url } });
    return { title: subscription.title, alreadySubscribed };
  },

  async limits() {
    const { limits } = await call(await activeServer(), "GET", "/v1/me");
    return { minimumMinutes: limits.webMonitorMinimumIntervalMinutes, remaining: limits.webMonitorsRemaining };
  },

  async pick({ tabId, settings }) {
    await pages.pick(tabId, settings);
  },

  async waiting() {
    const names = Object.fromEntries((await servers.list()).map(({ id, name }) => [id, name]));
    return (await queue.all()).map(({ id, at, item, url, error, isRefused, serverId }) => ({
      id, at, error, isRefused, url: item?.url ?? url, isChange: !item, server: names[serverId] ?? "removed server",
    }));
  },

  async send() {
    await saves.sendWaiting({ isForced: true });
    await badge.displayWaiting();
    return COMMANDS.waiting();
  },

  async discard({ id }) {
    await queue.remove(id);
    await badge.displayWaiting();
    return COMMANDS.waiting();
  },

  // Commands of the settings

  async servers() {
    const active = await servers.active();
    return { servers: (await servers.list()).map(visible), activeId: active?.id };
  },

  async signIn({ origin, key }) {
    const credential = key ? { kind: "key", key } : await signIn(origin);
    const draft = { id: "new", origin, credential };
    const { userId } = await call(draft, "GET", "/v1/me");
    const replaced = await servers.ofAccount({ origin, userId });
    const server = await servers.put({ origin, userId, name: new URL(origin).host, credential });
    if (replaced) await revoke(replaced);
    void addresses.refresh(server);
    void saves.sendWaiting({ isForced: true }).then(badge.displayWaiting);
    return visible(server);
  },

  async activate({ id }) {
    await servers.activate(id);
  },

  async signOut({ id }) {
    const server = await servers.find(id);
    if (!server) return;
    await revoke(server);
    await servers.remove(id);
    await addresses.forget(server);
    const isUsed = (await servers.list()).some(({ origin }) => servers.patternOf(origin) === servers.patternOf(server.origin));
    if (!isUsed) await chrome.permissions.remove({ origins: [servers.patternOf(server.origin)] }).catch(() => false);
  },
};

// Commands of the picker, which runs in a page: the address is that of its tab, never one from the message.
const PICKER_COMMANDS = {
  async previewWatch({ selector }, tab) {
    const body = { targetUrl: addresses.plain(tab.url), selector };
    const preview = await call(await activeServer(), "POST", "/v1/monitors/preview", { body });
    const lines = (preview.blocks ?? []).slice(0, 5).map(({ text }) => String(text ?? "").slice(0, 160));
    return { lines, total: preview.warnings.includes("selector_not_found") ? 0 : preview.total };
  },

  async watch({ selector, name, intervalMinutes }, tab) {
    const body = { name: name.slice(0, 120), targetUrl: addresses.plain(tab.url), intervalMinutes, ...(selector ? { selector } : {}) };
    const { monitor } = await call(await activeServer(), "POST", "/v1/monitors", { body });
    return { id: monitor?.id };
  },
};

async function answer(message, sender) {
  const isOwnPage = sender.url?.startsWith(chrome.runtime.getURL(""));
  if (Object.hasOwn(PICKER_COMMANDS, message.command)) {
    const tab = isOwnPage ? await tabOf(message.tabId) : { url: sender.tab?.url ?? sender.url };
    return (await PICKER_COMMANDS[message.command](message, tab)) ?? {};
  }
  if (!isOwnPage || !Object.hasOwn(COMMANDS, message.command)) throw new Error("This command is not allowed.");
  return (await COMMANDS[message.command](message)) ?? {};
}

async function tabOf(tabId) {
  return { url: (await pages.describe(tabId)).url };
}

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== chrome.runtime.id) return false;
  answer(message, sender).then(respond, (error) => respond({ error: error.message, needsServer: error instanceof NotSignedIn }));
  return true;
});

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === "save-page" && tab) void saveQuietly(() => saveTab(tab));
});

chrome.contextMenus.onClicked.addListener((info, tab) => {
  if (tab && MENU[info.menuItemId]) void saveQuietly(() => MENU[info.menuItemId].save(tab, info));
});

// Waiting entries are sent when the browser starts, when the network is back, and when a page is loaded.
const sendWaiting = () => void saves.sendWaiting().then(badge.displayWaiting);

chrome.runtime.onInstalled.addListener(({ reason }) => {
  void createMenu();
  if (reason === "install") void chrome.runtime.openOptionsPage();
});
chrome.runtime.onStartup.addListener(() => {
  void createMenu();
  sendWaiting();
});
self.addEventListener("online", sendWaiting);
chrome.tabs.onUpdated.addListener((tabId, { status }, tab) => {
  if (status !== "complete") return;
  void badge.update(tab);
  sendWaiting();
});
