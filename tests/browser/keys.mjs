// Every key that `?` lists: in the lists of entries and of the library, on the pages of an entry and an item, and in text fields,
// where no key has an effect.
import assert from "node:assert/strict";

const SMALL = { width: 900, height: 300 };

/// Presses all keys in a separate tab, because some keys open pages of other hosts. `item` is the path of an item with a text
/// that is neither read nor archived.
export async function pressKeys(page, origin, { site, item, step }) {
  const keys = await keysOf(page);
  step("keys of the list of entries");
  await pressInEntries(keys, origin, site);
  step("keys of the list of the library");
  await pressInLibrary(keys, origin, site);
  step("keys of an entry");
  await pressInEntry(keys, origin, site);
  step("keys of an item: highlight paragraphs");
  await pressInItem(keys, origin + item);
  step("keys that lead to other pages");
  await goToPages(keys, origin);
  assert.deepEqual([...keys.pressed].sort(), (await listedKeys(keys, origin)).sort(), "every key that ? lists was pressed, and no other");
  assert.deepEqual(keys.errors, []);
  await keys.tab.close();
}

/// Returns a tab with functions that press keys in it.
async function keysOf(page) {
  const tab = await page.context().newPage();
  const pressed = new Set();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  const press = async (key) => {
    pressed.add(key);
    for (const part of key.split(" ")) await tab.keyboard.press(part === "Esc" ? "Escape" : part);
  };
  /// Presses a key that loads a page.
  const load = async (key) => {
    const loaded = tab.waitForEvent("load");
    await press(key);
    await loaded;
  };
  /// Presses a key that changes something, and checks the message.
  const change = async (key, done) => {
    await load(key);
    assert.match(tab.url(), new RegExp(`[?&]done=${done}(&|#|$)`), `${key} in ${tab.url()}`);
  };
  /// Presses keys that do nothing on the page.
  const ignore = async (...ignored) => {
    const state = () => tab.evaluate(() => [location.href, document.activeElement.tagName, Boolean(window.isSamePage)]);
    await tab.evaluate(() => { window.isSamePage = true; });
    const before = await state();
    for (const key of ignored) await press(key);
    assert.deepEqual(await state(), before, `${ignored} do nothing`);
  };
  const rows = tab.locator("ul.rows > li:has(h3 a)");
  const focused = tab.locator("ul.rows > li:has(h3 a:focus)");
  /// Position of the row whose link has the focus, or -1.
  const position = () => rows.evaluateAll((all) => all.indexOf(document.activeElement.closest("li")));
  const hasClass = (name) => focused.evaluate((row, wanted) => row.classList.contains(wanted), name);
  return { tab, pressed, errors, press, load, change, ignore, rows, focused, position, hasClass };
}

