// Service worker of a browser that stores texts for offline reading. The server prepends the constant SETTINGS (the key of the
// account, bounds, and the policy of stored pages) and offline_queue.js. With a connection, pages come from the network.
// Without one, a text comes from the cache, every other page is the list of stored texts, and marks, stars, and highlights are
// queued. The worker removes itself when the server has no texts for it: after a sign-out, for another account, or after
// offline reading was switched off.
const PREFIX = "carrel-offline-";
const CACHE = PREFIX + SETTINGS.account;
const LIST = "/offline";
const REFUSAL = "/offline/no-connection";
// Path under which the cache stores the versions and sizes of its texts.
const STATE = "/offline/state";
const TEXTS_PER_REQUEST = 10;
const PICTURES_PER_REFRESH = 300;
// Time after which an incomplete refresh continues.
const RETRY_SECONDS = 60;
const GONE = [401, 403, 404, 410];

const isText = (path) => /^\/(library\/[0-9a-f-]{36}|entries\/\d+)$/.test(path);
const isOwnPage = (path) => /^\/(today|entries|library|offline|search|save|subscriptions|collections|monitors|settings|welcome)(\/|$)/.test(path);
const isPicture = (path) => /^\/(pictures\/|library\/[0-9a-f-]{36}\/files\/\d+$)/.test(path);

class Gone extends Error {}

const forget = async () => {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  await self.registration.unregister();
};

// Returns the queued action of a submitted form. Null if forms of this kind are not queued.
const actionOf = (path, form) => {
  const value = (name) => String(form.get(name) || "").trim();
  if (path === "/entries/mark") {
    const act = ["read", "star"].find((one) => /^\d+$/.test(value(one)));
    return act ? { act, text: `entry.${value(act)}` } : null;
  }
  const [, id, kind] = /^\/library\/([0-9a-f-]{36})\/(change|highlights)$/.exec(path) || [];
  if (!id) return null;
  const text = `item.${id}`;
  if (kind === "highlights") return value("quote") ? { act: "highlight", text, quote: value("quote"), note: value("note"), color: value("color") } : null;
  if (value("status") === "archive") return { act: "archive", text };
  return value("mark") === "read" ? { act: "read", text } : null;
};
const queueOrRefuse = async (sent, path) => {
  try {
    // Forms of other sites are refused.
    const isOurs = new URL(sent.referrer).origin === self.location.origin;
    const action = isOurs ? actionOf(path, await sent.formData()) : null;
    if (action) {
      await offlineQueue.add(CACHE, action);
      return Response.redirect("/offline", 303);
    }
  } catch { /* the form is refused */ }
  return stored(REFUSAL);
};

const stored = async (path) => {
  const names = { cacheName: CACHE, ignoreVary: true };
  return (await caches.match(path, names)) || (await caches.match(LIST, names)) || Response.error();
};

const request = async (path) => {
  const answer = await fetch(path, { redirect: "manual", cache: "no-store", credentials: "same-origin" });
  if (answer.type === "opaqueredirect" || GONE.includes(answer.status)) throw new Gone();
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

const readState = async (cache) => {
  const state = await cache.match(STATE);
  return state ? state.json() : { time: 0, texts: {} };
};

// Adds the texts that the cache lacks, newest first, until the bound is reached.
const addTexts = async (cache, missing, texts, now) => {
  let total = Object.values(texts).reduce((sum, { bytes }) => sum + bytes, 0);
  while (missing.length && total < SETTINGS.textBytes) {
    const part = missing.splice(0, TEXTS_PER_REQUEST);
    const query = new URLSearchParams(part.map(({ id }) => ["text", id]));
    const answered = (await (await request(`/offline/texts?${query}`)).json()).texts;
    for (const { path, html } of answered) {
      const text = part.find((one) => one.path === path);
      if (!text || !html) continue;
      const body = new Blob([html]);
      if (total + body.size > SETTINGS.textBytes) continue;
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": SETTINGS.policy };
      await cache.put(path, new Response(body, { headers }));
      texts[path] = { version: text.version, bytes: body.size, time: now };
      total += body.size;
    }
    // A long response omits texts. They are requested again.
    const left = part.filter(({ path }) => !answered.some((one) => one.path === path));
    if (answered.length) missing.unshift(...left);
  }
  return true;
};

// Stores the pictures of the stored texts until the bound is reached, one after the other, because the server may have to fetch
// them. Pictures that cannot be displayed are not requested again for a day.
const addPictures = async (cache, paths, failed, now) => {
  const urls = new Set();
  for (const path of paths) {
    const page = await cache.match(path);
    for (const [, address] of page ? (await page.text()).matchAll(/<img class="picture" src="([^"]+)"/g) : []) {
      const url = new URL(address, self.location.origin);
      if (url.origin === self.location.origin && isPicture(url.pathname)) urls.add(url.href);
    }
  }
  let total = 0;
  for (const key of await cache.keys()) {
    if (!isPicture(new URL(key.url).pathname)) continue;
    if (urls.has(key.url)) total += Number((await cache.match(key)).headers.get("x-bytes"));
    else await cache.delete(key);
  }
  let requests = 0;
  for (const url of urls) {
    if (total >= SETTINGS.pictureBytes || requests >= PICTURES_PER_REFRESH) return;
    if (failed[url] || (await cache.match(url))) continue;
    requests += 1;
    const answer = await fetch(url, { redirect: "manual", credentials: "same-origin" });
    if (answer.status === 429) return;
    const body = answer.ok && (await answer.blob());
    if (!body || body.size > SETTINGS.pictureBytes / 4) failed[url] = now;
    else if (total + body.size <= SETTINGS.pictureBytes) {
      const headers = { "content-type": answer.headers.get("content-type"), "x-bytes": String(body.size) };
      await cache.put(url, new Response(body, { headers }));
      total += body.size;
    }
  }
};

