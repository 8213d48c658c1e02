// The button that allows answers only after it was in view for a while, so that a click that was meant for something
// else allows nothing. Without this file the page works as it stands.
(() => {
  const allow = document.getElementById("allow");
  if (!allow) return;
  const WAIT = 700;
  let timer = 0;
  let seen = true;
  let sent = false;
  const close = () => { clearTimeout(timer); timer = 0; allow.disabled = true; };
  const look = () => {
    if (!seen || document.visibilityState !== "visible") return close();
    if (allow.disabled && !timer) timer = setTimeout(() => { timer = 0; allow.disabled = false; }, WAIT);
  };
  close();
  if ("IntersectionObserver" in window) {
    seen = false;
    new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; look(); }, { threshold: 0.9 }).observe(allow);
  }
  document.addEventListener("visibilitychange", look);
  window.addEventListener("blur", close);
  window.addEventListener("focus", look);
  window.addEventListener("pageshow", () => { sent = false; close(); look(); });
  allow.form.addEventListener("submit", (event) => { if (sent) event.preventDefault(); sent = true; });
})();
