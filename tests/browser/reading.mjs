// A guide with a footnote, a picture, a video, code, and a wide table: on the reading page, where the text size changes
// in steps and the text scrolls by pages, and in the library, where the picture is highlighted.
import assert from "node:assert/strict";
import { CODE } from "./site.mjs";

const WIDE = { width: 1200, height: 900 };
const NARROW = { width: 360, height: 740 };
const PLAYER = "https://www.youtube-nocookie.com/embed/aB3-x_9kQ1w?autoplay=1";
const PHONE = { viewport: NARROW, hasTouch: true, isMobile: true };

const hashOf = (page) => new URL(page.url()).hash;

/// Reads the guide. Returns the path of its reading page.
export async function readGuide({ page, open, picture, step, until, press }, site, withScripts) {
  const path = `/read?url=${encodeURIComponent(`${site.origin}/guide`)}`;
  step("read a footnote and go back");
  await open(path);
  const reference = page.locator(".prose sup > a").first();
  if (withScripts) {
    const note = page.locator("aside.footnote");
    await reference.click();
    await note.getByText("The register of lights").waitFor();
    await picture("footnote");
    await page.keyboard.press("Escape");
    assert.equal(await note.count(), 0, "Escape closes the note");
    assert.ok(await reference.evaluate((one) => one === document.activeElement), "the reference has the focus again");
    await reference.click();
    await note.getByRole("link", { name: "Go to the note" }).click();
    assert.equal(await note.count(), 0, "the link closes the note");
  } else {
    await reference.click();
  }
  assert.equal(hashOf(page), await reference.evaluate((one) => one.hash), "the page is at the note");
  await page.locator(".footnotes a", { hasText: "↩" }).first().click();
  assert.equal(hashOf(page), await reference.evaluate((one) => `#${one.closest("[id]").id}`), "the page is at the reference again");

  if (withScripts) {
    step("enlarge a picture");
    const image = page.locator(".prose img.picture").first();
    await until("the picture comes", async () => {
      await image.scrollIntoViewIfNeeded();
      const width = await image.evaluate((one) => (one.complete ? one.naturalWidth : -1));
      if (width === 0) await page.reload();
      return width > 0;
    });
    await image.click();
    await page.locator("dialog.zoom[open] img").waitFor();
    await picture("zoom");
    await page.keyboard.press("Escape");
    await until("the large picture is closed", async () => (await page.locator("dialog.zoom").count()) === 0);
    assert.ok(await image.evaluate((one) => one.closest("a") === document.activeElement), "the picture has the focus again");

    step("copy code");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".code > button", { hasText: "Copy" }).first().click();
    await page.locator(".code > button", { hasText: "Copied" }).first().waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), CODE);
    await page.context().clearPermissions();
  }

  step("play a video");
  await playVideo(page, withScripts);

  step("scroll a wide table in its box on a phone");
  await page.setViewportSize(NARROW);
  const table = await page.locator(".prose .scroll").first().evaluate((box) => {
    box.scrollLeft = 60;
    const { scrollWidth, clientWidth } = document.documentElement;
    return { isWider: box.scrollWidth > box.clientWidth, moved: box.scrollLeft, beyond: scrollWidth - clientWidth };
  });
  assert.deepEqual(table, { isWider: true, moved: 60, beyond: 0 });
  await picture("wide-table");
  await changeSize(page, path, { open, step, until });
  await scrollByPages(page, path, { open, step, until, press }, withScripts);
  await page.setViewportSize(WIDE);
  return path;
}

/// Changes the size of the text with the buttons of the menu, and back. With scripts, the page is not reloaded.
async function changeSize(page, path, { open, step, until }) {
  step("change the text size in steps");
  const sizeOf = () => page.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".prose")).fontSize));
  await open(path);
  const before = await sizeOf();
  const change = async (direction) => {
    const button = page.getByRole("button", { name: `Text size: ${direction}` });
    if (!(await button.isVisible())) await page.locator(".bar summary", { hasText: "Aa" }).click();
    await button.click();
  };
  await change("more");
  await until("the text is larger", async () => (await sizeOf()) > before);
  await open(path);
  await until("the size is stored", async () => (await page.getAttribute("html", "data-size")) === "ml");
  await change("less");
  await until("the text has its size again", async () => (await sizeOf()) === before);
  await open(path);
  await until("the default is stored", async () => (await page.getAttribute("html", "data-size")) === null);
}

