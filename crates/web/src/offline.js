// Offline reading in pages: registers the service worker, lists the texts that this browser has stored, queues actions in a
// stored text, and sends the queue when there is a connection. Its texts are an attribute of its element.
(() => {
  const PREFIX = "carrel-offline-";
  const ACTIONS_PER_REQUEST = 50;
  const CHARACTERS_PER_REQUEST = 50_000;
  const { language, texts: json } = document.currentScript.dataset;
  const texts = JSON.parse(json);
  const LABELS = { read: texts["entries-mark-read"], star: texts["entries-star"], archive: texts["items-archive"], highlight: texts["highlight-add"] };
  // Returns a text with values in place of their names in braces.
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const ACTS = { item: ["read", "archive"], entry: ["read", "star"] };

  const state = document.getElementById("offline-state");
  const say = (words) => { if (state) state.textContent = words; };
  if (!("serviceWorker" in navigator) || !("caches" in window) || !("indexedDB" in window)) {
    say(texts["stored-not-possible"]);
    return;
  }
  const storeName = async () => (await caches.keys()).find((one) => one.startsWith(PREFIX));
  const pathOf = (text) => (text.startsWith("item.") ? `/library/${text.slice(5)}` : `/entries/${text.slice(6)}`);
  const make = (tag, words, name = "") => {
    const made = document.createElement(tag);
    made.textContent = words;
    made.className = name;
    return made;
  };
  const makeButton = (words, name, act) => {
    const made = make("button", words, name);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };

  const megabytes = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const size = (bytes) => (bytes < 100_000 ? `${Math.ceil(bytes / 1000)} KB` : `${megabytes.format(bytes / 1_000_000)} MB`);
  const show = async () => {
    if (!state) return;
    const name = await storeName();
    const cache = name && (await caches.open(name));
    const response = cache && (await cache.match("/offline/state"));
    const stored = response ? (await response.json()).texts : {};
    const rows = [...document.querySelectorAll("li[data-text]")];
    for (const row of rows) row.hidden = !stored[row.dataset.text];
    const there = rows.filter((row) => !row.hidden);
    const bytes = there.reduce((sum, row) => sum + stored[row.dataset.text].bytes, 0);
    say(filled(texts["stored-count"], { stored: there.length, count: rows.length, size: size(bytes) }));
    state.dataset.stored = String(there.length);
  };

  // Lists waiting and failed actions on the page of the stored texts.
  const queue = document.getElementById("offline-queue");
  const showQueue = async () => {
    const name = queue && (await storeName());
    if (!name) return;
    const actions = await offlineQueue.all(name);
    const rows = actions.map((action) => {
      const row = make("li", "");
      const link = make("a", document.querySelector(`li[data-text="${pathOf(action.text)}"] h3`)?.textContent || action.title || texts["queued-text"]);
      link.href = pathOf(action.text);
      row.append(`${LABELS[action.act]}: `, link);
      if (action.quote) row.append(make("p", `“${action.quote.slice(0, 200)}${action.quote.length > 200 ? "…" : ""}”`, "say"));
      row.append(make("p", action.state === "failed" ? filled(texts["queued-failed"], { reason: action.message }) : texts["queued-waiting"], action.state === "failed" ? "error" : "meta"));
      row.append(makeButton(texts["queued-remove"], "link", async () => {
        await offlineQueue.remove(name, action.id);
        await showQueue();
      }));
      return row;
    });
    queue.querySelector("ul").replaceChildren(...rows);
    queue.hidden = !rows.length;
    queue.dataset.count = String(rows.length);
  };

  // Returns the form token of a fresh page.
  const freshToken = async () => {
    const answer = await fetch("/settings/look", { redirect: "error" });
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
    return page.querySelector("input[name=token]")?.value;
  };
  const report = (applied, failed) => {
    const words = [];
    if (applied) words.push(countedText(texts["queued-sent-count"], applied, language));
    if (failed) words.push(countedText(texts["queued-failed-count"], failed, language));
    if (!words.length) return;
    const notice = make("p", `${words.join(" ")} `, failed ? "notice bad" : "notice good");
    notice.setAttribute("role", "status");
    const link = make("a", failed ? texts["queued-show"] : texts["queued-reload"]);
    link.href = failed ? "/offline" : location.href;
    notice.append(link);
    document.getElementById("main").prepend(notice);
  };
  // Takes the actions of one request, which the server limits in number and size.
  const nextPart = (waiting) => {
    const lengthOf = ({ quote, note }) => (quote || "").length + (note || "").length;
    const part = [];
    let length = 0;
    while (waiting.length && part.length < ACTIONS_PER_REQUEST) {
      length += lengthOf(waiting[0]);
      if (part.length && length > CHARACTERS_PER_REQUEST) break;
      part.push(waiting.shift());
    }
    return part;
  };
  const send = async () => {
    const name = navigator.onLine && (await storeName());
    const waiting = name ? (await offlineQueue.all(name)).filter((action) => action.state === "waiting") : [];
    const token = waiting.length ? await freshToken() : null;
    let applied = 0;
    let failed = 0;
    while (token && waiting.length) {
      const part = nextPart(waiting);
      const body = new URLSearchParams({ token });
      for (const { act, text, quote, note, color, time } of part) {
        body.append("action", JSON.stringify({ act, text, quote, note, color, age: Math.max(Date.now() - time, 0) }));
      }
      const answer = await fetch("/offline/actions", { method: "POST", body, redirect: "error" });
      if (!answer.ok) break;
      const { results } = await answer.json();
      for (const [index, action] of part.entries()) {
        const result = results[index];
        if (result?.state === "applied") {
          await offlineQueue.remove(name, action.id);
          applied += 1;
        } else if (result?.state === "failed") {
          await offlineQueue.put(name, { ...action, state: "failed", message: result.message });
          failed += 1;
        }
      }
    }
    report(applied, failed);
    await showQueue();
  };
  // Only one page sends at a time. Actions that could not be sent wait until the next page opens.
  const sendQueue = () => {
    const sending = navigator.locks ? navigator.locks.request("carrel-offline-queue", send) : send();
    sending.catch(() => showQueue()).catch(() => null);
  };

  // Actions of a stored text. Pressing a waiting action again removes it.
  const tools = document.getElementById("offline-actions");
  const showTools = async () => {
    const name = tools && (await storeName());
    if (!name) return;
    const text = tools.dataset.text;
    const title = document.querySelector("h1").textContent;
    const status = make("span", "", "soft small");
    status.setAttribute("role", "status");
    const attempt = async (work, words) => {
      try {
        await work();
        status.textContent = words;
      } catch {
        status.textContent = texts["queued-not-stored"];
      }
    };
    const waits = async (act) => (await offlineQueue.all(name)).find((one) => one.text === text && one.act === act && one.state === "waiting");
    for (const act of ACTS[text.split(".")[0]] || []) {
      const button = makeButton(LABELS[act], "secondary", async () => {
        const known = await waits(act);
        if (known) await attempt(() => offlineQueue.remove(name, known.id), texts["queued-removed"]);
        else await attempt(() => offlineQueue.add(name, { act, text, title }), texts["queued-stored"]);
        button.setAttribute("aria-pressed", String(Boolean(await waits(act))));
      });
      button.setAttribute("aria-pressed", String(Boolean(await waits(act))));
      tools.append(button);
    }
    tools.append(status);
    const article = document.querySelector("article.text");
    if (!article || !text.startsWith("item.")) return;
    const highlighter = makeButton(LABELS.highlight, "", () => {
      const quote = String(getSelection()).trim();
      if (quote) attempt(() => offlineQueue.add(name, { act: "highlight", text, title, quote }), texts["queued-highlight-stored"]);
      getSelection().removeAllRanges();
    });
    highlighter.id = "mark-selection";
    highlighter.hidden = true;
    highlighter.addEventListener("mousedown", (event) => event.preventDefault());
    document.body.append(highlighter);
    document.addEventListener("selectionchange", () => {
      const chosen = getSelection();
      highlighter.hidden = !String(chosen).trim() || !article.contains(chosen.anchorNode) || !article.contains(chosen.focusNode);
    });
  };

  navigator.serviceWorker.addEventListener("message", (event) => { if (event.data === "refreshed") show(); });
  navigator.serviceWorker.register("/offline/worker.js", { scope: "/" }).catch(() => {
    if (navigator.onLine) say(texts["stored-not-allowed"]);
  });
  navigator.serviceWorker.ready.then(({ active }) => active.postMessage("refresh"));
  if (!navigator.onLine) show();
  showTools().catch(() => null);
  addEventListener("online", sendQueue);
  if (navigator.onLine) sendQueue();
  else showQueue().catch(() => null);
})();
