// Performs a step on the first element of a selector, in the document or else in an open shadow root, or tests a condition.
// Returns `done`, `absent` if there is no element or the condition does not hold, a position or size, or the reason why
// the step is impossible.
(step) => {
  const MAX_NODES = 30000;
  const shadowRootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const boxOf = Element.prototype.getBoundingClientRect;
  const isVisible = Element.prototype.checkVisibility;
  const displayedText = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText').get;
  const wholeText = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get;
  const removeElement = Element.prototype.remove;
  // The document and its open shadow roots. The search stops when `visit` returns a value.
  const eachRoot = (visit) => {
    const roots = [document];
    let nodes = MAX_NODES;
    for (const root of roots) {
      const result = visit(root);
      if (result) return result;
      for (const host of root.querySelectorAll('*')) {
        if (nodes-- <= 0) return null;
        const shadow = shadowRootOf.call(host);
        if (shadow) roots.push(shadow);
      }
    }
    return null;
  };
  const find = () => eachRoot((root) => root.querySelector(step.selector));
  const findAll = () => {
    const elements = [];
    eachRoot((root) => { elements.push(...root.querySelectorAll(step.selector)); });
    return elements;
  };
  const plain = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const textOf = (element) => element instanceof HTMLElement ? displayedText.call(element) : wholeText.call(element);
  const isTextIn = (elements) => elements.some((element) => plain(textOf(element)).includes(plain(step.text)));
  const rootElements = (root) => root === document ? (document.body ? [document.body] : []) : [...root.children];
  const hasText = () => step.selector ? isTextIn(findAll()) : eachRoot((root) => isTextIn(rootElements(root)));
  const isGone = () => !findAll().some((element) => isVisible.call(element, { visibilityProperty: true, opacityProperty: true }));
  const press = (element) => {
    if (typeof element.click === 'function') element.click();
    else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  };
  const fill = (element) => {
    if (step.origin !== undefined && location.origin !== step.origin) {
      return 'the page is of another origin than the monitor, so that the secret is not typed';
    }
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const isForSecrets = element.type === 'password' || /password|one-time-code|\bcc-/.test(element.autocomplete || '');
    if (step.origin === undefined && isForSecrets) {
      return 'it is a field for secrets, and the text of the step is not secret';
    }
    const isChoice = element instanceof HTMLSelectElement;
    if (step.kind === 'select' && !isChoice) return 'the element has no options';
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
    return 'done';
  };
  const setChecked = (element, isChecked) => {
    const isBox = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
    if (!isBox) {
      const state = element.getAttribute('aria-checked');
      if (state === null) return 'the element cannot be ticked';
      if ((state === 'true') !== isChecked) press(element);
      return 'done';
    }
    if (element.checked === isChecked) return 'done';
    if (element.type === 'radio' && !isChecked) return 'a radio button cannot be unticked';
    press(element);
    return element.checked === isChecked ? 'done' : 'the element did not change';
  };
  const locate = (element) => {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = boxOf.call(element);
    const [left, right] = [Math.max(0, box.left), Math.min(window.innerWidth, box.right)];
    const [top, bottom] = [Math.max(0, box.top), Math.min(window.innerHeight, box.bottom)];
    if (!(right > left && bottom > top)) return 'the element is not visible';
    return 'at ' + Math.floor((left + right) / 2) + ' ' + Math.floor((top + bottom) / 2);
  };
  const scrollToEnd = (element) => {
    element.scrollTo({ top: element.scrollHeight, behavior: 'instant' });
    return 'size ' + element.scrollHeight;
  };
  const act = (element) => {
    if (step.kind === 'locate') return locate(element);
    if (step.kind === 'scroll_end') return scrollToEnd(element);
    if (step.kind === 'remove') {
      for (const each of findAll()) removeElement.call(each);
      return 'done';
    }
    element.scrollIntoView({ block: 'center' });
    if (step.kind === 'click') press(element);
    if (step.kind === 'focus') element.focus();
    if (step.kind === 'type' || step.kind === 'select') return fill(element);
    if (step.kind === 'check' || step.kind === 'uncheck') return setChecked(element, step.kind === 'check');
    return 'done';
  };
  let element;
  try {
    if (step.kind === 'has_text') return hasText() ? 'done' : 'absent';
    if (step.kind === 'is_gone') return isGone() ? 'done' : 'absent';
    element = step.selector ? find() : document.scrollingElement || document.documentElement;
  } catch { return 'the selector is not valid CSS'; }
  if (!element) return 'absent';
  if (step.kind === 'find') return 'done';
  // Fields of a form, for example, can shadow methods of the same name.
  try { return act(element); } catch { return 'the element refuses it'; }
}
