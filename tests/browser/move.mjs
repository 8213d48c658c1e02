// A short migration from other services: bookmarks of Chrome, a Pocket export, clippings of a Kindle, an unknown table,
// and a list of 200 feeds are imported on the pages. Then the imported objects are read with the protocols of a phone
// app and an e-reader. Part of `story.mjs`.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";

const { SERVICE } = process.env;

const bookmarks = (origin) => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><H3>Reisen, Süden</H3>
        <DL><p>
            <DT><A HREF="${origin}/2?b=1" ADD_DATE="1577836800">Łódź nocą</A>
            <DT><H3>Archive</H3>
            <DL><p>
                <DT><A HREF="${origin}/2?b=2" ADD_DATE="1577836801">日本の朝食</A>
            </DL><p>
        </DL><p>
    </DL><p>
    <DT><A HREF="${origin}/2?b=3" ADD_DATE="1577836802">C++ &amp; Rust</A>
    <DT><A HREF="${origin}/2?b=3" ADD_DATE="1577836803">C++ &amp; Rust</A>
    <DT><A HREF="javascript:alert(1)" ADD_DATE="1577836804">Bookmarklet</A>
</DL><p>
`;

const pocket = (origin) => `title,url,time_added,tags,status
One,${origin}/2?p=1,1600000000,später|brot,unread
Two,${origin}/2?p=2,1600000001,,archive
Łódź,${origin}/2?b=1,1600000002,pocket,archive
`;

const clipping = (about, words) =>
  `Die stille Straße (Müller, Jörg)\r\n- ${about} | Hinzugefügt am Montag, 1. Januar 2024 13:02:03\r\n\r\n${words}\r\n==========\r\n`;
const clippings =
  "\ufeff" +
  clipping("Ihre Markierung auf Seite 1 | bei Position 20-22", "Der Fluß wendet sich.") +
  clipping("Ihre Markierung auf Seite 2 | bei Position 30-32", "Er fließt „südwärts“.") +
  clipping("Ihre Notiz auf Seite 1 | bei Position 22", "Mein Gedanke") +
  clipping("Ihr Lesezeichen auf Seite 3 | bei Position 40", "");

const table = (origin) => `Nr;Bezeichnung;Verweis;Thema\n1;Brot backen;${origin}/2?t=1;Küche\n2;Tee kochen;${origin}/2?t=2;Küche\n`;

const FEEDS = 200;

const feeds = (origin) => {
  const feed = (number) => `<outline type="rss" text="Feed ${number}" xmlUrl="${origin}/feed.xml?n=${number}"/>`;
  const more = Array.from({ length: FEEDS - 4 }, (_, place) => feed(place + 5)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?><opml version="1.0"><head><title>Feeds</title></head><body>
<outline text="Łódź">${feed(1)}${feed(2)}</outline><outline text="日本語">${feed(3)}${feed(2)}</outline>${feed(4)}
<outline text="Blogs">${more}</outline></body></opml>`;
};

