// The mark on the icon: a page that is in the library, saves that wait, and the result of a save without a popup.
import * as addresses from "./addresses.js";
import * as queue from "./queue.js";
import * as servers from "./servers.js";

const MARKS = {
  known: { text: "✓", color: "#2c6a3f", title: "This page is in your library" },
  saved: { text: "✓", color: "#2c6a3f", title: "Saved" },
  busy: { text: "…", color: "#5e5850", title: "Saving" },
  waiting: { text: "↑", color: "#7d5200", title: "Saved in this browser. It is sent when the server can be reached." },
  failed: { text: "!", color: "#a3261b", title: "The page was not saved. Open Carrel for the reason." },
};

export async function mark(tabId, state, detail) {
  const { text, color, title } = MARKS[state] ?? { text: "", color: "#5e5850", title: "Save to Carrel" };
  // The tab may have been closed in the meantime.
  await Promise.allSettled([
    chrome.action.setBadgeText({ tabId, text }),
    chrome.action.setBadgeBackgroundColor({ tabId, color }),
    chrome.action.setBadgeTextColor({ tabId, color: "#ffffff" }),
    chrome.action.setTitle({ tabId, title: detail ?? title }),
  ]);
}

/// Marks a tab whose address the extension may see: the person used the extension there, or allowed all pages.
export async function update({ id, url }) {
  if (!addresses.isWeb(url)) return;
  const server = await servers.active();
  if (server && (await addresses.isKnown(server, url))) await mark(id, "known");
}

/// Displays the number of saves that wait on all tabs without a mark of their own.
export async function displayWaiting() {
  const count = (await queue.all()).length;
  await chrome.action.setBadgeText({ text: count ? String(count) : "" });
  await chrome.action.setBadgeBackgroundColor({ color: MARKS.waiting.color });
}
