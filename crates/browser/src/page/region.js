// Returns the position of the first element of a selector on the page, or the reason why it has none.
(selector) => {
  let element;
  try { element = document.querySelector(selector); } catch { return JSON.stringify({ reason: 'the selector is not valid CSS' }); }
  if (!element) return JSON.stringify({ reason: 'absent' });
  window.scrollTo(0, 0);
  const box = element.getBoundingClientRect();
  if (box.width < 1 || box.height < 1) return JSON.stringify({ reason: 'absent' });
  const side = (length) => Math.max(1, Math.round(length));
  const position = { x: Math.round(box.left + window.scrollX), y: Math.round(box.top + window.scrollY) };
  return JSON.stringify({ ...position, width: side(box.width), height: side(box.height) });
}
