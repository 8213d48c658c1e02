// The translated pages on a phone in German, Arabic, Japanese, and the pseudo-language, whose texts are longer and have
// brackets. No page may be wider than the screen, have a button with truncated text, or have an English sentence of the
// service. In the pseudo-language, every word that is not from a user or a site must have brackets. The responses to
// forms with invalid values are checked in the same way.
import assert from "node:assert/strict";
import { launch } from "./browser.mjs";
import { start } from "./site.mjs";

const { EMAIL, PASSWORD, PICTURES } = process.env;
const PSEUDO = "en-XA";
const LANGUAGES = ["de", "ar", "ja", PSEUDO];
const PHONE = { width: 360, height: 740 };

const site = await start();
const faults = [];
let inspected = 0;

console.log("the translated pages on a phone");

/// Signs in, and creates an entry, an item, and a monitor. The content has no Latin letters.
async function prepare() {
  const { page, open, until, press, end } = await launch("languages", true);
  await open("/sign-in");
  await page.fill("#email", EMAIL);
  await page.fill("#password", PASSWORD);
  await page.locator("main form button[type=submit]").first().click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await open("/subscriptions/new");
  await page.fill("#url", `${site.origin}/11.xml`);
  await press("Find feeds");
  await page.getByRole("button", { name: /Follow/ }).first().click();
  const entry = await until("the entries come", async () => {
    await open("/entries");
    const links = await page.locator('main a[href^="/entries/"]').evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    return links.find((href) => /^\/entries\/\d+/.test(href));
  });
  await open(entry);
  const feedLinks = await page.locator('main a[href^="/subscriptions/"]').evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  const subscription = feedLinks.find((href) => /^\/subscriptions\/\d+$/.test(href));
  assert.ok(subscription, "the entry links to its feed");
  await open("/save");
  await page.fill("#url", `${site.origin}/12`);
  await press("Save");
  await page.waitForURL(/\/library\/[0-9a-f-]{36}/);
  const item = new URL(page.url()).pathname;
  await until("the text comes", async () => (await open(item), /Пором виходить/.test(await page.textContent("main"))));
  await open("/monitors/new");
  await page.fill("#targetUrl", `${site.origin}/13`);
  await page.fill("#name", "Гавань");
  await press("Start watching");
  await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
  const monitor = new URL(page.url()).pathname;
  await until("the first run", async () => (await open(monitor), !/No run has finished yet/.test(await page.textContent("main"))));
  const storageState = await page.context().storageState();
  await end();
  const own = ["/today", "/entries", entry.split("?")[0], "/library", item, "/monitors", monitor, "/monitors/new"];
  const admin = ["/admin", "/admin/hosts", "/admin/jobs", "/admin/schedules"];
  const settings = ["/settings/look", "/settings/passkeys", "/settings/second-factor", "/settings/inbox", "/settings/teams", "/settings/apps/end-all"];
  const desk = ["/welcome", "/search", "/search?q=%D0%B3%D0%B0%D0%B2%D0%B0%D0%BD%D1%8C", "/collections", "/offline", "/subscriptions/statistics", "/subscriptions/rules", `${subscription}/rules`, `${subscription}/rewrites`, "/subscriptions/opml"];
  const library = ["/library/files", "/library/import", "/library/import-servers", "/library/export", "/library/tags", "/library/public-tags", "/library/shared", "/library/searches", "/library/rules", "/highlights/review", "/highlights/review/themes"];
  const ofItem = ["edit", "copies", "delete"].map((name) => `${item}/${name}`);
  const ofMonitor = ["edit", "duplicate", "rotate-feed", "delete"].map((name) => `${monitor}/${name}`);
  const monitors = ["/monitors/groups", "/monitors/lists", "/monitors/changes"];
  const more = [...desk, ...library, ...ofItem, ...monitors, ...ofMonitor];
  return { storageState, own: [...own, ...more, "/save", "/subscriptions", ...settings, ...admin] };
}

/// Pages with lists of English names: suggested feeds, and formats of other programs.
const ENGLISH_NAMES = ["/welcome", "/library/import"];

/// Runs in the page and returns its faults.
function inspect({ language, pseudo, names }) {
  // A text with at least this number of English words counts as a sentence, not as a name.
  const SENTENCE = 5;
  const problems = [];
  const root = document.documentElement;
  const main = document.querySelector("main");
  if (root.lang !== language) problems.push(`its language is ${root.lang}`);
  if ((root.dir === "rtl") !== (language === "ar")) problems.push(`its direction is ${root.dir || "missing"}`);
  if (main.lang && main.lang !== language) problems.push(`its content is ${main.lang}`);
  if (root.scrollWidth > root.clientWidth) problems.push(`${root.scrollWidth - root.clientWidth} px wider than the screen`);
  for (const button of document.querySelectorAll("button:not([aria-hidden]), summary, a.button")) {
    // Texts for screen readers have a size of one pixel.
    if (button.clientWidth > 1 && button.scrollWidth > button.clientWidth) problems.push(`a button cuts its text: ${button.textContent.trim()}`);
  }
  const isOwn = (element) => element.closest("[lang]").lang === language && !element.closest("script, style, template, textarea, code, kbd, pre, time");
  // The content of users and sites is in Cyrillic letters, so all English sentences are from the service.
  for (const element of main.querySelectorAll('[lang="en"]')) {
    const words = element.textContent.trim();
    if (names && ["SPAN", "OPTION"].includes(element.tagName)) continue;
    if (words.split(/\s+/).length >= SENTENCE && !element.closest("code, pre")) problems.push(`in English: ${words}`);
  }
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  if (language === "ar" || language === "ja") {
    const sentence = new RegExp(`(?:[A-Za-z][a-z’']*[ ,:]+){${SENTENCE}}`);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (names && node.parentElement.closest("option, li, td, th, dt, dd")) continue;
      if (isOwn(node.parentElement) && sentence.test(node.data)) problems.push(`in English: ${node.data.trim()}`);
    }
  }
  if (language !== pseudo) return problems;

  let depth = 0;
  const outside = (text) => {
    let words = "";
    for (const letter of text.replace(/https?:\/\/[^\s⟦⟧]+/g, "")) {
      if (letter === "⟦") depth++;
      else if (letter === "⟧") depth--;
      else if (depth === 0) words += letter;
    }
    // The symbol of text settings, the stored name of the first collection, methods, and durations.
    words = words.trim().replace(/^(Aa|Unsorted|POST|PUT|PATCH|\d+ ms)$/, "");
    return /\p{Script=Latin}/u.test(words) ? words : "";
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = isOwn(node.parentElement) ? outside(node.data) : "";
    if (words) problems.push(`not in the catalogue: ${words}`);
  }
  if (depth !== 0) problems.push("a text is cut: a bracket is missing");
  for (const element of main.querySelectorAll("[aria-label], [placeholder], [alt]")) {
    for (const name of ["aria-label", "placeholder", "alt"]) {
      depth = 0;
      const words = isOwn(element) ? outside(element.getAttribute(name) ?? "") : "";
      if (words) problems.push(`not in the catalogue: ${name}="${words}"`);
    }
  }
  return problems;
}