/// Keys that select, pick, and open rows, in a list with at least two rows.
async function pressInList({ tab, press, load, rows, focused, position }, list, siteOrigin) {
  await tab.goto(list);
  assert.ok((await rows.count()) >= 2, "the list has two rows");
  for (const [key, expected] of [["j", 0], ["n", 1], ["k", 0], ["p", 0], ["j", 1], ["p", 0]]) {
    await press(key);
    assert.equal(await position(), expected, `the row after ${key}`);
  }
  // A keyboard with Cyrillic letters.
  for (const [key, code, expected] of [["о", "KeyJ", 1], ["л", "KeyK", 0]]) {
    await tab.evaluate((init) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", init)), { key, code, bubbles: true, cancelable: true });
    assert.equal(await position(), expected, `the row after ${code}`);
  }
  const pick = focused.locator("input.pick");
  await press("x");
  assert.ok(await pick.isChecked(), "x selects the row");
  await press("x");
  assert.ok(!(await pick.isChecked()), "x removes the selection");
  // A checkbox is not a text field.
  await pick.click();
  await press("j");
  assert.equal(await position(), 1);
  await press("k");

  const path = await focused.locator("h3 a").getAttribute("href");
  for (const key of ["o", "Enter"]) {
    await load(key);
    assert.equal(new URL(tab.url()).pathname, path, `${key} opens the row`);
    await load("h");
    assert.equal(tab.url(), list, "h goes back");
    await press("j");
  }

  const opened = tab.context().waitForEvent("page");
  await press("v");
  const original = await opened;
  await original.waitForURL((url) => url.origin === siteOrigin);
  await original.close();
  assert.equal(tab.url(), list, "v opens the original in a new tab");
  await load("V");
  assert.equal(new URL(tab.url()).origin, siteOrigin, "V opens the original");
  await tab.goto(list);
  await useHelp({ tab, press, position });
  await typeKeys({ tab, press }, list);
}

/// Opens and closes the list of keys. While it is open, no key has an effect on the page.
async function useHelp({ tab, press, position }) {
  const help = tab.locator("dialog#keys");
  await press("j");
  await press("?");
  assert.ok(await help.isVisible(), "? opens the list of keys");
  for (const key of ["j", "m", "s", "e"]) await press(key);
  assert.ok(await help.isVisible(), "no key acts behind the list of keys");
  await press("?");
  assert.ok(!(await help.isVisible()), "? closes the list of keys");
  assert.equal(await position(), 0, "the row is selected as before");
  await press("?");
  await press("Esc");
  assert.ok(!(await help.isVisible()), "Esc closes the list of keys");
}

/// Types the keys into the search field, which `/` focuses.
async function typeKeys({ tab, press }, list) {
  const KEYS = "jknpomMAselhxzvVdFRaJKHNG+#?gt/";
  await press("/");
  assert.equal(await tab.evaluate(() => document.activeElement.type), "search", "/ moves to the search field");
  await tab.keyboard.type(KEYS);
  assert.equal(await tab.evaluate(() => document.activeElement.value), KEYS, "a text field gets all keys");
  assert.equal(tab.url(), list, "no key acts in a text field");
  assert.equal(await tab.locator("dialog#keys").count(), 1, "the list of keys is the closed one");
  assert.ok(!(await tab.locator("dialog#keys").isVisible()));
}

async function pressInEntries(keys, origin, site) {
  const { tab, press, change, ignore, rows, position, focused, hasClass } = keys;
  const list = `${origin}/entries?show=all`;
  const markAll = async (act) => {
    await tab.goto(list);
    const loaded = tab.waitForEvent("load");
    await tab.evaluate((wanted) => {
      for (const pick of document.querySelectorAll("input.pick")) pick.checked = true;
      document.querySelector(`button[name=act][value=${wanted}]`).click();
    }, act);
    await loaded;
  };
  await markAll("unread");
  await pressInList(keys, list, site.origin);
  // Opened entries are marked as read.
  await markAll("unread");

  await tab.goto(list);
  await press("j");
  await change("m", "read");
  assert.equal(await position(), 0, "the row is still selected");
  assert.ok(await hasClass("read"));
  await change("m", "unread");
  assert.ok(await hasClass("new"));
  await press("j");
  await change("M", "read");
  assert.equal(await position(), 0, "M moves to the previous row");
  assert.ok(await rows.nth(1).evaluate((row) => row.classList.contains("read")));
  await change("z", "undone");
  assert.ok(await rows.nth(1).evaluate((row) => row.classList.contains("new")), "z undoes");
  await press("j");
  await change("s", "starred");
  assert.equal(await focused.locator(".star").count(), 1);
  await change("f", "unstarred");
  assert.equal(await focused.locator(".star").count(), 0);
  await change("A", "all");
  assert.equal(await tab.locator("ul.entries > li.new").count(), 0);
  await change("z", "undone");
  assert.equal(await tab.locator("ul.entries > li.read").count(), 0);
  await change("R", "refreshed.*");
  await ignore("e", "d", "F", "a", "l", "#", "J", "K", "H", "N", "G");

  // After a row leaves the list, the next row has the focus.
  await tab.goto(`${origin}/entries`);
  await press("j");
  const [first, second] = await rows.locator("h3 a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  await change("m", "read");
  assert.equal(await tab.locator(`ul.entries a[href="${first}"]`).count(), 0, "the row has left the list");
  assert.equal(await focused.locator("h3 a").getAttribute("href"), second);
  await change("z", "undone");
}

async function pressInLibrary(keys, origin, site) {
  const { tab, press, change, ignore, rows, position, focused, hasClass } = keys;
  const list = `${origin}/library?shelf=all`;
  await pressInList(keys, list, site.origin);
  await tab.goto(list);
  await press("j");
  const wasRead = await hasClass("read");
  const [mark, unmark] = wasRead ? ["unread", "read"] : ["read", "unread"];
  await change("m", mark);
  assert.equal(await hasClass("read"), !wasRead);
  await change("m", unmark);
  assert.equal(await hasClass("read"), wasRead);
  await press("j");
  const isRead = await hasClass("read");
  const path = await focused.locator("h3 a").getAttribute("href");
  await change("M", isRead ? "unread" : "read");
  assert.equal(await position(), 0, "M moves to the previous row");
  const row = tab.locator(`ul.rows > li:has(h3 a[href="${path}"])`);
  assert.equal(await row.evaluate((one) => one.classList.contains("read")), !isRead);
  await change("z", "undone");
  assert.equal(await row.evaluate((one) => one.classList.contains("read")), isRead, "z undoes");

  // The first row is moved out of the inbox.
  await tab.goto(`${origin}/library`);
  await press("j");
  const archived = await focused.locator("h3 a").getAttribute("href");
  await change("e", "moved");
  assert.equal(await rows.locator(`h3 a[href="${archived}"]`).count(), 0, "e archives the item");
  await change("z", "undone");
  assert.equal(await rows.locator(`h3 a[href="${archived}"]`).count(), 1, "z undoes");
  await ignore("s", "f", "d", "F", "a", "l", "A", "R", "#", "J", "K", "H", "N", "G");
}

async function pressInEntry(keys, origin, site) {
  const { tab, rows, load, change } = keys;
  await tab.goto(`${origin}/entries?show=all`);
  const entry = `${origin}${await rows.first().locator("h3 a").getAttribute("href")}?show=all`;
  await tab.goto(entry);
  for (const [forth, back] of [["j", "k"], ["n", "p"], ["l", "h"]]) {
    await load(forth);
    assert.match(tab.url(), /\/entries\/\d+/);
    assert.notEqual(new URL(tab.url()).pathname, new URL(entry).pathname, `${forth} opens the next entry`);
    await load(back);
    assert.equal(new URL(tab.url()).pathname, new URL(entry).pathname, `${back} opens the entry before`);
  }
  await change("s", "starred");
  await change("s", "unstarred");
  await change("m", "unread");
  await load("F");
  assert.match(tab.url(), /\/entries\?feed=\d+/, "F lists the entries of the feed");
  await tab.goto(entry);
  await load("#");
  assert.match(tab.url(), /\/subscriptions\/\d+\/delete$/, "# asks whether to unfollow the feed");
  await tab.goto(entry);
  await load("d");
  assert.ok(new URL(tab.url()).pathname.startsWith(`/${site.origin}/`), "d opens the page in the reader");
}

/// Highlights paragraphs without a mouse, with a note and by a selection, and changes the item.
async function pressInItem(keys, item) {
  const { tab, press, load, change } = keys;
  await tab.goto(item);
  const paragraph = () => tab.evaluate(() => document.activeElement.textContent);
  for (const [key, part] of [["J", 1], ["J", 2], ["K", 1], ["K", 1]]) {
    await press(key);
    assert.ok((await paragraph()).includes(`, part ${part}. `), `the paragraph after ${key} is part ${part}`);
  }
  const tools = tab.locator("#selection-tools");
  await press("G");
  assert.ok(await tools.locator("button:focus").isVisible(), "G opens the tools for the paragraph");
  await press("Esc");
  assert.ok(!(await tools.isVisible()), "Esc closes the tools");
  assert.ok((await paragraph()).includes(", part 1. "), "the paragraph has the focus again");
  await load("H");
  assert.match(tab.url(), /done=marked#mark-/);
  const marked = () => tab.locator("article.text mark").allTextContents().then((all) => all.join(""));
  assert.match(await marked(), /part 1\..*with the hour and the wind\.$/s, "H highlights the whole paragraph");
  await press("J");
  assert.ok((await paragraph()).includes(", part 2. "), "the next paragraph follows the highlight");
  await press("N");
  assert.equal(await tab.evaluate(() => document.activeElement.name), "note", "N moves to the note");
  await tab.keyboard.type("HN: count the hours");
  await tab.keyboard.press("Tab");
  const noted = tab.waitForEvent("load");
  await tab.keyboard.press("Enter");
  await noted;
  assert.match(await marked(), /part 2\./, "N highlights the paragraph");
  await tab.getByText("HN: count the hours", { exact: true }).first().waitFor();

  // A selection made with the keys of the browser.
  await tab.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("article.text"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf("part 3.");
      if (at < 0) continue;
      getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + 7);
      return;
    }
  });
  await load("H");
  assert.equal(await tab.locator("article.text mark", { hasText: /^part 3\.$/ }).count(), 1, "H highlights the selected words");

  const downloaded = tab.waitForEvent("download");
  await press("a");
  assert.match((await downloaded).suggestedFilename(), /\.md$/, "a opens the file");
  await change("m", "marked");
  await change("m", "marked");
  await change("e", "moved");
  assert.equal(await tab.locator("button[name=status][value=archive]").count(), 0, "e archives the item");
  const restored = tab.waitForEvent("load");
  await tab.locator("button[name=status][value=inbox]").click();
  await restored;
}

