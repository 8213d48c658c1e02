// Presses the visible button of a selector if the URL of the frame contains `part`. Returns `done` or `absent`.
(selector, part) => {
  if (!location.href.includes(part)) return 'absent';
  const isVisible = Element.prototype.checkVisibility;
  const visible = (element) => isVisible.call(element, { visibilityProperty: true, opacityProperty: true });
  const button = [...document.querySelectorAll(selector)].find((element) => visible(element) && !element.disabled);
  if (!button) return 'absent';
  button.click();
  return 'done';
}
