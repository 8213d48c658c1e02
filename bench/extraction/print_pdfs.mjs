// Prints the pages of extract/tests/pdf with Chromium, each with and without tags: node print_pdfs.mjs FOLDER [NAME ...]
// It needs puppeteer-core (npm) and a Chromium, whose path is CHROMIUM or /usr/bin/chromium.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const [folder, ...names] = process.argv.slice(2);
const running = new Set(['running', 'columns', 'report']);
const small = 'font-size:8px;width:100%;text-align:center';

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
for (const file of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
  const name = file.slice(0, -'.html'.length);
  if (names.length && !names.includes(name)) continue;
  await page.goto(pathToFileURL(resolve(folder, file)).href);
  for (const tagged of [true, false]) {
    await page.pdf({
      path: resolve(folder, `${name}.${tagged ? 'tagged' : 'plain'}.pdf`),
      format: 'A5',
      margin: { top: '20mm', bottom: '20mm', left: '16mm', right: '16mm' },
      tagged,
      displayHeaderFooter: running.has(name),
      headerTemplate: `<div style="${small}"><span class="title"></span></div>`,
      footerTemplate: `<div style="${small}"><span class="pageNumber"></span></div>`,
    });
  }
}
await browser.close();
