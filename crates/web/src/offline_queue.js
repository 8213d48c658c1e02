// Queued actions, stored in IndexedDB until they are sent. Used by the service worker and by offline.js. The database has the
// same name as the cache with the texts, which contains the key of the account.
const offlineQueue = (() => {
  const MAX_ACTIONS = 500;
  const open = (name) => new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("actions", { keyPath: "id", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const within = async (name, mode, work) => {
    const database = await open(name);
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction("actions", mode);
        const request = work(transaction.objectStore("actions"));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  };
  const all = (name) => within(name, "readonly", (store) => store.getAll());
  const put = (name, action) => within(name, "readwrite", (store) => store.put(action));
  const remove = (name, id) => within(name, "readwrite", (store) => store.delete(id));
  // Adds an action, unless it waits already.
  const add = async (name, action) => {
    const actions = await all(name);
    const isSame = (one) => one.state === "waiting" && ["act", "text", "quote"].every((part) => one[part] === action[part]);
    if (actions.some(isSame)) return;
    if (actions.length >= MAX_ACTIONS) throw new Error("the queue is full");
    await put(name, { ...action, time: Date.now(), state: "waiting" });
  };
  const erase = (name) => new Promise((resolve) => {
    const erasing = indexedDB.deleteDatabase(name);
    erasing.onsuccess = erasing.onerror = erasing.onblocked = () => resolve();
  });
  return { all, put, remove, add, erase };
})();
