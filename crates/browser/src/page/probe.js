// Returns whether the document is complete, and the number of characters of its text.
() => {
  let nodes = 20000;
  const measure = (root) => {
    let length = 0;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      /^(script|style|noscript|template)$/i.test(node.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walker.nextNode() && nodes-- > 0) {
      const node = walker.currentNode;
      if (node.nodeType === Node.TEXT_NODE) length += node.data.trim().length;
      else if (node.shadowRoot) length += measure(node.shadowRoot);
      else if (node.tagName === 'IFRAME') {
        try { if (node.contentDocument && node.contentDocument.body) length += measure(node.contentDocument.body); } catch {}
      }
    }
    return length;
  };
  return JSON.stringify({ complete: document.readyState === 'complete', text: document.body ? measure(document.body) : 0 });
}
