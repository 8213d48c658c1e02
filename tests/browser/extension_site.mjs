// Ten pages that a server cannot read as a person sees them, each with words that the person sees, words that are
// hidden, and, on some pages, words to select. Used by `extension.mjs`.
import { createServer } from "node:http";

const text = (about) =>
  Array.from(
    { length: 5 },
    (_, i) => `<p>${about}, part ${i + 1}. The harbour master writes down each boat that passes the light, with the hour and the wind, and
reads the list aloud in the evening, when the nets are dry and the town is quiet again.</p>`,
  ).join("\n");

const page = (title, body, head = "", attributes = 'lang="en"') => `<!doctype html><html ${attributes}><head><meta charset="utf-8">
<title>${title}</title>${head}<style>.gone { display: none }</style></head><body><header><nav><a href="/">Home</a></nav></header>${body}</body></html>`;
const article = (title, body, head, attributes) => page(title, `<main><article><h1>${title}</h1>${body}</article></main>`, head, attributes);

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAF0lEQVR42mNkaGD4z4AFMDEMSGMUAwAm3gEHc3CM9QAAAABJRU5ErkJggg==",
  "base64",
);

export const RIGHT_TO_LEFT = "המעבורת יוצאת מהנמל בשש בבוקר, כשהערפל עוד שוכב על הרציף והרשתות הראשונות נמשכות";

/// Pages by path: HTML, words that the person sees, hidden words, and an action on the page.
export const PAGES = {
  "/members": {
    title: "Members only",
    html: (request) =>
      /session=ada/.test(request.headers.cookie ?? "")
        ? article("Members only", `${text("For members")}<p>The password of the boathouse is heron.</p>`)
        : article("Members only", "<p>Sign in to read this page.</p>"),
    seen: ["For members, part 5", "boathouse is heron"],
    unseen: ["Sign in to read"],
  },
  "/shadow": {
    title: "Shadow roots",
    html: () =>
      page(
        "Shadow roots",
        `<main><h1>Shadow roots</h1><harbour-text><p slot="lead">The lead stands in the light.</p></harbour-text></main><script>
customElements.define("harbour-text", class extends HTMLElement { connectedCallback() {
  const open = this.attachShadow({ mode: "open" });
  open.innerHTML = '<style>.gone { display: none }</style><article><slot name="lead"></slot>${text("In the open root").replace(/\n/g, " ")}<p class="gone">Nobody sees this line of the root.</p><inner-text></inner-text></article>';
} });
customElements.define("inner-text", class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: "closed" }).innerHTML = "<p>The closed root says that the lamp was lit at nine.</p>";
} });</script>`,
      ),
    seen: ["In the open root, part 5", "The lead stands in the light", "lamp was lit at nine"],
    unseen: ["Nobody sees this line"],
    mark: "In the open root, part 2",
    quote: /^In the open root, part 2.*quiet again\.$/,
  },
  "/lazy": {
    title: "Lazy pictures",
    html: () =>
      article(
        "Lazy pictures",
        `${text("With pictures")}<figure><img alt="The quay" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/quay.png"><figcaption>The quay in fog.</figcaption></figure>
<figure><picture><source srcset="/pier-large.png 2x, /pier.png 1x"><img alt="The pier" src="/none.png"></picture><figcaption>The pier at noon.</figcaption></figure>${text("Below the pictures")}`,
      ),
    seen: ["With pictures, part 5", "The quay in fog", "The pier at noon"],
    unseen: [],
    pictures: ["/quay.png", "/pier.png"],
  },
  "/selection": {
    title: "A selection",
    html: () => article("A selection", `${text("To be marked")}<p id="quote">Nobody counts the boats any more, but the keeper of the light does.</p>${text("After the mark")}`),
    seen: ["To be marked, part 1", "After the mark, part 5"],
    unseen: [],
    select: "#quote",
    quote: /^Nobody counts the boats any more, but the keeper of the light does\.$/,
  },
  "/frames": {
    title: "Frames",
    html: () => page("Frames", `<main><h1>Frames</h1><iframe src="/inside" width="700" height="300"></iframe><iframe srcdoc="<p>The second frame has the tide table for Friday, which the harbour master copies from the almanac of the coast.</p>"></iframe>${text("Below the frames")}</main>`),
    seen: ["Inside the frame, part 5", "tide table for Friday"],
    unseen: [],
  },
  "/policy": {
    title: "A strict policy",
    headers: { "content-security-policy": "default-src 'none'; sandbox allow-same-origin allow-scripts; require-trusted-types-for 'script'; trusted-types 'none'" },
    html: () => article("A strict policy", text("Under a strict policy")),
    seen: ["Under a strict policy, part 5"],
    unseen: [],
  },
  "/long": {
    title: "A long page",
    html: () => article("A long page", Array.from({ length: 1500 }, (_, i) => `<p>Line ${i} of the long list of boats, which the keeper of the light wrote in the winter of the great storm.</p>`).join("\n")),
    seen: ["Line 0 of the long list", "Line 750 of the long list", "Line 1499 of the long list"],
    unseen: [],
  },
  "/rtl": {
    title: "המעבורת",
    html: () => article("המעבורת", Array.from({ length: 6 }, (_, i) => `<p>${RIGHT_TO_LEFT}, חלק ${i + 1}. איש אינו סופר עוד את הסירות, אך שומר המגדלור רושם כל אחת מהן.</p>`).join("\n"), "", 'lang="he" dir="rtl"'),
    seen: [`${RIGHT_TO_LEFT}, חלק 6`],
    unseen: [],
  },
  "/drawing": {
    title: "A drawing",
    html: () =>
      article(
        "A drawing",
        `${text("With a chart")}<svg viewBox="0 0 400 60" width="400"><title>Boats in a week</title><rect width="40" height="20"/>
<text x="0" y="40">Monday fourteen boats</text><text x="150" y="40">Tuesday nine boats</text></svg>${text("Below the chart")}`,
      ),
    seen: ["Monday fourteen boats", "Tuesday nine boats", "Below the chart, part 5"],
    unseen: [],
  },
  "/dialog": {
    title: "In a dialog",
    html: () =>
      page(
        "In a dialog",
        `<main><h1>All boats</h1><ul>${Array.from({ length: 12 }, (_, i) => `<li><a href="/boat/${i}">Boat number ${i}</a></li>`).join("")}</ul></main>
<dialog id="reader"><h2>In a dialog</h2>${text("In the dialog")}<p class="gone">The hidden line of the dialog.</p></dialog><script>document.getElementById("reader").showModal()</script>`,
      ),
    seen: ["In the dialog, part 1", "In the dialog, part 5"],
    unseen: ["hidden line of the dialog"],
  },
};

