// The path of a new user: first start, sign up, follow a feed, read, save, highlight, watch a price, and get a message
// by mail and webhook when it falls; then every page at both widths, in light and dark. Run by `run`, once with scripts
// and once without.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { launch } from "./browser.mjs";
import { pressKeys } from "./keys.mjs";
import { move } from "./move.mjs";
import { explainPassage } from "./passage.mjs";
import { highlightPicture, readGuide } from "./reading.mjs";
import { start } from "./site.mjs";
import { swipeRows } from "./swipe.mjs";

const { LETTERS, SCRIPTS } = process.env;
const withScripts = SCRIPTS === "on";
const site = await start();
const browser = await launch(SCRIPTS, withScripts);
const { page, open, picture, step, until, press, lookAt, end } = browser;

const letters = () =>
  ["new", "cur"].flatMap((folder) => readdirSync(`${LETTERS}/${folder}`).map((name) => readFileSync(`${LETTERS}/${folder}/${name}`, "utf8")));
// Quoted-printable: soft line breaks and escaped bytes.
const plain = (letter) => letter.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

console.log(`the story ${withScripts ? "with" : "without"} scripts`);

step("sign up");
await open("/");
await picture("home");
await open("/sign-up");
await page.fill("#email", "reader@example.org");
await page.fill("#password", "a lamp by the harbour wall");
await picture("sign-up");
await press("Create account");
await page.waitForURL(/settings\/plan/);
await picture("plan");

const isEntry = (href) => /^\/entries\/\d+/.test(href);

step("follow a feed");
await open("/subscriptions/new");
await page.fill("#url", `${site.origin}/`);
await press("Find feeds");
await picture("feeds-found");
await page.getByRole("button", { name: /Follow/ }).first().click();
const entries = await until("the entries come", async () => {
  await open("/entries");
  const links = await page.locator('main a[href^="/entries/"]').evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  return links.filter(isEntry).length >= 3 && links;
});
await picture("entries");
const entry = entries.find(isEntry).split("?")[0];

step("read an entry");
await open(entry);
await picture("entry");
const feedLinks = await page.locator('main a[href^="/subscriptions/"]').evaluateAll((all) => all.map((one) => one.getAttribute("href")));
const subscription = feedLinks.find((href) => /^\/subscriptions\/\d+$/.test(href));
assert.ok(subscription, "the entry links to its feed");
assert.match(await page.textContent("main"), /The ferry leaves the harbour at six/);

step("mark selected entries, undo it, and choose a density");
await open("/entries?show=all");
await page.locator('input[name="entry"]').last().check();
await page.locator('button[name="act"][value="read"]').click();
await page.waitForURL(/undo=unread/);
await picture("undo");
await press("Undo");
await page.waitForURL(/done=undone/);
await press("Magazine");
await page.locator("html[data-density=magazine]").waitFor();
await picture("magazine");
await press("Cosy");
await page.locator("html:not([data-density])").waitFor();

step("save a page and read it");
await open("/save");
await page.fill("#url", `${site.origin}/0`);
await page.fill("#tags", "harbour");
await press("Save");
await page.waitForURL(/\/library\/[0-9a-f-]{36}/);
const item = new URL(page.url()).pathname;
await until("the text comes", async () => {
  await open(item);
  return /The ferry leaves the harbour at six/.test(await page.textContent("main"));
});
await picture("item");

step("the text of a page begins near the top of a phone");
await page.setViewportSize({ width: 390, height: 844 });
await open(`/read?url=${encodeURIComponent(`${site.origin}/1`)}`);
const first = await page.locator(".prose > *").first().boundingBox();
assert.ok(first.y <= 260, `the first words stand at ${first.y}`);
await picture("reading-phone");
await page.locator(".bar summary", { hasText: "More" }).click();
assert.ok(await page.getByRole("link", { name: "Watch this page" }).isVisible(), "the menu opens");
await picture("reading-menu");
await page.locator(".bar summary", { hasText: "Aa" }).click();
await page.locator(".bar label", { hasText: "Sepia" }).click();
await press("Save settings");
await page.locator("html[data-theme=sepia] .prose").waitFor();
await picture("reading-sepia");
await page.setViewportSize({ width: 1200, height: 900 });
await open("/appearance");
await page.locator("label", { hasText: "Same as device" }).click();
await press("Save settings");
await page.waitForURL(/done=saved/);
await open(item);

