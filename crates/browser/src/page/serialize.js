// Returns the rendered document as HTML, with shadow roots and frames of the same origin inlined, without scripts. If
// the result is for display, it contains the styles and the displayed pictures, and shadow roots and frames are
// declarative shadow roots. If parts are requested, each has its number as an attribute.
(limit, isDisplayed, parts) => {
  const VOID = new Set(['AREA', 'BASE', 'BR', 'COL', 'EMBED', 'HR', 'IMG', 'INPUT', 'LINK', 'META', 'SOURCE', 'TRACK', 'WBR']);
  const LEFT_OUT = new Set(isDisplayed ? ['NOSCRIPT', 'TEMPLATE', 'SOURCE', 'BASE'] : ['NOSCRIPT', 'STYLE', 'TEMPLATE', 'OBJECT', 'EMBED']);
  const LINKS = isDisplayed ? ['href', 'src', 'poster'] : ['href', 'src'];
  const PLACEHOLDER = '<object></object>';
  const MAX_CANVAS = 1 << 20;
  const out = [];
  let size = 0;
  let cut = false;
  const write = (text) => {
    if (size + text.length > limit) { cut = true; return; }
    size += text.length;
    out.push(text);
  };
  const escapeText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const escapeValue = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  const startTag = (element, name, inFrame) => {
    let tag = '<' + name;
    for (const attribute of element.attributes) {
      const key = attribute.name;
      if (key.startsWith('on') || /[\s"'<>\/=]/.test(key)) continue;
      // A script can write capital letters, which HTML parsers convert to lower case.
      if ((isDisplayed || parts) && key.toLowerCase().startsWith('data-carrel-')) continue;
      if (isDisplayed && (key === 'srcset' || key === 'sizes')) continue;
      if (isDisplayed && key === 'src' && element.currentSrc) continue;
      let value = attribute.value;
      const isAbsolute = inFrame || (isDisplayed && !value.startsWith('#'));
      if (isAbsolute && LINKS.includes(key) && typeof element[key] === 'string') value = element[key];
      tag += ' ' + key + '="' + escapeValue(value) + '"';
    }
    if (isDisplayed && element.currentSrc) tag += ' src="' + escapeValue(element.currentSrc) + '"';
    const part = parts && parts.numbers.get(element);
    if (part) tag += ' data-carrel-part="' + part + '"';
    return tag + '>';
  };
  const styleTag = (css, media, isMarkup) => {
    const attribute = media ? ' media="' + escapeValue(media) + '"' : '';
    return '<style' + attribute + '>' + (isMarkup ? escapeText(css) : css.replace(/<\//g, '<\\/')) + '</style>';
  };
  const rulesOf = (sheet) => {
    try { return [...sheet.cssRules].map((rule) => rule.cssText).join('\n'); } catch { return ''; }
  };
  const adoptedStyles = (root) => [...(root.adoptedStyleSheets || [])].map((sheet) => styleTag(rulesOf(sheet), sheet.media.mediaText, false)).join('');
  const sheetTag = (element) => {
    const sheet = element.sheet;
    if (!sheet || sheet.disabled) return '';
    const media = element.getAttribute('media');
    if (element.tagName.toUpperCase() === 'STYLE') return styleTag(rulesOf(sheet), media, element.namespaceURI !== 'http://www.w3.org/1999/xhtml');
    return '<link rel="stylesheet" href="' + escapeValue(element.href) + '"' + (media ? ' media="' + escapeValue(media) + '"' : '') + '>';
  };
  const canvasTag = (canvas) => {
    try {
      const data = canvas.toDataURL('image/png');
      if (data.length > MAX_CANVAS) return '';
      const box = canvas.getBoundingClientRect();
      return '<img alt="" class="' + escapeValue(canvas.className) + '" style="width:' + box.width + 'px;height:' + box.height + 'px" src="' + data + '">';
    } catch { return ''; }
  };
  const frameBody = (frame) => {
    try { return frame.contentDocument && frame.contentDocument.body; } catch { return null; }
  };
  // Nodes and end tags that are still to be written, last first: a deep document must not exhaust the stack.
  const stack = [[document.documentElement, false]];
  const push = (nodes, inFrame) => {
    for (let index = nodes.length - 1; index >= 0; index--) stack.push([nodes[index], inFrame]);
  };
  while (stack.length > 0 && !cut) {
    const [node, inFrame] = stack.pop();
    if (typeof node === 'string') { write(node); continue; }
    if (node.nodeType === Node.TEXT_NODE) { write(escapeText(node.data)); continue; }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const tag = node.tagName.toUpperCase();
    if (tag === 'SCRIPT') {
      if (!isDisplayed && (node.getAttribute('type') || '').toLowerCase() === 'application/ld+json') {
        write('<script type="application/ld+json">' + node.textContent.replace(/<\//g, '<\\/') + '</script>');
      }
      continue;
    }
    if (LEFT_OUT.has(tag)) continue;
    if (isDisplayed && (tag === 'STYLE' || tag === 'LINK')) { write(sheetTag(node)); continue; }
    if (isDisplayed && (tag === 'OBJECT' || tag === 'EMBED')) { write(PLACEHOLDER); continue; }
    if (isDisplayed && tag === 'CANVAS') {
      const picture = canvasTag(node);
      if (picture) { write(picture); continue; }
    }
    if (!isDisplayed && tag === 'SLOT' && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes({ flatten: true });
      push(assigned.length > 0 ? assigned : [...node.childNodes], inFrame);
      continue;
    }
    if (tag === 'IFRAME' || tag === 'FRAME') {
      const body = frameBody(node);
      if (isDisplayed && body) {
        const box = node.getBoundingClientRect();
        const base = node.contentDocument.baseURI;
        write('<div style="display:inline-block;overflow:auto;width:' + box.width + 'px;height:' + box.height + 'px"><template shadowrootmode="open"');
        write((base.startsWith('http') ? ' data-carrel-base="' + escapeValue(base) + '"' : '') + '>');
        stack.push([adoptedStyles(node.contentDocument) + '</template></div>', false]);
        push([...body.childNodes], true);
        push([...node.contentDocument.querySelectorAll('head style, head link')], true);
      } else if (isDisplayed) {
        write(PLACEHOLDER);
      } else if (body) {
        write('<div>');
        stack.push(['</div>', false]);
        push([...body.childNodes], true);
      }
      continue;
    }
    const name = isDisplayed && tag === 'FRAMESET' ? 'div' : node.tagName.toLowerCase();
    write(startTag(node, name, inFrame));
    if (VOID.has(tag)) continue;
    stack.push(['</' + name + '>', false]);
    if (isDisplayed && tag === 'HEAD') stack.push([adoptedStyles(document), false]);
    if (isDisplayed && node.shadowRoot) {
      push([...node.childNodes], inFrame);
      stack.push([adoptedStyles(node.shadowRoot) + '</template>', false]);
      push([...node.shadowRoot.childNodes], inFrame);
      stack.push(['<template shadowrootmode="open">', false]);
    } else if (node.shadowRoot) push([...node.shadowRoot.childNodes], inFrame);
    else push([...node.childNodes], inFrame);
  }
  return JSON.stringify({ url: document.URL, base: document.baseURI, html: '<!doctype html>' + out.join(''), cut, parts: parts && parts.result });
}
