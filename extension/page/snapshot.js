// Defines, in the page, how to write a copy of the page as the person sees it: one HTML file with its styles, pictures and
// fonts, shadow roots and frames of the same site as declarative shadow roots, without scripts. The files are read by the
// page itself, with the person's own session; those that its site does not let it read keep their address, which the
// server leaves out and counts. Values of form fields are never read.
globalThis.carrelSnapshot = async () => {
  /// Maximum length of the markup and styles of a page, in characters. The server accepts 20 MiB including the files.
  const MARKUP_LIMIT = 3_000_000;
  /// Maximum length of a file, and of all files together, as `data:` URLs. A file counts each time that it is
  /// written.
  const FILE_LIMIT = 6_000_000;
  const FILES_LIMIT = 10_000_000;
  /// Maximum total length of the style sheets of other sites, in characters.
  const SHEETS_LIMIT = 1_000_000;
  const PARALLEL_FILES = 6;
  const FILE_MS = 10_000;
  /// Time after which no further file is read.
  const TOTAL_MS = 30_000;
  const FRAME_DEPTH = 5;
  const IMPORT_DEPTH = 4;
  /// Browsers list at least this many loaded files. If there are more, a file of a style may be missing from the
  /// list.
  const REMEMBERED = 250;

  const XHTML = "http://www.w3.org/1999/xhtml";
  const VOID = new Set(["area", "br", "col", "hr", "img", "input", "wbr"]);
  const LEFT_OUT = new Set(["script", "noscript", "template", "base", "source", "track", "param", "applet"]);
  const RENAMED = { frameset: "div", xmp: "pre", listing: "pre", plaintext: "pre" };
  const NOT_COPIED = new Set(["src", "srcset", "sizes", "srcdoc", "action", "formaction", "ping", "nonce", "integrity", "loading", "checked", "selected", "autofocus", "background"]);
  /// Types of fields whose value is their label.
  const LABELLED = new Set(["button", "submit", "reset"]);
  /// Placeholder for a file that is not in the copy. The server counts these placeholders in styles.
  const MISSING = "data:,";

  // Properties are read by the getters of the prototypes, because fields of a form, for example, can hide its
  // properties of the same name.
  const property = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const typeOf = property(Node.prototype, "nodeType");
  const childrenOf = property(Node.prototype, "childNodes");
  const baseOf = property(Node.prototype, "baseURI");
  const tagOf = property(Element.prototype, "localName");
  const namespaceOf = property(Element.prototype, "namespaceURI");
  const attributesOf = property(Element.prototype, "attributes");
  const openRootOf = property(Element.prototype, "shadowRoot");

  /// Addresses of the files that the browser loaded for the page and its frames.
  const loaded = new Set();
  /// Numbers of omitted parts by kind. Pictures include fonts.
  const left = { pictures: 0, styles: 0, frames: 0 };
  let parts = [];
  let length = 0;
  let isCut = false;

  function withoutFragment(address) {
    return address.split("#")[0];
  }

  function remember(view) {
    for (const { name } of view.performance.getEntriesByType("resource")) loaded.add(withoutFragment(name));
  }

  /// Writes texts, and files as `{ file }`, which are read at the end.
  function write(...written) {
    for (const part of written) {
      const size = typeof part === "string" ? part.length : 0;
      if (length + size > MARKUP_LIMIT) isCut = true;
      if (isCut) return;
      length += size;
      parts.push(part);
    }
  }

  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = (text) => escaped(text).replace(/"/g, "&quot;");
  const attribute = (name, value) => ` ${name}="${quoted(value)}"`;

  function absolute(address, base) {
    try {
      return new URL(address.trim(), base).href;
    } catch {
      return null;
    }
  }

  /// Returns the shadow root of an element, even if it is closed.
  function shadowOf(element) {
    try {
      return globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? element.openOrClosedShadowRoot ?? openRootOf(element);
    } catch {
      return openRootOf(element);
    }
  }

  // Styles

  /// Returns the parts of a style. Files that the browser loaded are read at the end. Other files remain addresses: they
  /// belong to rules that do not apply.
  function styleParts(css, base, encode = (text) => text) {
    const result = [];
    let end = 0;
    for (const match of css.matchAll(/url\(\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([^"'()\s]*))\s*\)/gi)) {
      const address = (match[1] ?? match[2] ?? match[3]).replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code) => character(code)).replace(/\\([^])/g, "$1");
      if (/^\s*(#|data:)/i.test(address) || !address) continue;
      const url = absolute(address, base);
      result.push(encode(css.slice(end, match.index)));
      end = match.index + match[0].length;
      if (!url) continue;
      const isLoaded = url.startsWith("blob:") || loaded.has(withoutFragment(url)) || loaded.size >= REMEMBERED;
      if (isLoaded) result.push(encode('url("'), { file: url, isStyle: true }, encode('")'));
      else result.push(encode(`url("${url.replace(/["\\\n]/g, (one) => encodeURIComponent(one))}")`));
    }
    result.push(encode(css.slice(end)));
    return result;
  }

  function character(code) {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }

  /// Parts of the rules of a style sheet. Null if the page may not read them.
  function ruleParts(sheet, base, depth = 0) {
    let rules;
    try {
      rules = [...sheet.cssRules];
    } catch {
      return null;
    }
    const from = sheet.href ?? base;
    return rules.flatMap((rule) => (rule.type === CSSRule.IMPORT_RULE ? importedParts(rule, from, depth) : [...styleParts(rule.cssText, from), "\n"]));
  }

  function importedParts(rule, base, depth) {
    const inner = rule.styleSheet && depth < IMPORT_DEPTH ? ruleParts(rule.styleSheet, base, depth + 1) : null;
    if (!inner) {
      left.styles += 1;
      return [];
    }
    let text = inner;
    if (rule.media.mediaText) text = [`@media ${rule.media.mediaText}{`, ...text, "}"];
    if (rule.supportsText) text = [`@supports ${rule.supportsText}{`, ...text, "}"];
    if (typeof rule.layerName === "string") text = [`@layer ${rule.layerName}{`, ...text, "}"];
    return text;
  }

  /// Writes the element of a style. A style of SVG is markup, and one of HTML only must not end early.
  function writeStyle(inside, media, isMarkup = false) {
    const safe = (text) => (isMarkup ? escaped(text) : text.replace(/<\//g, "<\\/"));
    const opening = `<style${media ? attribute("media", media) : ""}>`;
    write(opening, ...inside.map((part) => (typeof part === "string" ? safe(part) : part)), "</style>");
  }

  function writeSheet(element) {
    const { sheet } = element;
    if (!sheet || sheet.disabled) return;
    const isLink = element.localName === "link";
    const inside = ruleParts(sheet, element.baseURI);
    const media = element.getAttribute("media");
    if (inside) return writeStyle(inside, media, element.namespaceURI !== XHTML);
    // The style sheet of another site: it is read as a file.
    if (isLink) write({ sheet: sheet.href, media });
  }

  function writeAdopted(root, base) {
    let sheets = [];
    try {
      sheets = [...(root.adoptedStyleSheets ?? [])];
    } catch {
      // Firefox hides them from extensions.
      left.styles += 1;
    }
    for (const sheet of sheets) if (!sheet.disabled) writeStyle(ruleParts(sheet, base) ?? [], sheet.media.mediaText);
  }

  // Elements

  function writeAttributes(element, isPicture) {
    const base = baseOf(element);
    for (const { name, value } of attributesOf(element)) {
      const key = name.toLowerCase();
      if (key.startsWith("on") || key.startsWith("data-carrel-") || NOT_COPIED.has(key) || /[\s"'<>/=]/.test(name)) continue;
      if (key === "value" && tagOf(element) === "input") continue;
      if (key === "style") {
        write(' style="', ...styleParts(value, base, quoted), '"');
      } else if (key === "poster") {
        const url = absolute(value, base);
        if (url) write(' poster="', { file: url }, '"');
      } else if (key.endsWith("href") && !value.startsWith("#")) {
        writeLink(element, name, absolute(value, base));
      } else {
        write(attribute(name, value));
      }
    }
    if (tagOf(element) === "input" && LABELLED.has(element.type)) write(attribute("value", element.value));
    const source = isPicture ? element.currentSrc || element.getAttribute("src") : "";
    const url = source && absolute(source, base);
    if (url) write(' src="', { file: url, image: element }, '"');
  }

  function writeLink(element, name, url) {
    const isPicture = ["image", "feImage"].includes(tagOf(element));
    if (!url || /^(javascript|vbscript):/i.test(url)) return;
    if (isPicture) write(` ${name}="`, { file: url }, '"');
    else write(attribute(name, url));
  }

  /// The picture of a canvas. A canvas with pictures of other sites cannot be read.
  function writeCanvas(canvas) {
    const { width, height } = canvas.getBoundingClientRect();
    const style = `${canvas.getAttribute("style") ?? ""};width:${width}px;height:${height}px`;
    let data = null;
    try {
      data = canvas.toDataURL("image/png");
    } catch {
      // Counted below.
    }
    if (!data?.startsWith("data:image/")) left.pictures += 1;
    else write(`<img alt=""${attribute("class", canvas.getAttribute("class") ?? "")}${attribute("style", style)} src="`, { data }, '">');
  }

  /// Writes a frame of the same site as a shadow root. Others are left out.
  function writeFrame(frame, depth, steps) {
    let inside = null;
    try {
      inside = frame.contentDocument;
    } catch {
      // A frame of another site.
    }
    if (!inside?.body || depth >= FRAME_DEPTH) {
      left.frames += 1;
      return write("<object></object>");
    }
    const { width, height } = frame.getBoundingClientRect();
    remember(inside.defaultView);
    write(`<div style="display:inline-block;overflow:auto;width:${width}px;height:${height}px"><template shadowrootmode="open"${/^http/.test(inside.baseURI) ? attribute("data-carrel-base", inside.baseURI) : ""}>`);
    steps.push(() => {
      writeAdopted(inside, inside.baseURI);
      write("</template></div>");
    });
    push(steps, [...inside.querySelectorAll("head style, head link"), ...inside.body.childNodes], depth + 1);
  }

  function push(steps, nodes, depth) {
    for (let at = nodes.length - 1; at >= 0; at--) steps.push({ node: nodes[at], depth });
  }

  function writeElement(element, depth, steps) {
    const tag = tagOf(element);
    if (LEFT_OUT.has(tag) || attributesOf(element)["data-carrel-picker"]) return;
    if (tag === "style" || tag === "link") return writeSheet(element);
    if (tag === "meta") {
      const isAppearance = /^(viewport|color-scheme)$/i.test(element.name);
      return isAppearance ? write(`<meta${attribute("name", element.name)}${attribute("content", element.content)}>`) : undefined;
    }
    if (tag === "iframe" || tag === "frame") return writeFrame(element, depth, steps);
    if (tag === "object" || tag === "embed" || tag === "fencedframe") {
      left.frames += 1;
      return write("<object></object>");
    }
    if (tag === "canvas") return writeCanvas(element);
    if (tag === "input" && element.type === "hidden") return;
    const name = RENAMED[tag] ?? tag;
    write(`<${name}`);
    writeAttributes(element, namespaceOf(element) === XHTML && (tag === "img" || (tag === "input" && element.type === "image")));
    write(">");
    if (VOID.has(name)) return;
    steps.push(`</${name}>`);
    // The text of a field is its value.
    if (tag === "textarea") return;
    if (tag === "head") {
      steps.push(() => writeAdopted(document, document.baseURI));
      write('<meta charset="utf-8">');
    }
    push(steps, [...childrenOf(element)], depth);
    const root = shadowOf(element);
    if (!root) return;
    steps.push(() => {
      writeAdopted(root, baseOf(element));
      write("</template>");
    });
    push(steps, [...childrenOf(root)], depth);
    write(`<template shadowrootmode="open">`);
  }

  /// Writes the document without recursion: a deep document must not exhaust the stack.
  function writeDocument() {
    write("<!doctype html>");
    const steps = [];
    push(steps, [document.documentElement], 0);
    while (steps.length && !isCut) {
      const step = steps.pop();
      if (typeof step === "string") write(step);
      else if (typeof step === "function") step();
      else if (typeOf(step.node) === Node.TEXT_NODE) write(escaped(step.node.data));
      else if (typeOf(step.node) === Node.ELEMENT_NODE) writeElement(step.node, step.depth, steps);
    }
  }

  // Files

  const until = performance.now() + TOTAL_MS;
  let bytes = 0;

  async function read(address) {
    const timeLeft = Math.min(FILE_MS, until - performance.now());
    if (timeLeft <= 0 || bytes > FILES_LIMIT) return null;
    try {
      const response = await fetch(address, { cache: "force-cache", signal: AbortSignal.timeout(timeLeft) });
      const blob = response.ok || address.startsWith("blob:") ? await response.blob() : null;
      if (!blob?.size || blob.size * 1.34 > FILE_LIMIT) return null;
      bytes += blob.size;
      return blob;
    } catch {
      return null;
    }
  }

  async function dataOf(blob) {
    const reader = new FileReader();
    await new Promise((resolve, reject) => {
      reader.onload = resolve;
      reader.onerror = reject;
      reader.readAsDataURL(blob);
    });
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(blob.type)?.[0] ?? "application/octet-stream";
    return `data:${type};base64,${reader.result.slice(reader.result.indexOf(",") + 1)}`;
  }

  /// The picture that an element displays, if it cannot be read as a file.
  function drawn(image) {
    if (!image?.complete || !image.naturalWidth) return null;
    try {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext("2d").drawImage(image, 0, 0);
      const data = canvas.toDataURL("image/png");
      return data.startsWith("data:image/") && data.length <= FILE_LIMIT ? data : null;
    } catch {
      return null;
    }
  }

  async function readFile({ file, image }) {
    const isPlain = /^data:/i.test(file) && !/["<>\s\\]/.test(file);
    if (isPlain) return file.length <= FILE_LIMIT ? file : null;
    const blob = await read(withoutFragment(file));
    return blob ? dataOf(blob).catch(() => null) : drawn(image);
  }

  /// Reads the files, several at a time. Returns their `data:` URLs by address.
  async function readFiles(wanted) {
    const files = new Map();
    const waiting = [...new Map(wanted.map((part) => [part.file, part])).values()];
    const next = async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) files.set(part.file, await readFile(part));
    };
    await Promise.all(Array.from({ length: PARALLEL_FILES }, next));
    return files;
  }

  /// Replaces the style sheets of other sites with their rules.
  async function readSheets() {
    const written = parts;
    const isShort = !isCut;
    let size = 0;
    [parts, length, isCut] = [[], 0, false];
    for (const part of written) {
      if (!part.sheet) {
        parts.push(part);
        continue;
      }
      const css = await (await read(part.sheet))?.text().catch(() => null);
      size += css?.length ?? 0;
      if (css != null && size <= SHEETS_LIMIT) {
        writeStyle(styleParts(css, part.sheet), part.media);
        continue;
      }
      // The server counts the element as a style sheet that is missing.
      left.styles += 1;
      parts.push(`<link rel="stylesheet"${attribute("href", part.sheet)}>`);
    }
    isCut = !isShort;
  }

  /// The fragment of a drawing names the part of it that a style uses.
  function fragmentOf({ file, isStyle }, data) {
    const fragment = /#([\w.:-]+)$/.exec(file ?? "")?.[0];
    return isStyle && fragment && data.startsWith("data:image/svg") && !data.includes("#") ? fragment : "";
  }

  async function finished() {
    const files = await readFiles(parts.filter((part) => part.file));
    const failed = new Set();
    let size = 0;
    const isRoom = (text) => size + text.length <= FILES_LIMIT;
    const texts = parts.map((part) => {
      if (typeof part === "string") return part;
      const data = part.data ?? files.get(part.file);
      const isWritten = data && data.length <= FILE_LIMIT && isRoom(data);
      if (!isWritten) failed.add(part.file ?? part);
      const address = !part.isStyle && /^https?:/.test(part.file ?? "") ? quoted(part.file) : MISSING;
      const text = isWritten ? data + fragmentOf(part, data) : isRoom(address) ? address : MISSING;
      size += text.length;
      return text;
    });
    left.pictures += failed.size;
    return texts.join("").toWellFormed();
  }

  remember(globalThis);
  writeDocument();
  await readSheets();
  return { url: location.href, html: await finished(), isCut, left };
};