const refresh = async () => {
  const cache = await caches.open(CACHE);
  const state = await readState(cache);
  const now = Date.now();
  // The clock may have been set back.
  const isWithin = (time, seconds) => Math.abs(now - time) < seconds * 1000;
  const settings = JSON.stringify(SETTINGS);
  if (state.settings === settings && isWithin(state.time, SETTINGS.refreshSeconds)) return;
  const list = await (await request("/offline/list")).json();
  if (list.account !== SETTINGS.account) throw new Gone();
  for (const path of [LIST, REFUSAL]) await cache.put(path, await request(path));
  for (const path of list.files) if (!(await cache.match(path, { ignoreVary: true }))) await cache.put(path, await request(path));
  const texts = {};
  const missing = [];
  let bytes = 0;
  for (const text of list.texts) {
    const known = state.texts[text.path];
    const isCurrent = known && known.version === text.version && isWithin(known.time, SETTINGS.textSeconds);
    if (isCurrent && bytes + known.bytes <= SETTINGS.textBytes && (await cache.match(text.path))) {
      texts[text.path] = known;
      bytes += known.bytes;
    } else missing.push(text);
  }
  const isComplete = await addTexts(cache, missing, texts, now).catch((error) => {
    if (error instanceof Gone) throw error;
    return false;
  });
  // Texts whose new version could not be fetched stay as they are.
  if (!isComplete) for (const { path } of list.texts) if (state.texts[path]) texts[path] ??= state.texts[path];
  for (const key of await cache.keys()) {
    const { pathname } = new URL(key.url);
    const isOld = (isText(pathname) && !texts[pathname]) || (pathname.startsWith("/assets/") && !list.files.includes(pathname));
    if (isOld) await cache.delete(key);
  }
  const isRecent = ([, time]) => isWithin(time, SETTINGS.textSeconds);
  const failed = Object.fromEntries(Object.entries(state.failed || {}).filter(isRecent));
  const time = isComplete ? now : now - (SETTINGS.refreshSeconds - RETRY_SECONDS) * 1000;
  const store = () => cache.put(STATE, new Response(JSON.stringify({ time, texts, failed, settings })));
  await store();
  if (!SETTINGS.allPictures) return;
  for (const client of await self.clients.matchAll()) client.postMessage("refreshed");
  await addPictures(cache, Object.keys(texts), failed, now).catch(() => null);
  await store();
};

let running = null;
const refreshAndReport = (source) => {
  running ??= refresh()
    .catch((error) => (error instanceof Gone ? forget() : null))
    .finally(() => { running = null; });
  return running.then(() => source && source.postMessage("refreshed"));
};

// Stores a picture of a stored text, in one of its widths. The oldest pictures are deleted when the bound is reached. One
// picture after the other, so that the sizes add up.
let storing = Promise.resolve();
const storePicture = async (url, clientId, answer) => {
  const client = await self.clients.get(clientId);
  if (!client || !(await caches.has(CACHE))) return;
  const cache = await caches.open(CACHE);
  const page = new URL(client.url).pathname;
  if (!isText(page) || !(await cache.match(page))) return;
  const body = await answer.blob();
  if (body.size > SETTINGS.pictureBytes / 4) return;
  const headers = { "content-type": answer.headers.get("content-type"), "x-bytes": String(body.size) };
  await cache.delete(url, { ignoreSearch: true });
  await cache.put(url, new Response(body, { headers }));
  let total = 0;
  for (const key of (await cache.keys()).reverse()) {
    if (!isPicture(new URL(key.url).pathname)) continue;
    const one = await cache.match(key);
    total += Number(one && one.headers.get("x-bytes"));
    if (total > SETTINGS.pictureBytes) await cache.delete(key);
  }
};
const picture = async (event) => {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && !answer.redirected) {
      const copy = answer.clone();
      storing = storing.then(() => storePicture(event.request.url, event.clientId, copy)).catch(() => null);
      event.waitUntil(storing);
    }
    return answer;
  } catch (error) {
    const copy = await caches.match(event.request.url, { cacheName: CACHE, ignoreSearch: true });
    if (copy) return copy;
    throw error;
  }
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const prepare = async () => {
    for (const name of await caches.keys()) {
      if (!name.startsWith(PREFIX) || name === CACHE) continue;
      await offlineQueue.erase(name);
      await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(prepare());
});
self.addEventListener("message", (event) => {
  if (event.data === "refresh") event.waitUntil(refreshAndReport(event.source));
});
self.addEventListener("fetch", (event) => {
  const { request: sent } = event;
  const { origin, pathname } = new URL(sent.url);
  if (origin !== self.location.origin) return;
  if (sent.method === "POST") {
    // The texts and the queue are deleted even if the server is not reached. An expired session deletes only the texts.
    if (pathname === "/sign-out") event.waitUntil(offlineQueue.erase(CACHE).then(forget));
    else if (sent.mode === "navigate" && isOwnPage(pathname) && !self.navigator.onLine) event.respondWith(queueOrRefuse(sent, pathname));
    return;
  }
  if (sent.method !== "GET") return;
  if (sent.mode === "navigate") {
    if (isOwnPage(pathname)) event.respondWith(fetch(sent).catch(() => stored(isText(pathname) ? pathname : LIST)));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(fetch(sent).catch(async (error) => {
      const copy = await caches.match(pathname, { cacheName: CACHE, ignoreVary: true });
      if (copy) return copy;
      throw error;
    }));
  } else if (sent.destination === "image" && isPicture(pathname)) {
    event.respondWith(picture(event));
  }
});
