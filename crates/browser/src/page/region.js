// Returns the position of the visible part of the first element of a selector on the page, or the reason why it has none.
(selector) => {
  let element;
  try { element = document.querySelector(selector); } catch { return JSON.stringify({ reason: 'the selector is not valid CSS' }); }
  if (!element) return JSON.stringify({ reason: 'absent' });
  window.scrollTo(0, 0);
  const box = element.getBoundingClientRect();
  const left = box.left + window.scrollX;
  const top = box.top + window.scrollY;
  // The page begins at 0. Anything to the left of it or above it is invisible.
  const width = box.width + Math.min(0, left);
  const height = box.height + Math.min(0, top);
  if (width < 1 || height < 1) return JSON.stringify({ reason: 'absent' });
  const position = { x: Math.max(0, Math.round(left)), y: Math.max(0, Math.round(top)) };
  return JSON.stringify({ ...position, width: Math.round(width), height: Math.round(height) });
}
