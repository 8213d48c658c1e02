// Pictures of the front page: Today, a text, and a monitor of a sample account, in light and dark. Run by `run --front-pictures`.
import { createServer } from "node:http";
import { mkdirSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const { SERVICE, EMAIL, PASSWORD, FRONT, CHROMIUM } = process.env;
const VIEWPORT = { width: 880, height: 520 };
const MAX_BYTES = 30_000;
const PRICES = [129, 124, 124, 119, 125, 109, 99];
/// Minimum time between two manual runs of a monitor.
const MS_BETWEEN_RUNS = 16_000;

const STORIES = [
  ["The night ferry gets a library", "Three hundred books sail between the islands, and the crew reads them too."],
  ["Why lighthouses still matter", "Satellites fail, fog does not. A visit to the last keeper on the coast."],
  ["A map of every public bench", "Volunteers counted 11,400 places to sit, and rated the view from each."],
  ["Bread without an oven", "What a baker learned from a winter of cooking on a boat."],
];
const feed = (origin) => `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>The Harbour Paper</title><link>${origin}/</link>
${STORIES.map(([title, words], hours) => `<item><title>${title}</title><link>${origin}/${hours}</link><guid>${hours}</guid>
<pubDate>${new Date(Date.now() - (hours + 1) * 3600e3).toUTCString()}</pubDate><description>${words}</description></item>`).join("")}</channel></rss>`;
const shop = (price) => `<!doctype html><html lang="en"><head><title>Brass lamp</title><script type="application/ld+json">${JSON.stringify({
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Brass lamp",
  offers: { "@type": "Offer", price: String(price), priceCurrency: "EUR", availability: "https://schema.org/InStock" },
})}</script></head><body><main><h1>Brass lamp</h1><p class="price">€ ${price}.00</p><p>A lamp of brass for the desk, with a shade of green glass.</p></main></body></html>`;

let price = PRICES[0];
const server = createServer((request, response) => {
  if (request.url === "/feed.xml") return response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed(origin));
  if (request.url === "/lamp") return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(shop(price));
  response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: VIEWPORT, locale: "en" });
const page = await context.newPage();
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const open = (path) => page.goto(SERVICE + path);

await open("/sign-in");
await page.fill("#email", EMAIL);
await page.fill("#password", PASSWORD);
await page.locator("main form button[type=submit]").first().click();
await page.waitForURL(/\/today/);
await open("/subscriptions/new");
await page.fill("#url", `${origin}/feed.xml`);
await page.getByRole("button", { name: "Find feeds" }).click();
await page.getByRole("button", { name: /Follow/ }).first().click();
await open("/monitors/new");
await page.fill("#targetUrl", `${origin}/lamp`);
await page.getByRole("button", { name: "Preview" }).first().click();
await page.getByRole("link", { name: "The price falls" }).first().click();
await page.fill("#name", "Brass lamp");
await page.getByRole("button", { name: "Start watching" }).click();
await page.waitForURL(/\/monitors\/[0-9a-f-]{36}/);
const monitor = new URL(page.url()).pathname;
for (price of PRICES) {
  await wait(MS_BETWEEN_RUNS);
  await open(monitor);
  await page.getByRole("button", { name: "Run now" }).click();
  await page.waitForLoadState();
}
await wait(2_000);
await open("/library");
const item = await page.locator("ul.rows h3 a", { hasText: "How to keep what you read" }).getAttribute("href");

/// Encodes a picture as WebP, with the highest quality that fits into the limit.
async function encoded(png) {
  const tab = await context.newPage();
  const bytes = await tab.evaluate(async ([base64, most]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    for (let quality = 0.9; ; quality -= 0.05) {
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      if (blob.size <= most || quality < 0.3) return [...new Uint8Array(await blob.arrayBuffer())];
    }
  }, [png.toString("base64"), MAX_BYTES]);
  await tab.close();
  return Buffer.from(bytes);
}

mkdirSync(FRONT, { recursive: true });
for (const [name, path, part] of [["today", "/today", "#changes"], ["text", item, "header"], ["monitor", monitor, "header"]]) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await open(path);
    // Today begins with a notice about the sample account and the search field, so its picture begins at the changes.
    await page.locator(part).first().evaluate((begin) => scrollTo(0, scrollY + begin.getBoundingClientRect().top - 24));
    const picture = await encoded(await page.screenshot());
    writeFileSync(`${FRONT}/${name}-${colorScheme}.webp`, picture);
    console.log(`  ${name}-${colorScheme}.webp: ${picture.length} bytes`);
  }
}
await browser.close();
server.close();
