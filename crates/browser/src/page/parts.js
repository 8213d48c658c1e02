// Selects elements with text, fields and buttons at the beginning of the page, in document order. Returns the number of
// each element, and their positions on the page in pixels.
(limit, maxHeight) => {
  const MAX_NODES = 30000;
  const MIN_SIDE = 8;
  const MAX_CONTAINERS = Math.floor(limit / 4);
  const MAX_CONTROLS = Math.floor(limit / 3);
  const CONTAINER = /^(main|article|section|aside|form|table|tr|ul|ol|dl|details|blockquote|figure|pre)$/i;
  const LEFT_OUT = /^(script|style|noscript|template|head|iframe|frame|object|embed|svg|math)$/i;
  const FIELD = /^(input|select|textarea)$/i;
  const BUTTON = /^(a|button|summary)$/i;
  const ROLE = /^(button|link|tab|menuitem|checkbox|switch|textbox|searchbox|combobox|option)$/;
  // Fields of a form, for example, can shadow properties of the same name.
  const shadowRootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const { hasAttribute, getAttribute } = Element.prototype;
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
  const contentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get;
  const isVisible = Element.prototype.checkVisibility;
  const boxOf = Element.prototype.getBoundingClientRect;
  window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
  const root = document.documentElement;
  // In quirks mode, the body has the size of the page.
  const page = document.scrollingElement || root;
  const width = Math.max(1, page.clientWidth);
  const height = Math.max(1, Math.min(maxHeight, Math.ceil(page.scrollHeight)));
  const whole = [0, 0, width, height];
  const numbers = new Map();
  // Visible area of each element, and the area outside of which its content is invisible.
  const visible = new Map();
  const clips = new Map();
  const areas = new Set();
  const boxes = [];
  let containers = 0;
  let controls = 0;
  let cut = page.scrollHeight > maxHeight;
  const clipOf = (element, position) => {
    if (position === 'fixed') return whole;
    const isFree = position === 'absolute' && element instanceof HTMLElement;
    const parent = isFree ? element.offsetParent : element.assignedSlot || element.parentNode;
    return clips.get(parent instanceof ShadowRoot ? parent.host : parent) || whole;
  };
  const measure = (element) => {
    const { position, overflow, display } = getComputedStyle(element);
    const clip = clipOf(element, position);
    const box = boxOf.call(element);
    const area = [
      Math.max(clip[0], Math.floor(box.left + window.scrollX)),
      Math.max(clip[1], Math.floor(box.top + window.scrollY)),
      Math.min(clip[2], Math.ceil(box.right + window.scrollX)),
      Math.min(clip[3], Math.ceil(box.bottom + window.scrollY)),
    ];
    visible.set(element, area);
    clips.set(element, overflow === 'visible' || /^(inline|contents)$/.test(display) ? clip : area);
  };
  // Fields, and buttons without text. A button with text is already a part because of its text.
  const isTextless = (element) => FIELD.test(element.nodeName)
    || ((BUTTON.test(element.nodeName) || ROLE.test(getAttribute.call(element, 'role') || ''))
      && !contentOf.call(element).trim());
  const add = (element, isContainer, isControl) => {
    if (numbers.has(element) || !visible.has(element)) return;
    const [left, top, right, bottom] = visible.get(element);
    // Transformed boxes may have no numbers.
    if (!(right - left >= MIN_SIDE && bottom - top >= MIN_SIDE)) return;
    if (!isVisible.call(element, { visibilityProperty: true, opacityProperty: true })) return;
    const area = [left, top, right, bottom].join();
    if (areas.has(area)) return;
    if (isContainer && containers >= MAX_CONTAINERS) { cut = true; return; }
    if (isControl && controls >= MAX_CONTROLS) { cut = true; return; }
    if (isContainer) containers += 1;
    if (isControl) controls += 1;
    areas.add(area);
    numbers.set(element, boxes.length + 1);
    boxes.push({ number: boxes.length + 1, x: left, y: top, width: right - left, height: bottom - top });
  };
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim() && node.parentNode instanceof Element) add(node.parentNode, false, false);
    } else {
      measure(node);
      if (isTextless(node)) add(node, false, true);
      else if (CONTAINER.test(node.nodeName) || hasAttribute.call(node, 'id')) add(node, true, false);
    }
  };
  const isLeftOut = (node) => {
    const parent = parentOf.call(node);
    return LEFT_OUT.test(node.nodeName) || (parent !== null && FIELD.test(parent.nodeName));
  };
  const walk = (start) => document.createTreeWalker(start, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    isLeftOut(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const walkers = document.body ? [walk(document.body)] : [];
  let nodes = MAX_NODES;
  while (walkers.length > 0 && boxes.length < limit) {
    const node = walkers[walkers.length - 1].nextNode();
    if (!node) { walkers.pop(); continue; }
    if (nodes-- <= 0) { cut = true; break; }
    visit(node);
    const shadow = node.nodeType === Node.ELEMENT_NODE && shadowRootOf.call(node);
    if (shadow) walkers.push(walk(shadow));
  }
  if (walkers.length > 0) cut = true;
  return { numbers, result: { boxes, width, height, cut } };
}
