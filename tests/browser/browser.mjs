// Headless Chromium with one page, for the scripts of this folder. No page may send requests to another host, log an
// error, be wider than the screen, or, with AXE, have a finding of axe-core.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const { SERVICE, PICTURES, AXE, CHROMIUM } = process.env;
const WIDTHS = { wide: { width: 1200, height: 900 }, narrow: { width: 360, height: 740 } };
// The API reference is 190,000 pixels tall.
const PICTURE_TIMEOUT_MS = 120_000;
const axe = AXE ? readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8") : "";

/// Opens the browser. Names of screenshots begin with `story`. `options` are additional options of the context.
export async function launch(story, withScripts, options = {}) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"],
  });
  const context = await browser.newContext({ javaScriptEnabled: withScripts, viewport: WIDTHS.wide, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);

  // A second check within a short time is refused, which is not an error of the page.
  const strangers = [];
  const complaints = [];
  const faults = [];
  // The origin of a blob is the origin of the page that created it.
  const isOwn = (url) => url.startsWith("data:") || new URL(url).origin === new URL(SERVICE).origin;
  page.on("request", (request) => isOwn(request.url()) || strangers.push(request.url()));
  // The site of a feed may have no icon, a script may switch the network off, and a form with an invalid value gets
  // status 422.
  const isExpected = (message) => / 4(?:22|29) |ERR_INTERNET_DISCONNECTED/.test(message.text()) || message.location().url.startsWith(`${SERVICE}/pictures/`);
  page.on("console", (message) => message.type() === "error" && !isExpected(message) && complaints.push(`${page.url()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));

  let pictures = 0;
  let inspected = 0;
  const picture = (name) =>
    page.screenshot({ path: `${PICTURES}/${story}-${String(++pictures).padStart(2, "0")}-${name}.png`, fullPage: true, timeout: PICTURE_TIMEOUT_MS });
  const open = (path) => page.goto(path.startsWith("http") ? path : SERVICE + path);
  const step = (text) => console.log(`  ${text}`);
  const press = (name) => page.getByRole("button", { name, exact: true }).first().click();

  /// Calls `look` every half second until it returns a result.
  async function until(what, look) {
    for (let round = 0; round < 120; round++) {
      const found = await look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await picture("failed");
    throw new Error(`it did not happen: ${what}`);
  }

  /// Opens every path at both widths, in light and dark.
  async function lookAt(paths) {
    for (const [name, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        for (const path of paths) {
          await open(path);
          inspected++;
          const where = `${path} (${name}, ${colorScheme})`;
          const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          if (beyond > 0) faults.push(`${where}: ${beyond} px wider than the screen`);
          if (AXE && withScripts) {
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            for (const one of violations) faults.push(`${where}: ${one.id}, ${one.nodes.map(({ target }) => target).join(" ")}`);
          }
          const short = path.replaceAll(/[0-9a-f-]{36}/g, "ID").replaceAll(/[^A-Za-z]+/g, "-").slice(0, 40);
          if (withScripts) await page.screenshot({ path: `${PICTURES}/all-${name}-${colorScheme}${short}.png`, fullPage: true, timeout: PICTURE_TIMEOUT_MS });
        }
      }
    }
  }

  /// Closes the browser, and reports whether there were findings.
  async function end() {
    await browser.close();
    assert.deepEqual(faults, [], "every page fits, and axe-core finds nothing");
    assert.deepEqual(strangers, [], "no page asks another host");
    assert.deepEqual(complaints, [], "no page complains");
    if (inspected) console.log(`  ${inspected} page checks, no problem found`);
  }

  return { page, open, picture, step, until, press, lookAt, end };
}