step("highlight");
const words = "the keeper of the light writes down each of them";
if (withScripts) {
  await page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(wanted.slice(0, 20));
      if (at < 0 || node.parentElement.closest("form, textarea")) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(node.data.length, at + wanted.length));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.dispatchEvent(new Event("selectionchange"));
      document.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
      return;
    }
  }, words);
}
await page.locator("#quote").evaluate((box) => box.closest("details")?.setAttribute("open", "")).catch(() => {});
await page.locator("#quote").fill(words).catch(async () => {
  await page.locator("details:has(#quote) > summary").click();
  await page.locator("#quote").fill(words);
});
await press("Highlight");
await page.waitForURL(/\/library\//);
await open(item);
assert.match(await page.locator("main mark").first().textContent(), /keeper of the light/);
await picture("highlight");
await explainPassage(browser, item, withScripts);
const quotePage = await page.locator('main a[href$="/quote"]').first().getAttribute("href");
await open(quotePage);
if (withScripts) {
  // The picture has the colours of its background and its letters.
  const isWritten = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    for (let at = 0; at < data.length; at += 64) colors.add(data.slice(at, at + 3).join());
    return canvas.width === 1200 && canvas.height >= 630 && colors.size > 3;
  };
  assert.ok(await page.locator(".quote-picture canvas").evaluate(isWritten), "the quote is written in the picture");
  await press("Dark");
  assert.ok(await page.getByRole("button", { name: "Download picture" }).isVisible());
  await picture("quote-picture");
} else {
  assert.equal(await page.locator("canvas").count(), 0);
}
const guide = await readGuide(browser, site, withScripts);
const guideItem = await highlightPicture(browser, site, withScripts);
await open(item);

