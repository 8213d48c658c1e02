// Performs a step on the first element of a selector, in the document or else in an open shadow root. Returns `done`,
// `absent`, or the reason why it is impossible.
(step) => {
  const MAX_NODES = 30000;
  const shadowRootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const find = () => {
    const roots = [document];
    let nodes = MAX_NODES;
    for (const root of roots) {
      const element = root.querySelector(step.selector);
      if (element) return element;
      for (const host of root.querySelectorAll('*')) {
        if (nodes-- <= 0) return null;
        const shadow = shadowRootOf.call(host);
        if (shadow) roots.push(shadow);
      }
    }
    return null;
  };
  let element;
  try { element = find(); } catch { return 'the selector is not valid CSS'; }
  if (!element) return 'absent';
  if (step.kind === 'find') return 'done';
  const act = () => {
    element.scrollIntoView({ block: 'center' });
    if (step.kind === 'click') {
      if (typeof element.click === 'function') element.click();
      else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    }
    if (step.kind === 'type') {
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      if (element.type === 'password' || /password|one-time-code|\bcc-/.test(element.autocomplete || '')) {
        return 'it is a field for secrets, and the texts of steps are not stored as secrets';
      }
      if (element.type === 'file' || (!isField && !element.isContentEditable)) return 'the element accepts no text';
      element.focus();
      if (isField) element.value = step.text;
      else element.textContent = step.text;
      element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: step.text }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }
    return 'done';
  };
  // A form whose fields have the names of methods, for example, has no such methods.
  try { return act(); } catch { return 'the element refuses it'; }
}