/// Imports everything on the pages. Returns the paths of the pages of the imports.
export async function move({ page, open, picture, step, until, press }, site) {
  const paths = [];
  const settled = async () => {
    await until("the import is finished", async () => {
      await open(page.url());
      return !/This page reloads/.test(await page.textContent("main"));
    });
    return page.evaluate(() =>
      Object.fromEntries([...document.querySelectorAll("dl.facts dt")].map((one) => [one.textContent, one.nextElementSibling.textContent])),
    );
  };
  const check = async (name, text, folders = "path-tags") => {
    await open("/library/import");
    await page.setInputFiles("#file", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.selectOption("#folders", folders);
    await press("Check file");
    return settled();
  };
  const start = async (name) => {
    await press("Import");
    const facts = await settled();
    await picture(name);
    assert.equal(await page.textContent("h1"), "Import finished");
    paths.push(new URL(page.url()).pathname);
    return facts;
  };

  step("a move: bookmarks of a browser");
  const tried = await check("bookmarks.html", bookmarks(site.origin));
  assert.deepEqual([tried["To be added"], tried["Already in your library"], tried.Skipped, tried.Failed], ["3", "1", "1", "0"]);
  await picture("move-preview");
  const saved = await start("move-bookmarks");
  assert.deepEqual([saved.New, saved["Already in your library"], saved.Skipped, saved.Failed], ["3", "1", "1", "0"]);
  assert.equal(await page.getByRole("button", { name: "Retry failed rows" }).count(), 0, "nothing can be retried");

  step("a move: Pocket, undone and imported again");
  await check("part_000000.csv", pocket(site.origin));
  await start("move-pocket");
  await press("Undo import");
  await settled();
  assert.equal(await page.textContent("h1"), "Import undone");
  await check("part_000000.csv", pocket(site.origin));
  const read = await start("move-pocket-again");
  assert.deepEqual([read.New, read["Already in your library"], read.Failed], ["2", "1", "0"]);

  step("a move: clippings of a Kindle");
  await check("My Clippings.txt", clippings);
  const marked = await start("move-kindle");
  assert.deepEqual(
    [marked.New, marked["Already in your library"], marked.Skipped, marked.Failed, marked["Notes and highlights"]],
    ["1", "0", "1", "0", "2"],
  );

  step("a move: columns of a table");
  await check("links.csv", table(site.origin));
  const field = async (column) => page.getByLabel(column, { exact: true }).inputValue();
  assert.deepEqual([await field("Bezeichnung"), await field("Verweis")], ["title", "url"], "the columns are proposed");
  await page.getByLabel("Thema", { exact: true }).selectOption("folder");
  await picture("move-columns");
  await press("Check again");
  await settled();
  assert.match(await page.textContent("main"), /Brot backen/);
  await start("move-table");

  step("a move: a list of feeds");
  await open("/subscriptions/opml");
  await page.setInputFiles("#file", { name: "feeds.opml", mimeType: "text/xml", buffer: Buffer.from(feeds(site.origin)) });
  await press("Import");
  const followed = await settled();
  assert.deepEqual([followed.New, followed["Already followed"], followed["Not imported"]], [String(FEEDS), "1", "0"]);
  assert.match(await page.textContent("main"), /already followed in another collection/, "the second folder is named");
  await picture("move-feeds");
  paths.push(new URL(page.url()).pathname);

  step("a move: a key for apps");
  await open("/settings/keys");
  await page.fill("#name", "Phone");
  await page.check("input[name=feedApps]");
  await press("Create key");
  const key = (await page.textContent("#secret")).trim();
  await asPhone("reader@example.org", key, step);
  await asReader("reader@example.org", key, step);
  return paths;
}

async function ask(path, { method = "GET", form, headers = {} } = {}) {
  const answer = await fetch(SERVICE + path, { method, headers, body: form && new URLSearchParams(form) });
  assert.equal(answer.status, 200, `${method} ${path}`);
  return answer;
}

/// Reads feeds like apps for the Google Reader API and for Fever, and items like apps for wallabag.
async function asPhone(email, key, step) {
  step("a move: the imported objects on a phone");
  const login = await ask("/accounts/ClientLogin", { method: "POST", form: { Email: email, Passwd: key } });
  const headers = { authorization: `GoogleLogin auth=${/^Auth=(.*)$/m.exec(await login.text())[1]}` };
  const { subscriptions } = await (await ask("/reader/api/0/subscription/list?output=json", { headers })).json();
  const folders = new Map(subscriptions.map(({ title, categories }) => [title, categories.map(({ label }) => label)]));
  assert.deepEqual(
    ["Feed 1", "Feed 2", "Feed 3", "Feed 4"].map((title) => folders.get(title)),
    [["Łódź"], ["Łódź"], ["日本語"], []],
  );
  assert.equal(subscriptions.filter(({ title }) => /^Feed \d+$/.test(title)).length, FEEDS);

  const digest = createHash("md5").update(`${email}:${key}`).digest("hex");
  const fever = await (await ask("/fever/?api&groups", { method: "POST", form: { api_key: digest } })).json();
  assert.equal(fever.auth, 1);
  assert.deepEqual(fever.groups.map(({ title }) => title).filter((title) => /Łódź|日本語/.test(title)), ["Łódź", "日本語"]);

  const form = { grant_type: "password", client_id: "any", client_secret: "any", username: email, password: key };
  const token = await (await ask("/oauth/v2/token", { method: "POST", form })).json();
  const entries = async (query) => {
    const answer = await ask(`/api/entries.json?perPage=100&${query}`, { headers: { authorization: `Bearer ${token.access_token}` } });
    return (await answer.json())._embedded.items.map(({ title }) => title).sort();
  };
  assert.equal((await entries(`tags=${encodeURIComponent("Reisen, Süden")}`)).length, 1);
  assert.equal((await entries(`tags=${encodeURIComponent("Reisen, Süden/Archive")}`)).length, 1);
  assert.equal((await entries(`tags=${encodeURIComponent("Küche")}`)).length, 2);
  assert.equal((await entries("tags=brot&archive=0")).length, 1);
}

/// Reads items like an e-reader: the catalogues, the position of a document, and the highlights with their notes.
async function asReader(email, key, step) {
  step("a move: the imported objects on an e-reader");
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` };
  const titles = async (path) => [...(await (await ask(path, { headers })).text()).matchAll(/<entry>.*?<title>(.*?)<\/title>/gs)];
  assert.equal((await titles("/opds")).length, 7);
  assert.equal((await titles(`/opds/tags/${encodeURIComponent("Küche")}`)).length, 2);
  const { publications } = await (await ask("/opds/2/later", { headers })).json();
  const listed = publications.map(({ metadata }) => metadata.title);
  assert.ok(listed.includes("One") && !listed.includes("Łódź"), `an unread item of Pocket is listed under Later: ${listed}`);

  const reader = { "x-auth-user": email, "x-auth-key": createHash("md5").update(key).digest("hex") };
  assert.equal((await (await ask("/kosync/users/auth", { headers: reader })).json()).authorized, "OK");

  const { highlights } = await (await ask("/v1/library/highlights", { headers: { "x-api-key": key } })).json();
  const noted = highlights.filter(({ quote }) => /Fluß/.test(quote)).map(({ note }) => note);
  assert.deepEqual(noted, ["Mein Gedanke"]);
}
