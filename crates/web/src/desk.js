// Keys for lists and texts, long presses on rows, the notice of new entries, marking entries as read that are scrolled past, the position
// of a recording, and highlighting by selection. Every page also works without this file. Its texts are an attribute of its element.
(() => {
  const { language, texts: json } = document.currentScript.dataset;
  const texts = JSON.parse(json);
  // The form of a text for this number: the one of a sample in the same plural category.
  const counted = (forms, count) => {
    const rules = new Intl.PluralRules(language);
    const sample = Object.keys(forms).find((one) => rules.select(Number(one)) === rules.select(count)) ?? "100";
    return forms[sample].replace(sample, count);
  };
  const rows = [...document.querySelectorAll("ul.rows > li")].filter((row) => row.querySelector("h3 a"));
  let at = -1;
  const player = document.getElementById("player");
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const follow = (selector) => document.querySelector(selector)?.click();
  const go = (step) => {
    if (!rows.length) return follow(step > 0 ? "main a[rel=next]" : "main a[rel=prev]");
    at = Math.min(Math.max(at + step, 0), rows.length - 1);
    const link = rows[at].querySelector("h3 a");
    link.focus();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const current = () => {
    const row = document.activeElement && document.activeElement.closest("ul.rows > li");
    return row || rows[at] || document.querySelector("main");
  };
  // Marking reloads the list. The position is stored for the reloaded page, by the link of its row, or else by its index.
  const PLACE = "place in the list";
  const press = (selector, step = 0) => {
    const part = current();
    const button = part.querySelector(selector) || document.querySelector("main > " + selector);
    if (!button) return;
    const index = rows.indexOf(part) < 0 ? -1 : Math.max(rows.indexOf(part) + step, 0);
    if (index >= 0) {
      const link = rows[index].querySelector("h3 a").getAttribute("href");
      try {
        sessionStorage.setItem(PLACE, JSON.stringify({ link, index, time: Date.now() }));
      } catch { /* a browser without storage begins at the top */ }
    }
    button.click();
  };
  const original = () => {
    const link = current().querySelector("a[rel~=external]");
    const address = current().dataset.original;
    if (link) link.click();
    else if (address) open(address, "_blank", "noopener");
  };
  try {
    const place = JSON.parse(sessionStorage.getItem(PLACE));
    sessionStorage.removeItem(PLACE);
    if (place && Date.now() - place.time < 20000 && rows.length) {
      const found = rows.findIndex((row) => row.querySelector("h3 a").getAttribute("href") === place.link);
      at = found < 0 ? Math.min(place.index, rows.length - 1) : found;
      go(0);
    }
  } catch { /* the list begins at its top */ }
  const openRow = () => { if (rows.includes(current())) current().querySelector("h3 a").click(); };
  const originalHere = () => {
    const address = current().dataset.original || current().querySelector("a[rel~=external]")?.href;
    if (address) location.assign(address);
  };
  const star = () => press("button[name=star], button[name=unstar], button[name=save]");
  const MARKS = "button[name=read], button[name=unread], button[name=mark]";
  const attachment = () => {
    if (!player) return follow("main figure.file a, main a[download]");
    player.focus();
    if (player.paused) player.play().catch(() => { /* the person presses play */ });
    else player.pause();
  };
  // The page that follows asks for confirmation.
  const unfollow = () => {
    const feed = current().querySelector("h3 a[href^='/subscriptions/']");
    if (feed) location.assign(`${feed.pathname}/delete`);
    else follow("a[data-key='#']");
  };
  // All keys: their names, the key of their text, and action. Those after "g " follow a first key, and the action of a page is its address. Keys
  // without an action belong to the browser, or work anywhere.
  const KEYS = [
    ["j n", "key-next", () => go(1)],
    ["k p", "key-previous", () => go(-1)],
    ["o", "key-open", openRow],
    ["Enter", "key-open", null],
    ["l", "key-next-page", () => follow("main .pager a[rel=next]")],
    ["h", "key-back", () => history.back()],
    ["m", "key-mark", () => press(MARKS)],
    ["M", "key-mark-previous", () => press(MARKS, -1)],
    ["A", "key-mark-all", () => follow("form[action='/entries/mark-all'] button")],
    ["s f", "key-star", star],
    ["e", "key-archive", () => follow("main button[name=status][value=archive]")],
    ["d", "key-full", () => follow("a[data-key=d]")],
    ["v", "key-original-tab", original],
    ["V", "key-original", originalHere],
    ["a", "key-attachment", attachment],
    ["F", "key-feed", () => follow("a[data-key=F]")],
    ["R", "key-refresh", () => follow("form[action='/subscriptions/refresh'] button")],
    ["+", "key-follow", () => location.assign("/subscriptions/new")],
    ["#", "key-unfollow", unfollow],
    ["x", "key-select", () => current().querySelector("input.pick")?.click()],
    ["z", "key-undo", () => document.getElementById("undo")?.click()],
    ["/", "key-search", () => document.querySelector("input[type=search]")?.focus()],
    ["g t", "key-today", "/today"],
    ["g u", "key-unread", "/entries"],
    ["g a", "key-all", "/entries?show=all"],
    ["g h", "key-read", "/entries?show=read"],
    ["g b", "key-starred", "/entries?show=starred"],
    ["g f", "key-feeds", "/subscriptions"],
    ["g c", "key-collections", "/collections"],
    ["g l", "key-library", "/library"],
    ["g m", "key-monitors", "/monitors"],
    ["g s", "key-settings", "/settings"],
    ["g g", "key-top", () => scrollTo(0, 0)],
    ["Esc", "key-close", null],
    ["?", "key-help", () => help()],
  ];
  const help = () => {
    let box = document.getElementById("keys");
    if (!box) {
      box = document.createElement("dialog");
      box.id = "keys";
      box.setAttribute("aria-label", texts["keys-title"]);
      const list = document.createElement("dl");
      list.className = "facts";
      for (const [names, key] of KEYS) {
        const term = document.createElement("dt");
        for (const name of names.split(" ")) {
          const mark = document.createElement("kbd");
          mark.textContent = name;
          term.append(mark, " ");
        }
        const meaning = document.createElement("dd");
        meaning.textContent = texts[key];
        list.append(term, meaning);
      }
      const close = document.createElement("button");
      close.textContent = texts["script-close"];
      close.addEventListener("click", () => box.close());
      box.append(close, list);
      document.body.append(box);
    }
    if (box.open) box.close(); else box.showModal();
  };
  const single = new Map();
  const afterG = new Map();
  for (const [names, , act] of KEYS) {
    if (!act) continue;
    const run = typeof act === "string" ? () => location.assign(act) : act;
    if (names.startsWith("g ")) afterG.set(names.slice(2), run);
    else for (const name of names.split(" ")) single.set(name, run);
  }
  const PREFIX_MS = 1500;
  let prefixed = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
    const isSecond = Date.now() - prefixed < PREFIX_MS;
    prefixed = 0;
    const run = (isSecond && afterG.get(event.key)) || single.get(event.key);
    if (run) run();
    else if (event.key === "g") prefixed = Date.now();
    else return;
    event.preventDefault();
  });

  // A long press on a row opens its actions, or selects it if it has none. On its link, the menu of the browser appears.
  const LONG_PRESS_MS = 450;
  for (const row of rows) {
    let timer = 0;
    let pressed = false;
    const act = () => {
      const more = row.querySelector("details.more");
      if (more) more.open = true;
      else row.querySelector("input.pick")?.click();
      timer = 0;
      pressed = true;
    };
    const stop = () => { clearTimeout(timer); timer = 0; };
    row.addEventListener("touchstart", (event) => {
      stop();
      pressed = false;
      if (event.touches.length === 1 && !event.target.closest("a, button, input, details, img")) timer = setTimeout(act, LONG_PRESS_MS);
    }, { passive: true });
    for (const name of ["touchend", "touchcancel", "touchmove"]) row.addEventListener(name, stop, { passive: true });
    for (const name of ["selectstart", "contextmenu"]) row.addEventListener(name, (event) => { if (timer || pressed) event.preventDefault(); });
    // The press ends with a click, which would close the actions again.
    row.addEventListener("click", (event) => {
      if (!pressed || event.target.closest("details.more, input")) return;
      pressed = false;
      event.stopPropagation();
    });
  }

  // Entries that arrived since the list was loaded are announced, and never put into the list under the eyes of a reader.
  const news = document.getElementById("new-entries");
  if (news) {
    const SECONDS_BETWEEN_POLLS = 60;
    let polled = Date.now();
    const poll = async () => {
      if (document.visibilityState !== "visible" || Date.now() - polled < SECONDS_BETWEEN_POLLS * 1000) return;
      polled = Date.now();
      try {
        const answer = await fetch(news.dataset.poll, { redirect: "error" });
        if (!answer.ok) return;
        const { count, most } = await answer.json();
        if (!count) return;
        news.querySelector("a").textContent = counted(texts[count < most ? "entries-new-count" : "entries-new-most"], count);
        news.hidden = false;
      } catch { /* the next poll answers */ }
    };
    setInterval(poll, SECONDS_BETWEEN_POLLS * 1000 + 50);
    document.addEventListener("visibilitychange", poll);
  }

  // A click with Shift selects all rows since the last click.
  const picks = [...document.querySelectorAll("input.pick")];
  let last = null;
  for (const pick of picks) {
    pick.addEventListener("click", (event) => {
      if (event.shiftKey && last) {
        const [from, to] = [picks.indexOf(last), picks.indexOf(pick)].sort((a, b) => a - b);
        for (const one of picks.slice(from, to + 1)) one.checked = pick.checked;
      }
      last = pick;
    });
  }
  // A click elsewhere or Escape closes the actions of a row.
  const close = (outside) => {
    for (const open of document.querySelectorAll("details.more[open]")) if (!outside || !open.contains(outside)) open.open = false;
  };
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(null); });

  // Unread entries that leave the page at its top were scrolled past. They are told together, now and then.
  const list = document.querySelector("ul.entries");
  if (list && document.documentElement.dataset.scroll === "pass" && "IntersectionObserver" in window) {
    const form = list.closest("form");
    const idOf = (row) => row.querySelector("button[name=read]")?.value;
    let passed = [];
    let timer = 0;
    const tell = async () => {
      clearTimeout(timer);
      timer = 0;
      const told = passed.splice(0);
      if (!told.length) return;
      const body = new URLSearchParams({ token: form.elements.token.value, passed: told.map(idOf).join(",") });
      try {
        const answer = await fetch(form.action, { method: "POST", body, keepalive: true });
        if (!answer.ok) return;
        for (const row of told) {
          row.classList.replace("new", "read");
          row.querySelector("h3 .unread-word")?.remove();
        }
      } catch { /* they stay unread */ }
    };
    const watch = new IntersectionObserver((seen) => {
      for (const entry of seen) {
        if (entry.isIntersecting || entry.boundingClientRect.bottom > 0) continue;
        watch.unobserve(entry.target);
        if (idOf(entry.target)) passed.push(entry.target);
      }
      if (passed.length && !timer) timer = setTimeout(tell, 1500);
    });
    for (const row of list.querySelectorAll("li.new")) watch.observe(row);
    addEventListener("pagehide", tell);
  }

  // The position and the speed of a recording are sent while it plays, so that other devices continue there.
  const playback = document.getElementById("playback");
  if (player && playback) {
    const SECONDS_BETWEEN_SAVES = 15;
    const { token, position, speed } = playback.elements;
    let played = false;
    let saved = 0;
    const clock = (seconds) => {
      const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
      if (!parts[0]) parts.shift();
      return parts.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
    };
    const save = async () => {
      if (played) {
        saved = player.ended ? 0 : player.currentTime;
        position.value = clock(saved);
      }
      const percent = Math.round(player.playbackRate * 100);
      const body = new URLSearchParams({ token: token.value, position: position.value, speed: percent, by: "script" });
      try {
        await fetch(playback.action, { method: "POST", body, keepalive: true });
      } catch { /* the next save has the position */ }
    };
    const jump = (seconds) => {
      if (player.readyState) player.currentTime = seconds;
      else player.addEventListener("loadedmetadata", () => { player.currentTime = seconds; }, { once: true });
      player.play().catch(() => { /* the person presses play */ });
    };
    for (const hidden of playback.querySelectorAll("[hidden]")) hidden.hidden = false;
    player.defaultPlaybackRate = player.playbackRate = Number(speed.value) / 100;
    speed.addEventListener("change", () => {
      player.defaultPlaybackRate = player.playbackRate = Number(speed.value) / 100;
      if (!played) save();
    });
    player.addEventListener("play", () => { played = true; });
    player.addEventListener("timeupdate", () => {
      if (played && Math.abs(player.currentTime - saved) >= SECONDS_BETWEEN_SAVES) save();
    });
    for (const event of ["pause", "ended", "ratechange"]) player.addEventListener(event, () => { if (played) save(); });
    addEventListener("pagehide", () => { if (played && !player.paused) save(); });
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-seconds]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      jump(Number(link.dataset.seconds));
    });
  }

  // The words that are selected in a text go into the form for highlights, with the paragraph they begin in.
  const quote = document.getElementById("quote");
  const text = document.querySelector("article.text");
  if (!quote || !text) return;
  let button = null;
  document.addEventListener("selectionchange", () => {
    const chosen = getSelection();
    const words = chosen && chosen.rangeCount ? String(chosen).trim() : "";
    if (!words || !text.contains(chosen.anchorNode) || !text.contains(chosen.focusNode)) {
      if (button) button.hidden = true;
      return;
    }
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.id = "mark-selection";
      button.textContent = quote.form.querySelector("button").textContent;
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => {
        quote.value = String(getSelection()).trim();
        quote.form.requestSubmit();
      });
      document.body.append(button);
    }
    button.hidden = false;
  });
})();
