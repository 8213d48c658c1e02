// The settings page: servers, when to save, and waiting saves.
import { ask, find, make } from "./lib/elements.js";
import { originOf, patternOf } from "./lib/servers.js";

const EVERYWHERE = { origins: ["http://*/*", "https://*/*"] };

/// True if the browser granted the permission for sign-ins at the installation, as Firefox does. Chrome and Edge grant it
/// without a question when the person signs in.
const CAN_SIGN_IN = chrome.runtime.getManifest().permissions.includes("identity");

function report(text, kind = "") {
  Object.assign(find("result"), { textContent: text, className: kind });
}

// Servers

async function displayServers() {
  const { servers = [], activeId } = await ask("servers");
  find("none").hidden = servers.length > 0;
  find("servers").replaceChildren(...servers.map((server) => {
    const isActive = server.id === activeId;
    const use = make("button", { type: "button", hidden: isActive }, "Use this server");
    use.addEventListener("click", () => ask("activate", { id: server.id }).then(displayServers));
    const out = make("button", { type: "button" }, "Sign out");
    out.setAttribute("aria-label", `Sign out of ${server.name}`);
    out.addEventListener("click", () => ask("signOut", { id: server.id }).then(displayServers));
    const how = server.kind === "key" ? "signed in with an API key" : "signed in";
    const words = make("p", {}, make("strong", {}, server.name), ` ${how}${isActive ? ", used for new saves" : ""}`);
    const row = make("div", { className: "row" }, use, out);
    const danger = server.origin.startsWith("http:") && !/\/\/(localhost|127\.|\[::1\])/.test(server.origin);
    const warning = danger ? [make("p", { className: "small warn" }, "This connection is not encrypted: others in the network can read it.")] : [];
    return make("div", { className: "entry" }, words, ...warning, row);
  }));
}

async function add(event) {
  event.preventDefault();
  const isKey = event.submitter?.id === "usekey" || document.activeElement === find("key");
  const key = isKey ? find("key").value.trim() : undefined;
  const origin = originOf(find("address").value);
  if (!origin) return report("This is not an address. It looks like https://carrel.example.org.", "bad");
  if (isKey && !key) return report("Paste an API key first.", "bad");
  // The browser asks for the permission only directly after the click.
  const permissions = isKey || CAN_SIGN_IN ? [] : ["identity"];
  const isAllowed = await chrome.permissions.request({ origins: [patternOf(origin)], permissions }).catch(() => false);
  if (!isAllowed) return report(`Without your permission the extension cannot send requests to ${origin}.`, "bad");
  report(isKey ? "Checking the key…" : "Sign in at your server, in the window that opens.");
  const { error, name } = await ask("signIn", { origin, key });
  if (error) return report(error, "bad");
  find("key").value = find("address").value = "";
  report(`You are signed in to ${name}. Open a page and press the icon of Carrel, or Alt+Shift+S.`, "good");
  await displayServers();
}

// Saving

async function displaySettings() {
  const { savesOnClick = true } = await chrome.storage.local.get("savesOnClick");
  find("savesonclick").checked = savesOnClick;
  find("everywhere").checked = await chrome.permissions.contains(EVERYWHERE);
}

async function setEverywhere() {
  if (find("everywhere").checked) await chrome.permissions.request(EVERYWHERE).catch(() => false);
  else await chrome.permissions.remove(EVERYWHERE).catch(() => false);
  await displaySettings();
}

// Waiting saves

function displayWaiting(entries) {
  find("nothing").hidden = entries.length > 0;
  find("send").hidden = entries.length === 0;
  find("waiting").replaceChildren(...entries.map(({ id, at, url, error, isRefused, isChange, server }) => {
    const discard = make("button", { type: "button" }, "Discard");
    discard.setAttribute("aria-label", `Discard ${url}`);
    discard.addEventListener("click", async () => displayWaiting(await ask("discard", { id })));
    const words = make("p", {}, make("strong", {}, isChange ? "Change of " : "", url ?? ""), ` for ${server}, ${new Date(at).toLocaleString()}`);
    const reason = make("p", { className: `small ${isRefused ? "bad" : "warn"}` }, error ?? "Is being sent.");
    return make("li", { className: "entry" }, words, reason, discard);
  }));
}

find("add").addEventListener("submit", (event) => void add(event));
find("savesonclick").addEventListener("change", () => chrome.storage.local.set({ savesOnClick: find("savesonclick").checked }));
find("everywhere").addEventListener("change", () => void setEverywhere());
find("send").addEventListener("click", async () => displayWaiting(await ask("send")));

await displayServers();
await displaySettings();
displayWaiting(await ask("waiting"));
