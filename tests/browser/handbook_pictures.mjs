// The pictures of the handbook, written into the folder HANDBOOK_PICTURES: Today, a reading page, the list of entries,
// and a monitor whose price fell, in light colours and the width of a text. The maximum size of a picture is 40 KB.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { launch } from "./browser.mjs";
import { start } from "./site.mjs";

const { EMAIL, PASSWORD, HANDBOOK_PICTURES } = process.env;
const MAX_BYTES = 40_000;
const VIEWPORT = { width: 800, height: 560 };

const site = await start();
const { page, open, until, press, step, end } = await launch("handbook", true, { viewport: VIEWPORT, colorScheme: "light" });
const devtools = await page.context().newCDPSession(page);

console.log("the pictures of the handbook");

/// Writes a picture of the page, beginning at the element `from`, in the highest quality within the size limit.
async function picture(name, from) {
  await page.locator(from).first().evaluate((element) => {
    document.activeElement?.blur();
    scrollTo(0, element.getBoundingClientRect().top + scrollY - 16);
  });
  for (let quality = 80; quality >= 30; quality -= 10) {
    const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality });
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > MAX_BYTES) continue;
    writeFileSync(`${HANDBOOK_PICTURES}/${name}.webp`, bytes);
    return step(`${name}.webp: ${bytes.length} bytes, quality ${quality}`);
  }
  assert.fail(`${name} has more than ${MAX_BYTES} bytes`);
}

await open("/sign-in");
await page.fill("#email", EMAIL);
await page.fill("#password", PASSWORD);
await page.locator("main form button[type=submit]").first().click();
await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));

await open("/subscriptions/new");
await page.fill("#url", `${site.origin}/feed.xml`);
await press("Find feeds");
await page.getByRole("button", { name: /Follow/ }).first().click();
await until("the entries come", async () => (await open("/entries"), /The ferry/.test(await page.textContent("main"))));
await picture("following", "main h1");

await open("/monitors/new");
await page.fill("#targetUrl", `${site.origin}/lamp`);
await page.fill("#name", "Lamp");
await press("Start watching");
await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
const monitor = new URL(page.url()).pathname;
await until("the first run", async () => (await open(monitor), !/No run has finished yet/.test(await page.textContent("main"))));
site.price = 39;
await until("the price falls", async () => {
  await open(monitor);
  if (/39\.00/.test(await page.textContent("main"))) return true;
  await press("Run now");
  return false;
});
await open(monitor);
await picture("watching", "main h1");

await open("/save");
await page.fill("#url", `${site.origin}/1`);
await press("Save");
await page.waitForURL(/\/library\/[0-9a-f-]{36}/);
const item = new URL(page.url()).pathname;
await until("the text comes", async () => (await open(item), /The ferry leaves/.test(await page.textContent("main"))));
await open("/today");
await picture("start", "body");

await open(`/${site.origin}/2`);
await picture("reading", "body");

await end();
site.stop();
