// Starts the storing of texts for offline reading, and shows on the list of stored texts which ones this browser has.
(() => {
  const state = document.getElementById("offline-state");
  const say = (words) => { if (state) state.textContent = words; };
  if (!("serviceWorker" in navigator) || !("caches" in window)) {
    say("This browser cannot store texts. It needs a secure connection (https) to this server.");
    return;
  }
  const size = (bytes) => (bytes < 100_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`);
  const show = async () => {
    if (!state) return;
    const name = (await caches.keys()).find((one) => one.startsWith("carrel-offline-"));
    const cache = name && (await caches.open(name));
    const response = cache && (await cache.match("/offline/state"));
    const texts = response ? (await response.json()).texts : {};
    const rows = [...document.querySelectorAll("li[data-text]")];
    for (const row of rows) row.hidden = !texts[row.dataset.text];
    const there = rows.filter((row) => !row.hidden);
    const bytes = there.reduce((sum, row) => sum + texts[row.dataset.text].bytes, 0);
    say(`${there.length} of ${rows.length} texts are stored in this browser (${size(bytes)}).`);
    state.dataset.stored = String(there.length);
  };
  navigator.serviceWorker.addEventListener("message", (event) => { if (event.data === "refreshed") show(); });
  navigator.serviceWorker.register("/offline/worker.js", { scope: "/" }).catch(() => {
    if (navigator.onLine) say("This browser does not allow storing texts.");
  });
  navigator.serviceWorker.ready.then(({ active }) => active.postMessage("refresh"));
  if (!navigator.onLine) show();
})();
