// The extension in a real Chromium, from sign-in to a watched page. Run by `run`. The debugging protocol triggers the
// action of the extension, like a click on its icon. Headless Chromium cannot ask for the permission to send requests
// to the server, so the manifest of a copy grants it.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGES, start } from "./extension_site.mjs";
process.env.PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS = "1";
const { chromium } = await import("playwright-core");

const { SERVICE, KEY, EMAIL, PASSWORD, PICTURES, CHROMIUM, EXTENSION, AXE } = process.env;
const axe = AXE ? readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8") : "";
console.log("the extension");
const site = await start();
const folder = mkdtempSync(join(tmpdir(), "carrel-extension-"));
const step = (text) => console.log(`  ${text}`);
let pictures = 0;
const faults = [];

/// Takes a screenshot of a page of the extension and, with AXE, checks it.
async function pictureOf(page, name) {
  await page.screenshot({ path: `${PICTURES}/extension-${String(++pictures).padStart(2, "0")}-${name}.png` });
  if (!AXE || !page.url().startsWith("chrome-extension:")) return;
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const one of violations) faults.push(`${name}: ${one.id}, ${one.nodes.map(({ target }) => target).join(" ")}`);
}

async function until(what, probe) {
  for (let round = 0; round < 160; round++) {
    const value = await probe();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  for (const [at, open] of context.pages().entries()) await open.screenshot({ path: `${PICTURES}/extension-failed-${at}.png` }).catch(() => {});
  throw new Error(`it did not happen: ${what}`);
}

async function api(path, options = {}) {
  const response = await fetch(SERVICE + path, { ...options, headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" } });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.status === 204 ? null : response.json();
}

const itemOf = async (url) => (await api(`/v1/library/items?limit=1&query=${encodeURIComponent(url)}`)).items[0];
const htmlOf = async ({ id }) => (await fetch(`${SERVICE}/v1/library/items/${id}/content?format=html`, { headers: { Authorization: `Bearer ${KEY}` } })).text();

/// Text of an item with the captions of its pictures, which the plain format omits.
const textOf = async (item) => (await htmlOf(item)).replace(/<[^>]*>/g, "").replaceAll("&amp;", "&");

// The browser

cpSync(EXTENSION, `${folder}/extension`, { recursive: true });
const manifest = JSON.parse(readFileSync(`${folder}/extension/manifest.json`, "utf8"));
assert.deepEqual(manifest.permissions.toSorted(), ["activeTab", "contextMenus", "scripting", "storage"]);
assert.deepEqual(manifest.optional_permissions, ["identity"], "which is needed for the sign-in only");
assert.equal(manifest.host_permissions, undefined, "no site may be read without a click");
writeFileSync(`${folder}/extension/manifest.json`, JSON.stringify({ ...manifest, host_permissions: ["http://localhost/*"] }));

const context = await chromium.launchPersistentContext(`${folder}/profile`, {
  executablePath: CHROMIUM,
  headless: false,
  viewport: { width: 1000, height: 760 },
  ignoreDefaultArgs: ["--disable-extensions"],
  args: [
    "--headless=new", "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--enable-unsafe-extension-debugging", `--load-extension=${folder}/extension`, `--disable-extensions-except=${folder}/extension`,
  ],
});
context.setDefaultTimeout(15_000);
const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
const id = new URL(worker.url()).host;
const sent = [];
context.on("request", (request) => request.serviceWorker() && sent.push(request.url()));
const complaints = [];
context.on("weberror", (error) => error.page()?.url().startsWith("chrome-extension") && complaints.push(String(error.error())));
context.on("console", (message) => message.type() === "error" && message.page()?.url().startsWith("chrome-extension") && complaints.push(message.text()));
const browser = await context.browser().newBrowserCDPSession();

const tabs = () => worker.evaluate(() => chrome.tabs.query({}));
const tabOf = async (page) => (await tabs()).find(({ url, pendingUrl }) => (url || pendingUrl) === page.url()) ?? (await worker.evaluate(async () => (await chrome.tabs.query({ active: true }))[0]));
const badgeOf = ({ id: tabId }) => worker.evaluate((tab) => chrome.action.getBadgeText({ tabId: tab }), tabId);

/// Clicks the icon of the extension on a page. The popup opens and, by default, saves the page.
async function click(page) {
  await page.bringToFront();
  const { targetInfos } = await browser.send("Target.getTargets", { filter: [{ type: "tab" }] });
  const { targetId } = targetInfos.find(({ url }) => url === page.url());
  await browser.send("Extensions.triggerAction", { id, targetId }).catch((error) => {
    throw new Error(`this Chromium cannot click the icon of an extension; 148 can (${error.message})`);
  });
  return tabOf(page);
}

/// Closes the popup of the last click, and opens the popup of a tab as a page that the test can use.
async function popupOf(tab, scheme = "light") {
  const page = await context.newPage();
  await page.setViewportSize({ width: 384, height: 620 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(`chrome-extension://${id}/popup.html?tab=${tab.id}`);
  await page.waitForFunction(() => !/^(Asking|Saving)/.test(document.getElementById("state").textContent));
  return page;
}

const stateOf = (popup) => popup.textContent("#state");
const fired = (event, ...values) => worker.evaluate(([name, given]) => {
  const [area, listener] = name.split(".");
  chrome[area][listener].dispatch(...given);
}, [event, values]);

// Sign-in

step("sign in by OAuth");
const settings = await until("the settings open", () => context.pages().find((page) => page.url().endsWith("/options.html")));
await settings.fill("#address", `${SERVICE}/`);
await pictureOf(settings, "settings");
await settings.click("#signin");
const signIn = await until("the sign-in opens", () => context.pages().find((page) => page.url().startsWith(SERVICE)));
await signIn.fill("#email", EMAIL);
await signIn.fill("#password", PASSWORD);
await signIn.getByRole("button", { name: "Sign in", exact: true }).click();
await signIn.locator("#allow").waitFor();
await pictureOf(signIn, "consent");
assert.ok((await signIn.content()).includes(`${id}.chromiumapp.org`), "the consent page names the redirect address");
await signIn.locator("#allow").click();
await settings.getByText("You are signed in to").waitFor();
await pictureOf(settings, "signed-in");
const stored = await worker.evaluate(() => chrome.storage.local.get("servers"));
assert.equal(stored.servers[0].credential.kind, "oauth");
const isOpen = await worker.evaluate(() => chrome.permissions.getAll());
assert.deepEqual(isOpen.origins, ["http://localhost/*"], "no other host is allowed");

// The ten pages

let right = 0;
const page = await context.newPage();
for (const [path, { title, seen, unseen, select, mark, quote, pictures: expectedPictures = [] }] of Object.entries(PAGES)) {
  const url = site.origin + path;
  if (path === "/members") await context.addCookies([{ name: "session", value: "ada", url: site.origin }]);
  await page.goto(url);
  if (select) await page.evaluate((selector) => getSelection().selectAllChildren(document.querySelector(selector)), select);
  if (mark) await page.getByText(mark).click({ clickCount: 3 });
  const tab = await click(page);
  const item = await until(`${title} is saved`, () => itemOf(url));
  await until(`${title} is marked`, async () => (await badgeOf(tab)) === "✓");
  const text = (await textOf(item)).replace(/\s+/g, " ");
  const wrong = [
    ...seen.filter((words) => !text.includes(words)).map((words) => `missing: ${words}`),
    ...unseen.filter((words) => text.includes(words)).map((words) => `not seen by the person: ${words}`),
  ];
  const html = expectedPictures.length ? await htmlOf(item) : "";
  wrong.push(...expectedPictures.filter((source) => !html.includes(source)).map((source) => `picture missing: ${source}`));
  if (item.captureMethod !== "extension") wrong.push(`captured by ${item.captureMethod}`);
  if (quote) {
    const { highlights } = await until("the highlight comes", async () => {
      const answer = await api(`/v1/library/highlights?itemId=${item.id}`);
      return answer.highlights.length && answer;
    });
    if (!quote.test(highlights[0].quote) || highlights[0].anchorStatus !== "exact") wrong.push(`highlight: ${JSON.stringify(highlights[0])}`);
  }
  right += wrong.length ? 0 : 1;
  step(`save ${title}: ${wrong.length ? wrong.join("; ") : "right"}`);
}
const served = site.requests.filter(({ path, agent }) => PAGES[path] && !/Chrome/.test(agent));
assert.deepEqual(served, [], "the server did not fetch what the person saw");
assert.equal(right, 10, "10 of 10 pages have the text that the person saw");

// The popup

step("tags, status, and note by keyboard");
await page.goto(`${site.origin}/members`);
let tab = await click(page);
let popup = await popupOf(tab);
assert.match(await stateOf(popup), /In your library since/);
await pictureOf(popup, "popup-saved");
await popup.focus("#tag");
await popup.keyboard.type("harbour");
await popup.keyboard.press("Enter");
await popup.getByText("Saved.", { exact: true }).waitFor();
await popup.keyboard.type("boats,");
await until("the tags are stored", async () => (await itemOf(page.url())).tags.length === 2);
await popup.keyboard.press("Tab");
await popup.focus("#status");
await popup.keyboard.type("Later");
await popup.focus("#note");
await popup.keyboard.type("Ask for the heron.");
await popup.keyboard.press("Tab");
const members = await until("the status is stored", async () => {
  const result = await itemOf(page.url());
  return result.status === "later" && result;
});
assert.deepEqual(members.tags.toSorted(), ["boats", "harbour"]);
await until("the note is stored", async () => (await api(`/v1/library/notes?itemId=${members.id}`)).notes[0]?.text === "Ask for the heron.");
await pictureOf(popup, "popup-edited");
await popup.close();

step("suggested tags");
await page.goto(`${site.origin}/long`);
tab = await click(page);
popup = await popupOf(tab, "dark");
await popup.focus("#tag");
await popup.keyboard.type("har");
await popup.getByRole("button", { name: "Add the tag harbour" }).waitFor();
await pictureOf(popup, "popup-suggestion-dark");
await popup.keyboard.press("Tab");
await popup.keyboard.press("Enter");
await until("the suggested tag is stored", async () => (await itemOf(page.url())).tags.includes("harbour"));
assert.ok(await popup.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the popup is not wider than its window");
await popup.close();

step("the displayed page replaces the fetched page");
const again = `${site.origin}/members?again=1`;
await api("/v1/library/items", { method: "POST", body: JSON.stringify({ url: again }) });
const fetched = await until("the server has a text", async () => {
  const result = await itemOf(again);
  return ["ready", "failed"].includes(result.articleStatus) && result;
});
assert.ok(!(await textOf(fetched)).includes("heron"), "the server cannot see the page");
await page.goto(again);
tab = await click(page);
popup = await popupOf(tab);
await popup.click("#save");
await popup.getByText("Saved again.").waitFor();
assert.ok((await textOf(fetched)).includes("boathouse is heron"));
await popup.close();

step("a page that is saved under its canonical address");
await worker.evaluate(() => chrome.storage.local.set({ savesOnClick: false }));
await page.goto(`${site.origin}/canonical`);
tab = await click(page);
popup = await popupOf(tab);
assert.match(await popup.textContent("#detail"), /Under another address: .*\/members/);
await popup.close();

step("remove a page");
await page.goto(`${site.origin}/drawing`);
tab = await click(page);
popup = await popupOf(tab);
await popup.click("#remove");
await popup.getByText("Removed from your library.").waitFor();
assert.equal(await itemOf(page.url()), undefined);
await popup.close();

step("a copy of a page, with its shadow root and pictures");
await page.goto(`${site.origin}/copy`);
await page.fill("#password", "heron");
tab = await click(page);
popup = await popupOf(tab);
await popup.check("#copies");
await popup.click("#save");
await popup.getByText(/^A copy of [\d,.]+ KB is stored/).waitFor();
await pictureOf(popup, "popup-copy");
assert.match(await popup.textContent("#copied"), /Left out: 1 picture\./, "the picture that the site does not let the page read");
const copied = await itemOf(page.url());
const copyOf = async ({ id: itemId }) => (await api(`/v1/library/items/${itemId}/copies`)).copies.find(({ format }) => format === "html");
const copyText = async ({ id: itemId }) => (await fetch(`${SERVICE}/v1/library/items/${itemId}/copies/html`, { headers: { Authorization: `Bearer ${KEY}` } })).text();
const copy = await copyText(copied);
assert.match(copy, /<img [^>]*src="data:image\/png;base64,/);
for (const part of ["The open root keeps the log.", "The closed root keeps the key.", "rgb(1, 2, 3)"]) assert.ok(copy.includes(part), part);
for (const part of ["<script", "onload", "heron", "http-equiv=\"refresh\""]) assert.ok(!copy.includes(part), part);
const earlierCopy = await copyOf(copied);
await popup.uncheck("#copies");
await page.evaluate(() => document.querySelector("h1").append(" at dusk"));
await popup.check("#copies");
await until("the copy is replaced", async () => (await copyOf(copied)).checksum !== earlierCopy.checksum);
assert.ok((await copyText(copied)).includes("A page to keep at dusk"), "a saved page gets its copy at once");
await popup.uncheck("#copies");
await popup.close();
const opened = await context.newPage();
await opened.goto(`${SERVICE}/library/${copied.id}/copies/html`);
await opened.getByText("The closed root keeps the key.").waitFor();
assert.equal(await opened.title(), "A page to keep", "no script ran");
await pictureOf(opened, "copy");
await opened.close();

step("a selection is saved as a highlight by the popup");
await page.evaluate(() => getSelection().selectAllChildren(document.querySelector("#mark")));
tab = await click(page);
popup = await popupOf(tab);
assert.equal(await popup.textContent("#save"), "Save with highlight (7 words)");
await pictureOf(popup, "popup-highlight");
await popup.click("#save");
await popup.getByText("Saved again.").waitFor();
assert.equal((await api(`/v1/library/highlights?itemId=${copied.id}`)).highlights[0].quote, "The boats are counted in the evening.");
await popup.close();

step("follow the feed of a page");
await page.goto(`${site.origin}/shop`);
tab = await click(page);
popup = await popupOf(tab);
assert.equal(await stateOf(popup), "Not in your library.");
await popup.click("#feeding summary");
await popup.getByRole("button", { name: "Follow Harbour notes" }).click();
await popup.getByText("You follow “Harbour notes” now.").waitFor();
await pictureOf(popup, "popup-feed");
assert.equal((await api("/v1/rss/subscriptions")).subscriptions[0].feedUrl, `${site.origin}/feed.xml`);

step("watch a part, picked by pointer");
await popup.click("#watching summary");
await popup.waitForFunction(() => document.querySelectorAll("#interval option").length > 0);
await popup.fill("#name", "Price of the lamp");
await pictureOf(popup, "popup-watch");
await Promise.all([popup.waitForEvent("close"), popup.click("#pick")]);
await page.bringToFront();
await page.hover(".price");
await pictureOf(page, "picker-hover");
await page.click(".price");
await until("the server reads the part", async () => /49/.test((await barOf(page)).text));
await pictureOf(page, "picker-preview");
await page.keyboard.press("Enter");
const monitors = await until("the monitor is created", async () => {
  const answer = await api("/v1/monitors");
  return answer.monitors.length && answer.monitors;
});
assert.deepEqual([monitors[0].name, monitors[0].selector, monitors[0].targetUrl], ["Price of the lamp", "p.price", `${site.origin}/shop`]);
await until("the picker says so", async () => /is watched/.test((await barOf(page)).text));
await pictureOf(page, "picker-watched");
await page.keyboard.press("Escape");
assert.equal(await page.locator("[data-carrel-picker]").count(), 0, "Escape closes the picker");

step("watch a part, picked by keyboard");
popup = await popupOf(tab);
await popup.click("#watching summary");
await popup.waitForFunction(() => document.querySelectorAll("#interval option").length > 0);
await page.emulateMedia({ colorScheme: "dark" });
await Promise.all([popup.waitForEvent("close"), popup.click("#pick")]);
await page.bringToFront();
for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
await pictureOf(page, "picker-keyboard");
await page.keyboard.press("Enter");
await until("the server reads the part", async () => /The server reads there/.test((await barOf(page)).text));
await page.keyboard.press("Enter");
await until("the picker says so again", async () => /is watched/.test((await barOf(page)).text));
assert.deepEqual((await api("/v1/monitors")).monitors.map(({ selector }) => selector).toSorted(), ["article > p:nth-of-type(2)", "p.price"]);
await page.keyboard.press("Escape");
await page.emulateMedia({ colorScheme: "light" });

/// Text of the picker's bar, which is in a closed shadow root.
async function barOf(target) {
  const session = await context.newCDPSession(target);
  const { root } = await session.send("DOM.getDocument", { depth: -1, pierce: true });
  await session.detach();
  const words = (node) => [node.nodeName === "#text" ? node.nodeValue : "", ...[...(node.children ?? []), ...(node.shadowRoots ?? [])].map(words)].join(" ");
  const search = (node) => (node.attributes?.includes("data-carrel-picker") ? node : [...(node.children ?? []), ...(node.shadowRoots ?? [])].map(search).find(Boolean));
  const host = search(root);
  return { text: host ? words(host) : "" };
}

// Without the popup

step("the shortcut saves");
await page.goto(`${site.origin}/inside`);
tab = await click(page);
await fired("commands.onCommand", "save-page", tab);
await until("the page is saved", () => itemOf(page.url()));

step("menus for a link, a picture, and a selection");
await page.goto(`${site.origin}/links`);
tab = await click(page);
await fired("contextMenus.onClicked", { menuItemId: "link", linkUrl: `${site.origin}/shop` }, tab);
await until("the link is saved", () => itemOf(`${site.origin}/shop`));
await fired("contextMenus.onClicked", { menuItemId: "picture", srcUrl: `${site.origin}/quay.png`, pageUrl: page.url() }, tab);
const picture = await until("the picture is saved", async () => {
  const result = await itemOf(`${site.origin}/quay.png`);
  return result?.asset && result;
});
assert.equal(picture.asset.mimeType, "image/png");
await page.evaluate(() => getSelection().selectAllChildren(document.querySelector("p")));
await fired("contextMenus.onClicked", { menuItemId: "selection", selectionText: "x", pageUrl: page.url() }, tab);
const links = await until("the selection is saved", () => itemOf(page.url()));
await until("with its highlight", async () => (await api(`/v1/library/highlights?itemId=${links.id}`)).highlights.length === 1);

step("a saved page is marked when it is opened again");
await page.reload();
await until("the mark comes", async () => (await badgeOf(await tabOf(page))) === "✓");

step("a text file, an endless page, and a frame of another site");
const saved = async (path) => {
  await page.goto(site.origin + path);
  tab = await click(page);
  popup = await popupOf(tab);
  await popup.click("#save");
  await popup.getByText(/^Saved/).first().waitFor({ timeout: 30_000 });
  const warnings = await popup.textContent("#warnings");
  await popup.close();
  return { item: await itemOf(page.url()), warnings };
};
const file = await saved("/notes.txt");
assert.equal(file.item.asset.fileName, "notes.txt");
assert.match((await saved("/endless")).warnings, /longer than 2,000,000 characters/);
const { item: outer, warnings: foreign } = await saved("/other");
assert.match(foreign, /A part of the page comes from localhost/);
assert.ok((await textOf(outer)).includes("Around the frame, part 5"));

step("an expired token is replaced a single time, and an ended sign-in is reported");
const credentials = async () => (await worker.evaluate(() => chrome.storage.local.get("servers"))).servers[0].credential;
const before = await credentials();
const setToken = (change) => worker.evaluate(async (given) => {
  const { servers } = await chrome.storage.local.get("servers");
  Object.assign(servers[0].credential, given);
  await chrome.storage.local.set({ servers });
}, change);
await setToken({ expiresAt: 0 });
const [one, other] = [await popupOf(tab), await popupOf(tab)];
assert.match(await stateOf(one), /In your library/);
assert.match(await stateOf(other), /In your library/);
const renewed = await credentials();
assert.notEqual(renewed.access, before.access);
await setToken({ access: "wrong" });
await other.reload();
await other.getByText(/In your library/).waitFor();
const latest = await credentials();
await setToken({ access: "wrong", refresh: "wrong" });
await one.reload();
await one.getByText("Sign in again.", { exact: true }).waitFor();
await pictureOf(one, "popup-ended");
await setToken(latest);
await one.close();
await other.close();

// A second server, which is sometimes unreachable

step("a second server, by API key");
const proxy = await startProxy(new URL(SERVICE).port);
await settings.bringToFront();
await settings.fill("#address", proxy.origin);
await settings.click("#withkey summary");
await settings.fill("#key", "svc_wrong");
await settings.click("#usekey");
await settings.locator("#result.bad").waitFor();
await settings.fill("#key", KEY);
await settings.click("#usekey");
await settings.getByText(`You are signed in to ${new URL(proxy.origin).host}`).waitFor();
await pictureOf(settings, "two-servers");

step("a save without a network waits and is sent later, with its copy");
await worker.evaluate(() => chrome.storage.local.set({ keepsCopies: true }));
proxy.stop();
await page.goto(`${site.origin}/drawing`);
tab = await click(page);
await fired("commands.onCommand", "save-page", tab);
await until("the save waits", async () => (await badgeOf(tab)) === "↑");
await fired("commands.onCommand", "save-page", tab);
await until("the save waits again", async () => (await badgeOf(tab)) === "↑");
// The address alone does not replace the page.
await fired("contextMenus.onClicked", { menuItemId: "link", linkUrl: page.url() }, tab);
await until("the link waits", async () => (await badgeOf(tab)) === "↑");
await settings.reload();
await until("one save waits, not three", async () => (await settings.locator("#waiting li").count()) === 1);
await page.bringToFront();
popup = await popupOf(tab);
assert.match(await stateOf(popup), /Saved in this browser/);
await popup.fill("#tag", "offline");
await popup.press("#tag", "Enter");
await popup.getByText("Saved in this browser. It is sent later.").waitFor();
await pictureOf(popup, "popup-waiting");
const earlier = await popupOf(tab);
await popup.selectOption("#status", "archive");
await popup.fill("#note", "Fourteen boats.");
await popup.press("#note", "Tab");
await until("status and note wait", async () => (await popup.textContent("#changed")) === "Saved in this browser. It is sent later.");
assert.equal(await itemOf(page.url()), undefined);
await settings.reload();
await pictureOf(settings, "waiting");
await proxy.begin();
await popup.click("#send");
const late = await until("the save is sent", () => itemOf(page.url()));
assert.ok((await textOf(late)).includes("Monday fourteen boats"));
assert.deepEqual(late.tags, ["offline"]);
await until("the copy is sent", async () => (await copyOf(late))?.state === "ready");
assert.ok((await copyText(late)).includes("<svg"), "a copy has drawings, which the text of an item has not");
await worker.evaluate(() => chrome.storage.local.set({ keepsCopies: false }));
await until("status and note are sent", async () => {
  const { notes } = await api(`/v1/library/notes?itemId=${late.id}`);
  return notes[0]?.text === "Fourteen boats." && (await itemOf(page.url())).status === "archive";
});
await popup.close();
// A popup that was opened while the save was waiting changes the saved item.
for (const tag of ["one", "two"]) {
  await earlier.fill("#tag", tag);
  await earlier.press("#tag", "Enter");
  await earlier.getByText("Saved.", { exact: true }).waitFor();
  await until("the tag is stored", async () => (await itemOf(page.url())).tags.includes(tag));
}
assert.deepEqual((await itemOf(page.url())).tags.toSorted(), ["offline", "one", "two"]);
await earlier.close();
await settings.reload();
await settings.getByText("Nothing waits to be sent.").waitFor();

step("dark settings at 360 pixels");
await settings.setViewportSize({ width: 360, height: 740 });
await settings.emulateMedia({ colorScheme: "dark" });
await settings.reload();
await settings.getByText("Nothing waits to be sent.").waitFor();
assert.ok(await settings.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the settings fit");
await pictureOf(settings, "settings-dark");

step("sign-out revokes the access");
await settings.getByRole("button", { name: /Sign out of localhost/ }).first().click();
await until("one server is left", async () => (await worker.evaluate(() => chrome.storage.local.get("servers"))).servers.length === 1);

const strangers = sent.filter((url) => ![SERVICE, proxy.origin, `chrome-extension://${id}`].some((origin) => url.startsWith(origin)));
assert.deepEqual([...new Set(strangers)], [], "nothing is sent but to the chosen servers");
assert.ok(sent.some((url) => url.startsWith(`${SERVICE}/v1/library/items`)), "requests of the extension are seen");
assert.deepEqual(faults, [], "axe-core finds nothing");
assert.deepEqual(complaints, [], "no page of the extension complains");
proxy.stop();
site.close();
await context.close();
rmSync(folder, { recursive: true, force: true });
console.log(`  ${right} of 10 pages right, ${sent.length} requests, all to the chosen servers`);
process.exit(0);

/// Forwards connections to the service. If it is stopped, the server is unreachable.
async function startProxy(port) {
  const open = new Set();
  const server = createServer((inbound) => {
    const outbound = createConnection(Number(port), "127.0.0.1");
    for (const [one, other] of [[inbound, outbound], [outbound, inbound]]) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => open.delete(one));
    }
  });
  let at = 0;
  const begin = () => new Promise((resolve) => server.listen(at, "127.0.0.1", resolve));
  await begin();
  at = server.address().port;
  const stop = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { origin: `http://localhost:${at}`, begin, stop };
}
