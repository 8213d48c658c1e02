// The Allow button works only after it has been in view for a while, so that a click that was meant for something
// else allows nothing. Without this file, the button works immediately.
(() => {
  const allow = document.getElementById("allow");
  if (!allow) return;
  const WAIT = 700;
  let timer = 0;
  let seen = true;
  let sent = false;
  const close = () => { clearTimeout(timer); timer = 0; allow.disabled = true; };
  const update = () => {
    if (!seen || document.visibilityState !== "visible") return close();
    if (allow.disabled && !timer) timer = setTimeout(() => { timer = 0; allow.disabled = false; }, WAIT);
  };
  close();
  if ("IntersectionObserver" in window) {
    seen = false;
    new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; update(); }, { threshold: 0.9 }).observe(allow);
  }
  document.addEventListener("visibilitychange", update);
  window.addEventListener("blur", close);
  window.addEventListener("focus", update);
  window.addEventListener("pageshow", () => { sent = false; close(); update(); });
  allow.form.addEventListener("submit", (event) => { if (sent) event.preventDefault(); sent = true; });
})();