/// Switches scrolling by pages on, scrolls with keys and taps, and switches it off. Without scripts, keys scroll as
/// usual.
async function scrollByPages(page, path, { open, step, until, press }, withScripts) {
  step("scroll by pages");
  const choose = async (value) => {
    await open("/appearance");
    await page.locator(`[name=paged][value=${value}]`).check();
    await press("Save settings");
    await page.waitForURL(/done=saved/);
    await open(path);
  };
  await choose("on");
  assert.equal(await page.getAttribute("html", "data-paged"), "on");
  if (withScripts) {
    const state = () => page.evaluate(() => {
      const line = parseFloat(getComputedStyle(document.querySelector(".prose p")).lineHeight);
      return { top: Math.round(scrollY), page: Math.round(Math.min(innerHeight - 2 * line, document.documentElement.scrollHeight - innerHeight)) };
    });
    const isAt = async (expected) => Math.abs((await state()).top - expected) <= 1;
    const { page: height } = await state();
    assert.ok(height > 100, "the text is longer than the window");
    for (const [on, back] of [["PageDown", "PageUp"], ["Space", "Shift+Space"]]) {
      await page.keyboard.press(on);
      await until(`${on} scrolls by a page minus two lines`, () => isAt(height));
      await page.keyboard.press(back);
      await until(`${back} scrolls back`, () => isAt(0));
    }
    const storageState = await page.context().storageState();
    const phone = await page.context().browser().newContext({ ...PHONE, storageState });
    const tab = await phone.newPage();
    await tab.goto(page.url());
    const tap = async (share) => {
      // The edge of the window has no links.
      await tab.touchscreen.tap(4, NARROW.height * share);
      return tab.evaluate(() => scrollY);
    };
    assert.equal(await tap(0.5), 0, "the middle scrolls nowhere");
    assert.ok((await tap(0.9)) > 100, "the lower third scrolls on");
    assert.equal(await tap(0.1), 0, "the upper third scrolls back");
    await phone.close();
  }
  await choose("off");
  assert.equal(await page.getAttribute("html", "data-paged"), null);
}

/// Plays the video of a text in a separate tab, in which the video service is replaced.
async function playVideo(page, withScripts) {
  const tab = await page.context().newPage();
  const own = new URL(page.url()).origin;
  const requested = [];
  await tab.route((url) => url.origin !== own, (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>Player</title><p>The tide comes.</p>" });
  });
  await tab.goto(page.url());
  const link = tab.locator(".video a:not(.pil)");
  assert.equal(await link.getAttribute("href"), "https://www.youtube.com/embed/aB3-x_9kQ1w");
  const button = tab.getByRole("button", { name: "Play video here" });
  assert.equal(await button.count(), withScripts ? 1 : 0, "without scripts, the video is a link");
  if (withScripts) {
    await tab.waitForLoadState("networkidle");
    assert.deepEqual(requested, [], "nothing is requested before the press");
    await button.click();
    await tab.frameLocator(".video iframe").getByText("The tide comes.").waitFor();
    assert.deepEqual(requested, [PLAYER]);
    const frame = await tab.locator(".video iframe").evaluate((one) => ({
      title: one.title,
      sandbox: one.getAttribute("sandbox"),
      referrer: one.referrerPolicy,
      hasFocus: one === document.activeElement,
    }));
    const expected = { title: "The tide as filmed", sandbox: "allow-scripts allow-same-origin", referrer: "strict-origin", hasFocus: true };
    assert.deepEqual(frame, expected);
    await tab.reload();
    await button.waitFor();
    assert.deepEqual(requested, [PLAYER], "the press is not remembered");
  }
  await tab.close();
}

/// Saves the guide and highlights its picture. Returns the path of the item.
export async function highlightPicture({ page, open, picture, step, until, press }, site, withScripts) {
  step("highlight a picture");
  await open("/save");
  await page.fill("#url", `${site.origin}/guide`);
  await press("Save");
  await page.waitForURL(/\/library\/[0-9a-f-]{36}/);
  const item = new URL(page.url()).pathname;
  await until("the text comes", async () => (await open(item), (await page.locator("button.mark-picture").count()) > 0));

  const storageState = await page.context().storageState();
  const phone = await page.context().browser().newContext({ ...PHONE, storageState, javaScriptEnabled: withScripts });
  const tab = await phone.newPage();
  await tab.goto(new URL(item, page.url()).href);
  const opacity = await tab.locator("button.mark-picture").first().evaluate((one) => getComputedStyle(one).opacity);
  assert.equal(opacity, "1", "the button is visible without a mouse");
  await phone.close();

  await page.locator("article.text p.image").first().hover();
  await picture("mark-picture");
  await page.locator("button.mark-picture").first().click();
  await page.waitForURL(/#mark-/);
  assert.equal(await page.locator("article.text p.image.marked").count(), 1);
  assert.equal(await page.locator("button.mark-picture").count(), 0, "the highlighted picture has no button");
  assert.equal(await page.locator(".side-notes .highlight-picture img").getAttribute("alt"), "A boat at the quay");
  await picture("marked-picture");
  return item;
}
