// Performs a step on the first element of a selector. Returns `done`, `absent`, or the reason why it is impossible.
(step) => {
  let element;
  try { element = document.querySelector(step.selector); } catch { return 'the selector is not valid CSS'; }
  if (!element) return 'absent';
  if (step.kind === 'find') return 'done';
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
    if (!isField && !element.isContentEditable) return 'the element accepts no text';
    element.focus();
    if (isField) element.value = step.text;
    else element.textContent = step.text;
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: step.text }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }
  return 'done';
}