const feed = (origin) => `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour notes</title><link>${origin}/</link>
<description>Notes</description><item><title>The light</title><link>${origin}/light</link><guid>light</guid></item></channel></rss>`;
const shop = `<p class="price css-1x9f8a7b">€ 49.00</p><p>A lamp of brass for the desk, made in the harbour town, with a switch in its foot.</p>`;

/// Page with a picture of its origin, a picture that it may not read, two shadow roots, a password, and scripts.
const keepable = (far) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3600;url=/shop">
<title>A page to keep</title></head><body onload="this.ran = true"><main><h1>A page to keep</h1>${text("To be kept")}
<p id="mark">The boats are counted in the evening.</p><img src="/quay.png" alt="The quay" width="80" height="80">
<img src="${far}/far.png" alt="Far away" width="80" height="80"><harbour-log></harbour-log>
<form><label>Password <input id="password" type="password"></label></form></main><script>
customElements.define("harbour-log", class extends HTMLElement { connectedCallback() {
  const styles = new CSSStyleSheet();
  styles.replaceSync("p { color: rgb(1, 2, 3) }");
  const open = this.attachShadow({ mode: "open" });
  open.innerHTML = "<p>The open root keeps the log.</p><div></div>";
  open.adoptedStyleSheets = [styles];
  open.querySelector("div").attachShadow({ mode: "closed" }).innerHTML = "<p>The closed root keeps the key.</p>";
} });</script></body></html>`;

export const NOTES = "The tide is high at noon.\n".repeat(20);

export async function start() {
  const requests = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://here");
    requests.push({ path: pathname, agent: request.headers["user-agent"] ?? "" });
    const known = PAGES[pathname];
    const html = (body, headers = {}) => response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
    if (known) return html(known.html(request), known.headers);
    if (pathname === "/inside") return html(article("Inside", text("Inside the frame")));
    if (pathname.endsWith(".png") && pathname !== "/none.png") return response.writeHead(200, { "content-type": "image/png" }).end(pixel);
    if (pathname === "/endless") return html(article("An endless page", "<p>A line of the endless list of boats.</p>\n".repeat(60_000)));
    if (pathname === "/notes.txt") return response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(NOTES);
    if (pathname === "/other") return html(article("Another site inside", `${text("Around the frame")}<iframe src="http://localhost:${server.address().port}/inside" width="900" height="600"></iframe>`));
    if (pathname === "/copy") return html(keepable(`http://localhost:${server.address().port}`));
    if (pathname === "/feed.xml") return response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed(server.origin));
    if (pathname === "/shop") return html(article("Lamp", shop, '<link rel="alternate" type="application/rss+xml" title="Harbour notes" href="/feed.xml">'));
    if (pathname === "/canonical") return html(article("The canonical page", text("Elsewhere"), `<link rel="canonical" href="${server.origin}/members">`));
    if (pathname === "/links") return html(article("Links", `${text("With links")}<p><a id="link" href="/inside">Inside</a> <img id="picture" src="/quay.png" width="80" height="80" alt="The quay"></p>`));
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.origin = `http://127.0.0.1:${server.address().port}`;
  return { origin: server.origin, requests, close: () => server.close() };
}
