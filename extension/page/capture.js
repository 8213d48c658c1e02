// Runs in the page when it is saved: serializes the page as the person sees it. Shadow roots and frames of the same
// site become part of the page, pictures get the displayed source, and hidden content is left out. Values of form
// fields are never read.
(() => {
  /// Maximum length of the content that a server accepts, in characters, minus a reserve for the closing tags.
  const LIMIT = 2_000_000 - 20_000;
  /// Length of the head beyond which no further structured data is written.
  const HEAD_LIMIT = 200_000;
  const QUOTE_LIMIT = 10_000;
  const CONTEXT = 64;
  const FRAME_DEPTH = 5;
  /// Share of the window above which an unreadable frame causes a warning.
  const LARGE_FRAME = 0.25;

  const LEFT_OUT = new Set(["script", "style", "link", "meta", "base", "title", "template", "noscript", "source", "param", "canvas", "input", "textarea", "select", "datalist", "option", "object", "embed", "applet"]);
  const VOID = new Set(["area", "br", "col", "hr", "img", "track", "wbr"]);
  const RENAMED = { xmp: "pre", listing: "pre", plaintext: "pre", frameset: "div", dialog: "div" };
  /// Elements renamed in a frame: a frame is a part of the page, so its article must not replace the article of the page.
  const RENAMED_IN_FRAME = { main: "div", article: "div" };
  const COPIED = new Set(["id", "class", "lang", "dir", "title", "alt", "width", "height", "colspan", "rowspan", "headers", "scope", "start", "reversed", "value", "type", "datetime", "cite", "rel", "role", "itemprop", "itemtype", "itemscope", "property", "open", "kind", "label", "srclang", "controls", "align", "for", "name", "aria-label", "aria-level", "aria-hidden", "aria-modal", "data-lang", "data-language", "data-footnote-ref"]);
  const MATH = "http://www.w3.org/1998/Math/MathML";
  const SVG = "http://www.w3.org/2000/svg";

  const warnings = [];
  const output = { parts: [], length: 0, isCut: false };

  function write(text) {
    output.parts.push(text);
    output.length += text.length;
  }

  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = (text) => escaped(text).replace(/"/g, "&quot;");
  const attribute = (name, value) => ` ${name}="${quoted(value)}"`;

  function absolute(address, node) {
    try {
      const url = new URL(address.trim(), node.baseURI);
      return /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
    } catch {
      return null;
    }
  }

  /// Returns the shadow root of an element, even if it is closed.
  function shadowOf(element) {
    try {
      return element.openOrClosedShadowRoot ?? globalThis.chrome?.dom?.openOrClosedShadowRoot(element) ?? element.shadowRoot;
    } catch {
      return element.shadowRoot;
    }
  }

  const styleOf = (element) => element.ownerDocument.defaultView?.getComputedStyle(element);

  /// True for text that only screen readers read.
  function isClipped(element, style) {
    return style.position === "absolute" && style.overflow !== "visible" && element.offsetWidth <= 1 && element.offsetHeight <= 1;
  }

  function children(node) {
    if (node.localName === "slot" && node.getRootNode().host) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    return (shadowOf(node) ?? node).childNodes;
  }

  /// Source of a picture: the displayed one, or the one that a script would load.
  function pictureSource(image) {
    const displayed = image.currentSrc || image.getAttribute("src") || "";
    const isPlaceholder = !displayed || /^(data|blob):/.test(displayed) || image.complete === false || image.naturalWidth <= 2;
    if (isPlaceholder) {
      const largest = (list) => list?.split(/,\s+/).pop().trim().split(/\s+/)[0];
      const names = ["data-src", "data-lazy-src", "data-original", "data-full-src", "data-hi-res-src"];
      const lists = ["data-srcset", "data-lazy-srcset", "srcset"];
      const picture = image.closest("picture");
      const waiting = [
        ...names.map((name) => image.getAttribute(name)),
        ...lists.map((name) => largest(image.getAttribute(name))),
        ...[...(picture?.querySelectorAll("source") ?? [])].flatMap((source) => ["srcset", "data-srcset"].map((name) => largest(source.getAttribute(name)))),
      ];
      const deferred = waiting.find((address) => address && absolute(address, image));
      if (deferred) return absolute(deferred, image);
    }
    return displayed && absolute(displayed, image);
  }

  function attributes(element, tag) {
    let text = "";
    for (const { name, value } of element.attributes) if (COPIED.has(name) || element.namespaceURI === MATH) text += attribute(name, value);
    for (const name of ["href", "poster", "src"]) {
      if (!element.hasAttribute(name) || tag === "img") continue;
      const value = (name === "src" && element.currentSrc) || element.getAttribute(name);
      const address = name === "href" && value.startsWith("#") ? value : absolute(value, element);
      if (address) text += attribute(name, address);
    }
    return text;
  }

  function writePicture(image) {
    const source = pictureSource(image);
    if (source) write(`<img${attribute("src", source)}${attributes(image, "img")}>`);
    else if (image.alt) write(escaped(image.alt));
  }

  /// Texts of a drawing, such as the labels of a chart. The shapes are left out.
  function writeDrawing(drawing) {
    const texts = [...drawing.querySelectorAll("text")].map((text) => text.textContent.replace(/\s+/g, " ").trim()).filter(Boolean);
    const title = drawing.querySelector(":scope > title")?.textContent.trim() || drawing.getAttribute("aria-label");
    const lines = [...new Set([title, ...texts].filter(Boolean))];
    if (texts.length) write(`<figure>${lines.map((line) => `<p>${escaped(line)}</p>`).join("")}</figure>`);
  }

  function writeFrame(frame, depth) {
    let inside = null;
    try {
      inside = frame.contentDocument;
    } catch {
      // A frame of another site.
    }
    if (inside?.body && depth < FRAME_DEPTH) {
      write("<div>");
      writeChildren(inside.body, { depth: depth + 1, isSeen: true });
      return write("</div>");
    }
    const source = frame.getAttribute("src") && absolute(frame.getAttribute("src"), frame);
    if (!source) return;
    write(`<iframe${attribute("src", source)}${attributes(frame, "img")}></iframe>`);
    const { width, height } = frame.getBoundingClientRect();
    if (width * height > LARGE_FRAME * innerWidth * innerHeight) {
      warnings.push(`A part of the page comes from ${new URL(source).host} and was not saved.`);
    }
  }

  function writeChildren(node, context) {
    for (const child of children(node)) writeNode(child, context);
  }

  function writeNode(node, context) {
    if (output.length > LIMIT) {
      output.isCut = true;
      return;
    }
    if (node.nodeType === Node.TEXT_NODE) {
      if (context.isSeen) write(escaped(node.data).slice(0, LIMIT + 1 - output.length));
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) writeElement(node, context);
  }

  function writeElement(element, { depth, isSeen }) {
    const tag = element.localName;
    if (LEFT_OUT.has(tag) || element.hasAttribute("data-carrel-picker")) return;
    const style = styleOf(element);
    if (!style || style.display === "none" || (element.namespaceURI !== SVG && isClipped(element, style))) return;
    const context = { depth, isSeen: style.visibility === "visible" };
    if (tag === "svg") return context.isSeen ? writeDrawing(element) : undefined;
    if (tag === "img") return context.isSeen ? writePicture(element) : undefined;
    if (tag === "iframe" || tag === "frame") return context.isSeen ? writeFrame(element, depth) : undefined;
    // A slot and a picture have no box of their own; the picture's source is already chosen.
    if (tag === "slot" || tag === "picture") return writeChildren(element, context);
    // Names of custom elements have no meaning outside the page.
    const isBlock = !/^(inline|contents)/.test(style.display);
    const name = RENAMED[tag] ?? (depth ? RENAMED_IN_FRAME[tag] : undefined) ?? (tag.includes("-") ? (isBlock ? "div" : "span") : tag);
    const main = element === covering ? ` role="main"` : "";
    write(`<${name}${attributes(element, tag)}${main}>`);
    if (VOID.has(name)) return;
    writeChildren(element, context);
    write(`</${name}>`);
  }

  /// The dialog that covers the page, if the text that the person reads is in it.
  function coveringDialog() {
    const dialogs = [...document.querySelectorAll("dialog:modal, [aria-modal='true']")].filter((dialog) => dialog.checkVisibility?.() ?? true);
    const readable = (dialog) => dialog.innerText.length > 500 && dialog.querySelectorAll("p").length > 1;
    return dialogs.filter(readable).pop() ?? null;
  }

  function writeHead() {
    write(`<head><meta charset="utf-8"><title>${escaped(document.title)}</title>`);
    for (const meta of document.querySelectorAll("meta[content]")) {
      const named = ["name", "property", "itemprop"].filter((name) => meta.hasAttribute(name));
      if (named.length) write(`<meta${named.map((name) => attribute(name, meta.getAttribute(name))).join("")}${attribute("content", meta.content)}>`);
    }
    const canonical = document.querySelector('link[rel~="canonical" i][href]');
    if (canonical && absolute(canonical.href, document)) write(`<link rel="canonical"${attribute("href", canonical.href)}>`);
    for (const data of document.querySelectorAll('script[type="application/ld+json"]')) {
      if (output.length + data.textContent.length < HEAD_LIMIT) write(`<script type="application/ld+json">${data.textContent.replace(/<(?=[/!])/g, "\\u003c")}</script>`);
    }
    write("</head>");
  }

  /// The selection of a window, of a frame of the same site, or of a shadow root.
  function selectionOf(view) {
    const selection = view.getSelection();
    if (selection?.rangeCount && selection.toString().trim()) return selection;
    for (const frame of view.document.querySelectorAll("iframe, frame")) {
      try {
        const inside = frame.contentDocument && selectionOf(frame.contentWindow);
        if (inside) return inside;
      } catch {
        // A frame of another site.
      }
    }
    return null;
  }

  function highlight() {
    const selection = selectionOf(window);
    if (!selection) return null;
    const quote = selection.toString().trim();
    if (quote.length > QUOTE_LIMIT) warnings.push("The highlight is longer than 10,000 characters; its end was left out.");
    const contextOf = (side) => {
      const range = selection.getRangeAt(0);
      // The range of a selection in a shadow root is empty, and lies outside the root.
      if (range.collapsed) return "";
      const start = range.commonAncestorContainer;
      const element = start.nodeType === Node.ELEMENT_NODE ? start : start.parentElement;
      const block = element?.closest("p, li, blockquote, td, pre, h1, h2, h3, h4, article, section, div, body") ?? element;
      if (!block) return "";
      const part = block.ownerDocument.createRange();
      part.selectNodeContents(block);
      if (side === "before") part.setEnd(range.startContainer, range.startOffset);
      else part.setStart(range.endContainer, range.endOffset);
      const text = part.toString();
      return side === "before" ? text.slice(-CONTEXT) : text.slice(0, CONTEXT);
    };
    return { quote: quote.slice(0, QUOTE_LIMIT).toWellFormed(), prefix: contextOf("before").toWellFormed(), suffix: contextOf("after").toWellFormed() };
  }

  const covering = coveringDialog();
  const root = document.documentElement;
  write(`<!doctype html><html${["lang", "dir"].filter((name) => root.hasAttribute(name)).map((name) => attribute(name, root.getAttribute(name))).join("")}>`);
  writeHead();
  const body = document.body;
  write(`<body${body ? attributes(body, "body") : ""}>`);
  if (body) writeChildren(body, { depth: 0, isSeen: true });
  write("</body></html>");
  if (output.isCut) warnings.push("The page is longer than 2,000,000 characters; its end was left out.");
  return {
    url: location.href,
    title: document.title.trim(),
    contentType: document.contentType,
    html: output.parts.join("").toWellFormed(),
    isCut: output.isCut,
    highlight: highlight(),
    warnings,
  };
})();
