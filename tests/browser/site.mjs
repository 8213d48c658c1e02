// A small site for the scripts of this folder: a newspaper with a feed, a newspaper without Latin letters, a shop whose price can
// fall, a guide with a footnote, a picture, a video, and a wide table, a page in a right-to-left language, and an address that
// receives signed messages.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { deflateSync } from "node:zlib";

/// Code in each article.
export const CODE = 'const boats = await harbour.count({ since: "06:00", until: "18:00", including: ["ferries", "trawlers", "yachts"] });';

const paragraphs = (title) =>
  Array.from(
    { length: 7 },
    (_, i) => `<p>${title}, part ${i + 1}. The ferry leaves the harbour at six in the morning, when the fog still lies over the
quay, and the first nets are drawn before the town wakes. Nobody counts the boats any more, but the keeper of the light
writes down each of them, with the hour and the wind.</p>`,
  ).join("\n");

const article = (title, lang = "en", dir = "ltr", body = paragraphs(title)) => `<!doctype html><html lang="${lang}" dir="${dir}">
<head><meta charset="utf-8"><title>${title}</title><meta name="author" content="Ada Quay">
<link rel="alternate" type="application/rss+xml" title="The Harbour Paper" href="/feed.xml"></head>
<body><header><nav><a href="/">Home</a></nav></header><main><article><h1>${title}</h1>${body}
<table><caption>Boats in a week</caption><tr><th>Day</th><th>Boats</th><th>A long heading for a narrow screen</th></tr>
<tr><td>Monday</td><td>14</td><td>windy</td></tr><tr><td>Tuesday</td><td>9</td><td>fog</td></tr></table>
<pre><code>${CODE}</code></pre>
</article></main></body></html>`;

const row = (tag, hour) => `<tr>${Array.from({ length: 24 }, (_, i) => `<${tag}>${hour + i}</${tag}>`).join("")}</tr>`;
const guide = `${paragraphs("A guide to the harbour")}
<p>The light on the eastern wall was built by the pilots<sup id="reference"><a href="#note">1</a></sup>, and the harbour paid for its oil.</p>
<figure><img src="/boat.png" alt="A boat at the quay" width="640" height="400"><figcaption>The last boat of the season</figcaption></figure>
<figure><iframe src="https://www.youtube.com/embed/aB3-x_9kQ1w" title="The tide as filmed"></iframe></figure>
<table><caption>Boats by hour</caption>${row("th", 0)}${row("td", 10)}${row("td", 30)}</table>
<section class="footnotes"><ol><li id="note">The register of lights names them in the spring of 1848. <a href="#reference">↩</a></li></ol></section>`;

/// CRC-32 of a chunk of a PNG.
const crc = (bytes) => {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
};
const number = (value) => Buffer.from(Uint32Array.of(value).buffer).swap32();
const chunk = (name, data) => {
  const body = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([number(data.length), body, number(crc(body))]);
};
/// A grey picture of 640 by 400 pixels with a dark lower half.
const boat = () => {
  const lines = Array.from({ length: 400 }, (_, line) => Buffer.concat([Buffer.of(0), Buffer.alloc(640, line < 200 ? 200 : 60)]));
  const head = Buffer.concat([number(640), number(400), Buffer.of(8, 0, 0, 0, 0)]);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(lines))), chunk("IEND", Buffer.alloc(0))]);
};

const hebrew = Array.from(
  { length: 6 },
  () => `<p>המעבורת יוצאת מהנמל בשש בבוקר, כשהערפל עוד שוכב על הרציף, והרשתות הראשונות נמשכות לפני שהעיר מתעוררת. איש
אינו סופר עוד את הסירות, אך שומר המגדלור רושם כל אחת מהן, עם השעה והרוח.</p>`,
).join("\n");

const feed = (origin) => `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>The Harbour Paper</title>
<link>${origin}/</link><description>News of a small harbour</description>${["The ferry", "The light", "The nets"]
  .map(
    (title, i) => `<item><title>${title}</title><link>${origin}/${i}</link><guid>${origin}/${i}</guid>
<pubDate>${new Date(Date.now() - i * 3600e3).toUTCString()}</pubDate>
<category>Harbour news</category><category>${"LongCategory".repeat(8)}</category>
<description><![CDATA[${paragraphs(title)}]]></description></item>`,
  )
  .join("")}</channel></rss>`;

// This newspaper and its feed contain no Latin letters, so that all Latin letters on a page are from Carrel.
const sentence = "Пором виходить із гавані о шостій ранку, коли над причалом ще лежить туман, а доглядач маяка записує вітер.";
const ukrainianPage = (number) => `<!doctype html><html lang="uk"><head><meta charset="utf-8"><title>Ранок у гавані ${number}</title>
<link rel="alternate" type="application/rss+xml" title="Газета гавані" href="/11.xml"></head>
<body><main><article><h1>Ранок у гавані ${number}</h1>${`<p>${sentence}</p>`.repeat(9)}</article></main></body></html>`;
const ukrainianFeed = (origin) => `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Газета гавані</title>
<link>${origin}/11</link><description>Новини</description><language>uk</language>${[12, 13, 14]
  .map(
    (number) => `<item><title>Ранок у гавані ${number}</title><link>${origin}/${number}</link><guid>${origin}/${number}</guid>
<pubDate>${new Date(Date.now() - number * 3600e3).toUTCString()}</pubDate><description>${`<p>${sentence}</p>`.repeat(3).replaceAll("<", "&lt;")}</description></item>`,
  )
  .join("")}</channel></rss>`;

const shop = (price) => `<!doctype html><html lang="en"><head><title>Lamp – Shop</title>
<script type="application/ld+json">${JSON.stringify({
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Lamp",
  offers: { "@type": "Offer", price: String(price), priceCurrency: "EUR", availability: "https://schema.org/InStock" },
})}</script></head><body><main><h1>Lamp</h1><p class="price">€ ${price}.00</p><p>A lamp of brass for the desk, made in the
harbour town, with a switch in its foot and a shade of green glass.</p></main></body></html>`;

/// Starts the site. `messages` are the received signed messages, each verified with the secret that was passed to
/// `trust`.
export async function start() {
  const state = { price: 49, secret: "", messages: [] };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://here").pathname;
    const html = (body) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
    if (request.method === "POST" && path === "/hook") {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      state.messages.push({ isSigned: isSigned(state.secret, request.headers, body), body: body.toString() });
      return response.writeHead(204).end();
    }
    if (path === "/feed.xml")
      return response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed(state.origin));
    if (path === "/11.xml")
      return response.writeHead(200, { "content-type": "application/rss+xml" }).end(ukrainianFeed(state.origin));
    if (/^\/1\d$/.test(path)) return html(ukrainianPage(path.slice(1)));
    if (path === "/lamp") return html(shop(state.price));
    if (path === "/guide") return html(article("A guide to the harbour", "en", "ltr", guide));
    if (path === "/boat.png") return response.writeHead(200, { "content-type": "image/png" }).end(boat());
    if (path === "/rtl") return html(article("הנמל בבוקר", "he", "rtl", hebrew));
    if (path === "/" || /^\/\d$/.test(path)) return html(article(path === "/" ? "The Harbour Paper" : "A morning in the harbour"));
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.origin = `http://127.0.0.1:${server.address().port}`;
  state.stop = () => server.close();
  return state;
}

/// Standard Webhooks: HMAC-SHA256 of id, time and body under the secret's bytes.
function isSigned(secret, headers, body) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = Buffer.from(createHmac("sha256", key).update(signed).digest("base64"));
  return (headers["webhook-signature"] ?? "").split(" ").some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ""));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
