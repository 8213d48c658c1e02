// Swipes on rows of lists, with a finger on the screen of a phone.
import assert from "node:assert/strict";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const STEPS = 8;

/// Swipes entries and items, and undoes each action. `prepare` receives each tab before its first page is
/// opened.
export async function swipeRows(page, service, prepare = async () => {}) {
  const storageState = await page.context().storageState();
  const open = async (locale) => {
    const phone = await page.context().browser().newContext({ ...PHONE, storageState, locale });
    const tab = await phone.newPage();
    await prepare(tab);
    return fingerOn(phone, tab);
  };
  const english = await open("en");
  await swipeEntries(english, service);
  await swipeItems(english, service);
  await english.phone.close();

  // In a right-to-left language, the directions are mirrored.
  const { phone, tab, swipe, first } = await open("ar");
  await tab.goto(`${service}/entries?show=all`);
  assert.equal(await tab.evaluate(() => document.documentElement.dir), "rtl");
  await swipe(first, -130);
  await tab.waitForURL(/done=read/);
  await tab.locator("#undo").click();
  await tab.waitForURL(/done=undone/);
  await phone.close();
}

/// Returns functions for the gestures of a finger on a tab.
async function fingerOn(phone, tab) {
  const finger = await phone.newCDPSession(tab);
  const touch = (type, ...touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  const drag = async (row, x, y = 0) => {
    const box = await row.locator("h3").boundingBox();
    const start = { x: PHONE.viewport.width / 2, y: box.y + box.height / 2 };
    await touch("touchStart", start);
    for (let step = 1; step <= STEPS; step++) await touch("touchMove", { x: start.x + (x * step) / STEPS, y: start.y + (y * step) / STEPS });
  };
  const swipe = async (row, x) => {
    await drag(row, x);
    await touch("touchEnd");
  };
  const undo = async () => {
    await tab.getByRole("button", { name: "Undo", exact: true }).click();
    await tab.waitForURL(/done=undone/);
  };
  return { phone, tab, touch, drag, swipe, undo, first: tab.locator("ul.rows > li").first() };
}

async function swipeEntries({ tab, touch, drag, swipe, undo, first }, service) {
  await tab.goto(`${service}/entries?show=all`);
  const isNew = () => first.evaluate((row) => row.classList.contains("new"));
  if (!(await isNew())) {
    await swipe(first, 130);
    await tab.waitForURL(/done=unread/);
  }
  await swipe(first, 40);
  assert.equal(await tab.locator(".swipe-hint").count(), 0, "a short swipe does nothing");
  await drag(first, 130);
  assert.equal(await tab.locator(".swipe-hint.armed").textContent(), "Mark as read");
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is not wider than the screen");
  await touch("touchEnd");
  await tab.waitForURL(/done=read/);
  await undo();
  assert.ok(await isNew());
  await swipe(first, -130);
  await tab.waitForURL(/done=starred/);
  await undo();
  const before = await tab.evaluate(() => scrollY);
  await drag(first, 10, -200);
  await touch("touchEnd");
  assert.ok((await tab.evaluate(() => scrollY)) >= before, "a finger that moves up scrolls");
  assert.match(tab.url(), /done=undone/);
}

async function swipeItems({ tab, swipe, undo, first }, service) {
  await tab.goto(`${service}/library`);
  const title = await first.locator("h3").textContent();
  for (const [x, status] of [[130, "archive"], [-130, "later"]]) {
    const sent = tab.waitForRequest((request) => request.method() === "POST");
    await swipe(first, x);
    assert.equal(new URLSearchParams((await sent).postData()).get("act"), status);
    await tab.waitForURL(/done=moved/);
    await undo();
    await tab.locator("ul.rows h3", { hasText: title }).waitFor();
  }
}
