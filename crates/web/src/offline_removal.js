// Service worker that replaces the one for offline reading in a browser that no longer stores texts: it deletes them, and then
// removes itself.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const remove = async () => {
    for (const name of await caches.keys()) if (name.startsWith("carrel-offline-")) await caches.delete(name);
    await self.registration.unregister();
  };
  event.waitUntil(remove());
});