if (withScripts) {
  step("listen to a text");
  // Headless Chromium has no voice.
  const listenTo = async (path) => {
    await open(path);
    await page.evaluate(() => {
      window.utterances = [];
      SpeechSynthesis.prototype.speak = (utterance) => utterances.push(utterance);
    });
    await page.locator(".bar summary", { hasText: "More" }).click();
    await press("Listen");
  };
  const spoken = () => page.evaluate(() => window.utterances.at(-1).text);
  await listenTo(item);
  const begun = await spoken();
  await page.evaluate(() => window.utterances.at(-1).dispatchEvent(new Event("end")));
  const next = await spoken();
  assert.notEqual(next, begun, "the voice continues with the next sentence");
  assert.equal(await page.evaluate(() => [...CSS.highlights.get("spoken")].join("").replace(/\s/g, " ")), next, "the sentence is marked");
  await picture("listen");
  await page.locator("article.text p", { hasText: "part 5." }).click();
  assert.match(await spoken(), /part 5\./);
  await listenTo(item);
  assert.match(await spoken(), /part 5\./, "the position is stored");
  await press("Stop");
  assert.equal(await page.locator(".voice").count(), 0);

  step("the texts of a list are read one after another");
  const listening = await page.context().newPage();
  await listening.addInitScript(() => {
    window.utterances = [];
    SpeechSynthesis.prototype.speak = (utterance) => utterances.push(utterance);
  });
  await listening.goto(new URL("/entries?show=all", page.url()).href);
  await listening.getByRole("button", { name: "Listen to all" }).click();
  await listening.waitForURL(/\/entries\/\d+/);
  const firstText = listening.url();
  await listening.locator(".voice", { hasText: /1 \/ \d+/ }).waitFor();
  assert.ok(await listening.evaluate(() => window.utterances.length > 0), "the first text is read");
  await listening.getByRole("button", { name: "Next article" }).click();
  await listening.waitForURL((url) => url.href !== firstText);
  await listening.locator(".voice").waitFor();
  await listening.close();

  step("new entries appear at the top of a list");
  const list = await page.context().newPage();
  await list.goto(new URL("/entries?show=all", page.url()).href);
  // Resets the list to its state before its newest entry arrived, and restarts the stream.
  const removeNewest = () => list.evaluate(() => {
    const [first, second] = document.querySelectorAll("ul.entries > li h3 a");
    const news = document.getElementById("new-entries");
    news.dataset.poll = news.dataset.poll.replace(/through=\d+/, `through=${second.pathname.split("/").pop()}`);
    first.closest("li").remove();
    window.isSamePage = true;
    document.dispatchEvent(new Event("visibilitychange"));
    return first.textContent;
  });
  const expectInserted = async (newest) => {
    await list.locator("ul.entries > li:first-child h3", { hasText: newest }).waitFor();
    assert.equal(await list.locator("ul.entries > li h3", { hasText: newest }).count(), 1);
    assert.ok(await list.evaluate(() => window.isSamePage), "the page was loaded");
  };
  // A list with a focused row is not idle, so the entry is announced instead of inserted.
  await list.locator("ul.entries > li:last-child h3 a").focus();
  const announced = await removeNewest();
  await list.getByRole("link", { name: "1 new entry" }).waitFor();
  // The second press has no effect: the entry is inserted a single time, and the page is not reloaded.
  await list.evaluate(() => {
    for (let press = 0; press < 2; press += 1) document.querySelector("#new-entries a").click();
  });
  await expectInserted(announced);
  await list.evaluate(() => document.activeElement.blur());
  await expectInserted(await removeNewest());
  await list.close();

  step("swipe rows of lists on a phone");
  await swipeRows(page, new URL(page.url()).origin);

  await pressKeys(page, new URL(page.url()).origin, { site, item: guideItem, step });

  step("read without a connection");
  // A newly started service worker is online, so the connection is switched off again before each page.
  const openOffline = async (path) => {
    await page.context().setOffline(false);
    await page.context().setOffline(true);
    await open(path);
  };
  await press("Later");
  await page.waitForURL(/done=moved/);
  await open("/settings/look");
  await press("Store texts in this browser");
  await page.waitForURL(/\/offline$/);
  await until("the texts are stored", async () => Number(await page.getAttribute("#offline-state", "data-stored")) > 0);
  await picture("stored-texts");
  await openOffline(item);
  assert.match(await page.textContent("main"), /You are offline[^]*The ferry leaves the harbour at six/);
  await picture("offline-text");
  await press("Mark as read");
  await page.getByText("Stored. It will be sent when you are online again.").waitFor();
  await openOffline("/offline");
  await page.locator("#offline-queue li").waitFor();
  await picture("offline-queue");
  await openOffline("/today");
  assert.match(await page.textContent("main"), /Stored texts/);
  await page.context().setOffline(false);
  await open("/library");
  await page.getByText("1 offline change was sent.").waitFor();
  await open("/settings/look");
  await page.context().setOffline(true);
  await press("Save settings");
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  await page.context().setOffline(false);
  await open("/settings/look");
  await press("Delete the texts and switch off");
  await page.waitForURL(/done=offline-off/);
  await until("the texts are deleted", async () => (await page.evaluate(() => caches.keys())).length === 0);
  await open(item);
}

step("add channels");
await open("/settings/channels?kind=mail");
await page.fill("#address", "reader@example.org");
await page.fill("#name", "My mail");
await picture("channel-mail");
await press("Add channel");
const confirming = await until("the letter of confirmation", () =>
  letters().map(plain).map((letter) => letter.match(/http:\/\/\S*\/notices\/confirm\S*/)?.[0]).find(Boolean),
);
await open(confirming);
await picture("confirm");
await page.locator("main form button").first().click();
await open("/settings/channels?kind=webhook");
await page.fill("#address", `${site.origin}/hook`);
await page.fill("#name", "My hook");
await press("Add channel");
site.secret = (await page.textContent("main")).match(/whsec_[A-Za-z0-9+/=]+/)[0];
await picture("channel-made");

