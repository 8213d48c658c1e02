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
      if (step.origin !== undefined && location.origin !== step.origin) {
        return 'the page is of another origin than the monitor, so that the secret is not typed';
      }
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      const isForSecrets = element.type === 'password' || /password|one-time-code|\bcc-/.test(element.autocomplete || '');
      if (step.origin === undefined && isForSecrets) {
        return 'it is a field for secrets, and the text of the step is not secret';
      }
      const isChoice = element instanceof HTMLSelectElement;
      const option = isChoice && [...element.options].find((one) => one.text.trim() === step.text || one.value === step.text);
      if (isChoice && !option) return 'the element has no such option';
      if (element.type === 'file' || (!isField && !isChoice && !element.isContentEditable)) return 'the element accepts no text';
      // Pictures of the page must not show a secret.
      if (step.origin !== undefined) element.style.setProperty('-webkit-text-security', 'disc', 'important');
      element.focus();
      if (option) option.selected = true;
      else if (isField) element.value = step.text;
      else element.textContent = step.text;
      element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: step.text }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }
    return 'done';
  };
  // A form whose fields have the names of methods, for example, has no such methods.
  try { return act(); } catch { return 'the element refuses it'; }
}
