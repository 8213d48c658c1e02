// Saves and changes that the server has not confirmed yet. A save is stored in the queue before it is sent, so that neither a closed
// browser nor a missing network loses it. IndexedDB has enough capacity for pages and pictures.
const STORE = "saves";

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("carrel", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run(mode, action) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = action(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const put = (entry) => run("readwrite", (store) => store.put(entry));
export const remove = (id) => run("readwrite", (store) => store.delete(id));
export const get = (id) => run("readonly", (store) => store.get(id));

/// Replaces an entry with the result of `build` for its stored state, in one transaction. If `build` returns nothing,
/// nothing is stored, so that a discarded entry is not restored.
export const update = (id, build) => run("readwrite", (store) => {
  const request = store.get(id);
  request.onsuccess = () => {
    const next = build(request.result);
    if (next) store.put(next);
    else store.delete(id);
  };
  return request;
});

/// All entries, oldest first.
export async function all() {
  const entries = await run("readonly", (store) => store.getAll());
  return entries.sort((one, other) => one.at - other.at);
}