step("watch a price");
await open("/monitors/new");
await page.fill("#targetUrl", `${site.origin}/lamp`);
await press("Preview");
await picture("preview");
assert.equal(await page.locator("form.steps").evaluate((one) => getComputedStyle(one).alignItems), "normal", "the steps begin at the top");
// The preview stays in view: beside the steps on a wide screen, between the first two on a narrow one.
const box = (selector) => page.locator(selector).boundingBox();
await page.getByRole("button", { name: "Start watching" }).scrollIntoViewIfNeeded();
const [beside, last] = [await box("#preview"), await box("section.step >> nth=2")];
assert.ok(beside.x >= last.x + last.width && beside.y >= 0 && beside.y + beside.height <= 900, "the preview is in view beside the last step");
await page.setViewportSize({ width: 360, height: 740 });
const [button, below, second] = [await box("button[value=preview]"), await box("#preview"), await box("#step-2")];
assert.ok(below.y >= button.y + button.height && below.y + below.height <= second.y, "the preview is below the first step");
await picture("preview-narrow");
await page.setViewportSize({ width: 1200, height: 900 });
await page.getByRole("link", { name: "The price falls" }).first().click();
await picture("price-falls");
for (const box of await page.locator('input[name="notify"]').all()) await box.check();
await page.fill("#name", "The lamp");
await press("Start watching");
await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
const monitor = new URL(page.url()).pathname;
const runs = async () => (await open(monitor), await page.textContent("main"));
await until("the first look", async () => !/No run has finished yet/.test(await runs()));
await picture("monitor");

step("the price falls");
site.price = 39;
// A monitor that ran less than 15 seconds ago reports this, and can be run again when they have passed.
await until("the second look", async () => {
  await open(monitor);
  await press("Run now");
  await page.waitForLoadState();
  return !/ran less than 15 seconds ago/.test(await page.textContent("main"));
});
const letter = await until("the letter", () => letters().map(plain).find((one) => /39/.test(one) && /\/changes\//.test(one)));
const message = await until("the message", () => site.messages.find(({ body }) => /39/.test(body)));
assert.ok(message.isSigned, "the message is signed");
const change = letter.match(/http:\/\/\S*\/changes\/[^\s>"]+/)[0];
await open(change);
await picture("change");
await open(monitor);
await picture("monitor-after");

step("a right-to-left page");
await open("/save");
await page.fill("#url", `${site.origin}/rtl`);
await press("Save");
await page.waitForURL(/\/library\/[0-9a-f-]{36}/);
const rtl = new URL(page.url()).pathname;
await until("the text comes", async () => (await open(rtl), /המעבורת/.test(await page.textContent("main"))));
assert.ok(await page.locator('main [dir="rtl"]').count(), "the text stands from right to left");
const lettersOf = (one) => {
  document.documentElement.dataset.face = "legible";
  return getComputedStyle(one).letterSpacing;
};
assert.equal(await page.locator("article.text").evaluate(lettersOf), "normal", "joined letters have no space between them");

const imports = await move(browser, site);

step("every page, at both widths, in light and dark");
const paths = [
  "/", "/about", "/appearance", "/docs", "/docs/handbook", "/docs/handbook/devices", "/docs/handbook?q=backup", "/docs/developer", "/docs/developer/account", "/docs/agents", "/problems", "/today", "/welcome", "/search?q=harbour", "/offline", "/entries", entry,
  "/subscriptions", "/subscriptions/new", "/subscriptions/opml", "/subscriptions/rules", `${subscription}/rewrites`, "/subscriptions/statistics", "/collections", "/library", item, rtl, guideItem,
  `${item}/edit`, `${item}/copies`, "/library/tags", "/library/rules", "/library/public-tags", "/highlights/review", "/highlights/review/themes", quotePage.replace(/quote$/, "card"), "/library/shared", "/library/copies", "/library/files", "/library/import", "/library/import-servers?service=wallabag", "/library/export", "/save", "/monitors", "/monitors/groups", "/monitors/new", monitor,
  `${monitor}/edit`, new URL(change).pathname + new URL(change).search, "/settings", "/settings/email", "/settings/second-factor", "/settings/passkeys", "/settings/keys", "/settings/apps", "/settings/apps/address",
  "/settings/channels", "/settings/channels?kind=mail", "/settings/channels?kind=webhook", "/settings/inbox", "/settings/teams", "/settings/plan", "/settings/look",
  guide, `/read?url=${encodeURIComponent(`${site.origin}/1`)}`, `/read?url=${encodeURIComponent(`${site.origin}/rtl`)}`,
  ...imports,
];
await lookAt(paths);
site.stop();
await end();
