// Dismisses cookie notices by rules: presses the button of a visible notice that rejects, unless the index of the
// rule is in `pressed`. If there is no such button, removes the notice from the page. Returns the index of each rule that
// applied, and `rejected`, `hidden`, or `framed` if a frame may have the button.
(rules, pressed) => {
  const MAX_NODES = 30000;
  const shadowRootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const isVisible = Element.prototype.checkVisibility;
  const removeElement = Element.prototype.remove;
  const roots = [document];
  let nodes = MAX_NODES;
  for (const root of roots) {
    for (const host of root.querySelectorAll('*')) {
      if (nodes-- <= 0) break;
      const shadow = shadowRootOf.call(host);
      if (shadow) roots.push(shadow);
    }
  }
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const visible = (element) => isVisible.call(element, { visibilityProperty: true, opacityProperty: true });
  const press = (element) => {
    try { element.click(); return true; } catch { return false; }
  };
  // A notice that covers the page also prevents it from scrolling, so that a screenshot would have only its beginning.
  const unlock = (classes) => {
    for (const element of [document.documentElement, document.body]) {
      if (!element) continue;
      element.classList.remove(...classes.split(' ').filter(Boolean));
      const style = getComputedStyle(element);
      if (style.overflowY === 'hidden') element.style.setProperty('overflow-y', 'visible', 'important');
      if (style.position === 'fixed') element.style.setProperty('position', 'static', 'important');
    }
  };
  const apply = (rule, isPressed) => {
    if (!all(rule.notice).some(visible)) return null;
    if (!isPressed) {
      const button = all(rule.reject).find((element) => visible(element) && !element.disabled);
      if (button && press(button)) return 'rejected';
      if (rule.frame) return 'framed';
    }
    for (const element of all(rule.hide)) removeElement.call(element);
    unlock(rule.lock);
    return 'hidden';
  };
  const results = [];
  rules.forEach((rule, index) => {
    const result = apply(rule, pressed.includes(index));
    if (result) results.push([index, result]);
  });
  return JSON.stringify(results);
}
