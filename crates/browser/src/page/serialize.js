// Returns the rendered document as HTML, with shadow roots and frames of the same origin inlined, without scripts.
(limit) => {
  const VOID = new Set(['AREA', 'BASE', 'BR', 'COL', 'EMBED', 'HR', 'IMG', 'INPUT', 'LINK', 'META', 'SOURCE', 'TRACK', 'WBR']);
  const LEFT_OUT = new Set(['NOSCRIPT', 'STYLE', 'TEMPLATE', 'OBJECT', 'EMBED']);
  const LINKS = ['href', 'src'];
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
      const value = inFrame && LINKS.includes(key) && typeof element[key] === 'string' ? element[key] : attribute.value;
      tag += ' ' + key + '="' + escapeValue(value) + '"';
    }
    return tag + '>';
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
      if ((node.getAttribute('type') || '').toLowerCase() === 'application/ld+json') {
        write('<script type="application/ld+json">' + node.textContent.replace(/<\//g, '<\\/') + '</script>');
      }
      continue;
    }
    if (LEFT_OUT.has(tag)) continue;
    if (tag === 'SLOT' && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes({ flatten: true });
      push(assigned.length > 0 ? assigned : [...node.childNodes], inFrame);
      continue;
    }
    if (tag === 'IFRAME' || tag === 'FRAME') {
      const body = frameBody(node);
      if (body) {
        write('<div>');
        stack.push(['</div>', false]);
        push([...body.childNodes], true);
      }
      continue;
    }
    const name = node.tagName.toLowerCase();
    write(startTag(node, name, inFrame));
    if (VOID.has(tag)) continue;
    stack.push(['</' + name + '>', false]);
    if (node.shadowRoot) push([...node.shadowRoot.childNodes], inFrame);
    else push([...node.childNodes], inFrame);
  }
  return JSON.stringify({ url: document.URL, html: '<!doctype html>' + out.join(''), cut });
}