async function goToPages({ tab, press, load }, origin) {
  for (const [key, path] of [
    ["g t", "/today"],
    ["g u", "/entries"],
    ["g a", "/entries?show=all"],
    ["g h", "/entries?show=read"],
    ["g b", "/entries?show=starred"],
    ["g f", "/subscriptions"],
    ["g c", "/collections"],
    ["g l", "/library"],
    ["g m", "/monitors"],
    ["g s", "/settings"],
    ["+", "/subscriptions/new"],
  ]) {
    await tab.goto(`${origin}/entries?show=all`);
    await load(key);
    assert.equal(tab.url(), origin + path, key);
  }
  await tab.goto(`${origin}/entries?show=all`);
  await tab.setViewportSize(SMALL);
  await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
  assert.ok((await tab.evaluate(() => scrollY)) > 0, "the page is longer than the screen");
  await press("g g");
  assert.equal(await tab.evaluate(() => scrollY), 0, "g g goes to the top");
}

/// Returns the keys that `?` lists.
async function listedKeys({ tab, press }, origin) {
  await tab.goto(`${origin}/library`);
  await press("?");
  const terms = await tab.locator("dialog#keys dt").evaluateAll((all) => all.map((term) => [...term.querySelectorAll("kbd")].map((key) => key.textContent)));
  // In a pair that begins with `g`, the keys are pressed one after the other. In other pairs, both keys have the same
  // action.
  return terms.flatMap((names) => (names[0] === "g" ? [names.join(" ")] : names));
}
