// Path of a new user from the start page to a followed feed, a saved page, and a watched price. Counts the clicks and
// the seconds. A click into a field also counts, unless the field already has the focus. Run by `run --first-minutes`.
import assert from "node:assert/strict";
import { launch } from "./browser.mjs";
import { start } from "./site.mjs";

const MAX_CLICKS = 12;
const MAX_SECONDS = 60;
/// Time that a person needs to find the next field or button, and time between two letters.
const PAUSE_MS = 600;
const KEY_MS = 25;

const site = await start();
const { page, open, step, end } = await launch("first-minutes", true);
let clicks = 0;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const click = async (part) => {
  await wait(PAUSE_MS);
  await part.click();
  clicks += 1;
};
const button = (name) => page.locator("main").getByRole("button", { name, exact: true }).first();
const type = async (selector, text) => {
  const field = page.locator(selector);
  await field.waitFor();
  await wait(PAUSE_MS);
  if (!(await field.evaluate((one) => one === document.activeElement))) await click(field);
  await page.keyboard.type(text, { delay: KEY_MS });
};

const returnToSteps = async () => {
  if (page.url().includes("/welcome")) return;
  await click(page.getByRole("link", { name: "Today", exact: true }));
  await click(page.getByRole("link", { name: "Continue", exact: true }));
};

const begin = Date.now();
await open("/");
step("sign up");
await click(page.locator("main").getByRole("link", { name: "Create an account" }));
await type("#email", "newcomer@example.org");
await page.keyboard.press("Tab");
await page.keyboard.type("a lamp by the harbour wall", { delay: KEY_MS });
await click(button("Create account"));
await page.waitForURL(/\/welcome/);

step("follow a feed");
await type("#site", `${site.origin}/`);
await click(button("Find feeds"));
await click(page.locator("main").getByRole("button", { name: /^Follow/ }));
await page.waitForURL((url) => url.pathname !== "/subscriptions/new");
await returnToSteps();

step("save a page");
await type("#page", `${site.origin}/0`);
await click(button("Save"));
await page.waitForURL(/done=(saved|kept)/);
await returnToSteps();

step("watch a price");
await type("#watched", `${site.origin}/lamp`);
await click(button("Watch"));
await page.waitForURL(/\/monitors\/new/);
await click(button("Preview"));
await click(page.getByRole("link", { name: "The price falls" }).first());
await page.waitForURL(/falls/);
if (!(await page.inputValue("#name"))) await type("#name", "Lamp");
await click(button("Start watching"));
await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
const seconds = (Date.now() - begin) / 1000;

await open("/welcome");
assert.match(await page.textContent("main"), /3 of 3 done/);
console.log(`${clicks} clicks (at most ${MAX_CLICKS}), ${seconds.toFixed(1)} seconds (at most ${MAX_SECONDS})`);
site.stop();
await end();
assert.ok(clicks <= MAX_CLICKS && seconds <= MAX_SECONDS, "the way of a new person is too long");