/// Pages with addresses and names in Latin letters, on which only language, width, and buttons are inspected.
const NAMED = ["/settings", "/settings/delete", "/settings/email", "/settings/keys", "/settings/apps", "/settings/apps/address",
  "/settings/channels", "/settings/channels?kind=mail", "/settings/channels?kind=mqtt", "/settings/plan", "/subscriptions/new", "/admin/accounts"];

/// Forms with an invalid value: the page, and the values of its fields. Checkboxes are not ticked.
const WRONG = [
  ["/settings/keys", { name: "ключ" }],
  ["/settings", { current: "1", new: "1" }],
  ["/collections", { name: "" }],
  ["/monitors/new", { name: "", targetUrl: "" }],
  ["/monitors/groups", { name: "" }],
  ["/save", { url: "ftp://гавань.example/" }],
  ["/subscriptions/new", { url: "ftp://гавань.example/" }],
  ["/library/import", { folders: "tags" }],
];

/// Runs in the page: fills in the form that has these fields, and returns it.
function fillIn(fields) {
  const has = (form, name) => form.elements.namedItem(name) !== null;
  const form = [...document.querySelectorAll("main form[method=post]")].find((one) => Object.keys(fields).every((name) => has(one, name)));
  for (const box of form?.querySelectorAll("[type=checkbox]") ?? []) box.checked = false;
  for (const [name, value] of Object.entries(fields)) if (form) form.elements.namedItem(name).value = value;
  return form;
}

/// Opens pages in a language on a phone. Words are inspected in the language `pseudo`.
async function walk(language, paths, options, pseudo = PSEUDO) {
  const { page, open, step, end } = await launch("languages", true, { ...options, viewport: PHONE, extraHTTPHeaders: { "accept-language": language } });
  step(`${paths.length} pages in ${language}`);
  for (const path of paths) {
    await open(path);
    inspected++;
    for (const fault of await page.evaluate(inspect, { language, pseudo, names: ENGLISH_NAMES.includes(path) })) faults.push(`${path} in ${language}: ${fault}`);
    const short = path.replaceAll(/[0-9a-f-]{36}/g, "ID").replaceAll(/[^A-Za-z]+/g, "-").slice(0, 40);
    await page.screenshot({ path: `${PICTURES}/languages-${language}${short}.png`, fullPage: true });
  }
  await end();
}

/// Submits each form with an invalid value, and inspects the answer.
async function submitForms(language, options) {
  const { page, open, step, end } = await launch("languages", true, { ...options, viewport: PHONE, extraHTTPHeaders: { "accept-language": language } });
  step(`${WRONG.length} forms with wrong values in ${language}`);
  for (const [path, fields] of WRONG) {
    await open(path);
    const form = (await page.evaluateHandle(fillIn, fields)).asElement();
    if (!form) {
      faults.push(`${path} has no form with ${Object.keys(fields).join(", ")}`);
      continue;
    }
    // The method of the prototype skips the validation by the browser.
    const [response] = await Promise.all([page.waitForNavigation(), form.evaluate((one) => HTMLFormElement.prototype.submit.call(one))]);
    inspected++;
    const status = response.status();
    if (status !== 422) faults.push(`${path} answers a wrong value by ${status}`);
    // The values that were sent are in Latin letters, so brackets are not inspected.
    for (const fault of await page.evaluate(inspect, { language, pseudo: "", names: ENGLISH_NAMES.includes(path) })) faults.push(`${path} with a wrong value in ${language}: ${fault}`);
  }
  await end();
}

const { storageState, own } = await prepare();
for (const language of LANGUAGES) {
  await walk(language, ["/", "/sign-in", "/sign-up", "/sign-in/passkey", "/forgot", "/appearance", "/appearance?done=unread", `/read?url=${encodeURIComponent(`${site.origin}/14`)}`], {});
  await walk(language, own, { storageState });
  await walk(language, NAMED, { storageState }, "");
  await submitForms(language, { storageState });
}
site.stop();
assert.deepEqual(faults, [], "every translated page fits on a phone, and all its words are in the catalogue");
console.log(`  ${inspected} pages, no problem found`);
