// Keys for lists and texts, long presses and swipes on rows, the notice of new entries, marking entries as read that are scrolled past,
// the upload of files, the position of a recording, tools for selected words, and highlighting by keys. Every page also works without this file. Its texts are
// an attribute of its element.
(() => {
  const { language, texts: json } = document.currentScript.dataset;
  const texts = JSON.parse(json);
  const rows = [];
  const listRows = () => rows.splice(0, rows.length, ...[...document.querySelectorAll("ul.rows > li")].filter((row) => row.querySelector("h3 a")));
  listRows();
  let at = -1;
  const player = document.getElementById("player");
  const typing = (target) => target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
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
  const storePlace = (index) => {
    const link = rows[index].querySelector("h3 a").getAttribute("href");
    try {
      sessionStorage.setItem(PLACE, JSON.stringify({ link, index, time: Date.now() }));
    } catch { /* a browser without storage begins at the top */ }
  };
  const press = (selector, step = 0) => {
    const part = current();
    const button = part.querySelector(selector) || document.querySelector("main > " + selector);
    if (!button) return;
    if (rows.includes(part)) storePlace(Math.max(rows.indexOf(part) + step, 0));
    button.click();
  };
  const originalAddress = () => current().dataset.original || current().querySelector("a[rel~=external]")?.href;
  const original = () => {
    const address = originalAddress();
    if (address) open(address, "_blank", "noopener");
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
    const address = originalAddress();
    if (address) location.assign(address);
  };
  const star = () => press("button[name=star], button[name=unstar], button[name=save]");
  const MARKS = "button[name=read], button[name=unread], button[name=mark]";
  // A row of the library has no buttons. The buttons of the form for selected items are pressed instead.
  const formOfItems = () => (rows.includes(current()) ? current().closest("form[action='/library/bulk']") : null);
  const mark = (step = 0) => {
    const form = formOfItems();
    if (!form) return press(MARKS, step);
    const act = current().classList.contains("read") ? "unread" : "read";
    pressForRow(current(), form.querySelector(`button[name=act][value=${act}]`), step);
  };
  const archive = () => {
    const form = formOfItems();
    if (form) pressForRow(current(), statusButton(form, "archive"));
    else follow("main button[name=status][value=archive]");
  };
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
  // A key highlights the selected words, or else the paragraph that has the focus.
  const text = document.querySelector("article.text");
  const selectedWords = () => {
    const chosen = getSelection();
    const words = text && chosen && chosen.rangeCount ? String(chosen).trim() : "";
    return words && text.contains(chosen.anchorNode) && text.contains(chosen.focusNode) ? words : "";
  };
  const paragraphs = () => [...document.querySelectorAll("article.text .pil")].map((link) => link.parentElement);
  const paragraphOf = (node) => paragraphs().findLast((one) => one.contains(node));
  const goToParagraph = (step) => {
    const all = paragraphs();
    const previous = paragraphOf(document.activeElement) ?? paragraphOf(document.querySelector("article.text :target"));
    // The first press moves to the first paragraph that is in view.
    const index = previous ? all.indexOf(previous) + step : all.findIndex((one) => one.getBoundingClientRect().bottom > 0);
    const next = all[Math.min(Math.max(index, 0), all.length - 1)];
    if (!next) return;
    next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const wordsOf = (paragraph) => {
    const copy = paragraph.cloneNode(true);
    for (const part of copy.querySelectorAll(".pil, .noprint, button, ul, ol")) part.remove();
    return copy.textContent.trim();
  };
  const highlightByKey = (hasNote) => {
    const quote = document.getElementById("quote");
    const paragraph = paragraphOf(document.activeElement);
    const words = selectedWords() || (paragraph && wordsOf(paragraph));
    if (!quote || !words) return;
    quote.value = words;
    if (!hasNote) return quote.form.requestSubmit();
    quote.closest("details").open = true;
    quote.form.elements.note.focus();
  };
  // Set below on pages with tools for words.
  let openTools = () => {};
  // All keys: their names, the key of their text, and their action. A name with "g " needs `g` to be pressed first. The action of a key
  // that opens a page is the address of the page. Keys without an action belong to the browser, or work anywhere.
  const KEYS = [
    ["j n", "key-next", () => go(1)],
    ["k p", "key-previous", () => go(-1)],
    ["o", "key-open", openRow],
    ["Enter", "key-open", null],
    ["l", "key-next-page", () => follow("main .pager a[rel=next]")],
    ["h", "key-back", () => history.back()],
    ["m", "key-mark", () => mark()],
    ["M", "key-mark-previous", () => mark(-1)],
    ["A", "key-mark-all", () => follow("form[action='/entries/mark-all'] button")],
    ["s f", "key-star", star],
    ["e", "key-archive", archive],
    ["J", "key-next-paragraph", () => goToParagraph(1)],
    ["K", "key-previous-paragraph", () => goToParagraph(-1)],
    ["H", "key-highlight", () => highlightByKey(false)],
    ["N", "key-highlight-note", () => highlightByKey(true)],
    ["G", "key-passage", () => openTools()],
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
  // On keyboards without Latin letters, the position of a key decides.
  const FIRST_NON_LATIN = "\u0250";
  const keyName = ({ key, code, shiftKey }) => {
    if (!code?.startsWith("Key") || key < FIRST_NON_LATIN) return key;
    const letter = code.slice("Key".length);
    return shiftKey ? letter : letter.toLowerCase();
  };
  const PREFIX_MS = 1500;
  let prefixed = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
    const key = keyName(event);
    // No key has an effect behind an open dialog.
    if (document.querySelector("dialog[open]") && key !== "?") return;
    const isSecond = Date.now() - prefixed < PREFIX_MS;
    prefixed = 0;
    const run = (isSecond && afterG.get(key)) || single.get(key);
    if (run) run();
    else if (key === "g") prefixed = Date.now();
    else return;
    event.preventDefault();
  });

  // The texts of the list are read aloud one after another (listen.js).
  const listenAll = document.getElementById("listen-all");
  if (listenAll && "speechSynthesis" in window && rows.length) {
    listenAll.hidden = false;
    listenAll.addEventListener("click", () => {
      // The link to the page of the publisher has a parameter that the address of the text does not have.
      const texts = rows.map((row) => row.querySelector("h3 a").href.replace("?open=original", ""));
      try {
        sessionStorage.setItem("carrel-listen-queue", JSON.stringify(texts));
        sessionStorage.setItem("carrel-listen-next", texts[0]);
      } catch {
        return;
      }
      location.assign(texts[0]);
    });
  }

  // A long press on a row opens its actions, or selects it if it has none. On its link, the menu of the browser appears.
  const LONG_PRESS_MS = 450;
  const addLongPress = (row) => {
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
  };
  for (const row of rows) addLongPress(row);

  // A swipe of a finger presses a button of the row: towards the end of the line the first one (read or unread, archive), towards its
  // start the second one (star, later). The page scrolls as before: the browser cancels the pointer if a finger moves down or up.
  const SWIPE_START_PX = 12;
  const SCREEN_EDGE_PX = 24;
  const MAX_SWIPE_PX = 160;
  const CLICK_AFTER_SWIPE_MS = 300;
  const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
  // Buttons of the form for selected items. An item that has the status already goes back to the inbox.
  const statusButton = (form, status) => {
    const current = new URLSearchParams(location.search).get("shelf");
    return form.querySelector(`button[name=act][value=${current === status ? "inbox" : status}]`);
  };
  const swipeButtons = (row) => {
    const form = row.closest("form[action='/library/bulk']");
    if (form) return [statusButton(form, "archive"), statusButton(form, "later")];
    return ["button[name=read], button[name=unread]", "button[name=star], button[name=unstar]"].map((one) => row.querySelector(one));
  };
  const pressForRow = (row, button, step = 0) => {
    if (!row.contains(button)) for (const pick of button.form.querySelectorAll("input.pick")) pick.checked = row.contains(pick);
    if (rows.includes(row)) storePlace(Math.max(rows.indexOf(row) + step, 0));
    button.click();
  };
  const addSwipe = (row) => {
    if (!swipeButtons(row).some(Boolean)) return;
    row.classList.add("swipes");
    let start = null;
    let hint = null;
    let button = null;
    const isFar = (x) => Math.abs(x) >= Math.min(96, row.offsetWidth * 0.3);
    const reset = () => {
      hint?.remove();
      row.classList.remove("swiped");
      row.style.removeProperty("--swipe");
      start = hint = button = null;
    };
    const move = (event) => {
      if (event.pointerId !== start?.id) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!hint) {
        if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE_START_PX) return;
        button = swipeButtons(row)[x > 0 === isRightToLeft ? 1 : 0];
        if (!button || Math.abs(x) < 2 * Math.abs(y)) return reset();
        hint = document.createElement("span");
        hint.className = "swipe-hint";
        hint.setAttribute("aria-hidden", "true");
        hint.textContent = button.textContent;
        hint.dataset.side = x > 0 ? "left" : "right";
        row.append(hint);
        row.classList.add("swiped");
        row.setPointerCapture(event.pointerId);
      }
      // A finger that moves back returns the row to its start, not beyond it.
      const distance = Math.min(Math.max(hint.dataset.side === "left" ? x : -x, 0), MAX_SWIPE_PX);
      hint.classList.toggle("armed", isFar(distance));
      row.style.setProperty("--swipe", `${hint.dataset.side === "left" ? distance : -distance}px`);
      hint.style.width = `${distance}px`;
    };
    row.addEventListener("pointerdown", (event) => {
      if (start) return reset();
      const { pointerId: id, clientX: x, clientY: y } = event;
      const isOnEdge = x < SCREEN_EDGE_PX || x > innerWidth - SCREEN_EDGE_PX;
      if (event.pointerType === "touch" && event.isPrimary && !isOnEdge && !event.target.closest("details[open], input")) start = { id, x, y };
    });
    row.addEventListener("pointermove", move);
    row.addEventListener("pointercancel", reset);
    row.addEventListener("pointerup", (event) => {
      if (event.pointerId !== start?.id) return;
      const chosen = hint?.classList.contains("armed") ? button : null;
      const wasSwiped = Boolean(hint);
      reset();
      // The end of a swipe is not a press on a link.
      if (wasSwiped) {
        const stop = (click) => { if (click.isTrusted) { click.preventDefault(); click.stopPropagation(); } };
        row.addEventListener("click", stop, { capture: true });
        setTimeout(() => row.removeEventListener("click", stop, { capture: true }), CLICK_AFTER_SWIPE_MS);
      }
      if (chosen) pressForRow(row, chosen);
    });
  };
  for (const row of rows) addSwipe(row);

  // Entries that arrived since the list was loaded are inserted if the list is at rest. Otherwise they are announced, and appear when the
  // person presses the notice.
  const rowAdditions = [addLongPress, addSwipe];
  const news = document.getElementById("new-entries");
  if (news) {
    const MIN_WAIT_MS = 60_000;
    const MAX_WAIT_MS = 960_000;
    const link = news.querySelector("a");
    let wait = MIN_WAIT_MS;
    let polledAt = Date.now();
    let announced = 0;
    let isFull = false;
    let isSignedOut = false;
    let isInserting = false;
    let timer = 0;
    let stream = null;
    let mayStream = "EventSource" in window;
    const stop = () => {
      clearTimeout(timer);
      stream?.close();
      stream = null;
    };
    // A visible page gets the number of new entries from a stream. If there is none, it polls, and the wait doubles while nothing arrives.
    // A hidden page waits for nothing, nor does one with the maximum number of new entries. After the person signed out, the page continues
    // when it is next shown.
    const schedule = () => {
      stop();
      if (document.hidden || isFull || isSignedOut) return;
      if (mayStream) listen();
      else timer = setTimeout(poll, Math.max(polledAt + wait - Date.now(), 0));
    };
    const listen = () => {
      const opened = new EventSource(news.dataset.poll.replace("/entries/new", "/entries/live"));
      stream = opened;
      opened.addEventListener("message", (event) => {
        if (opened !== stream) return;
        receive(JSON.parse(event.data));
        if (isFull) stop();
      });
      const pollInstead = () => {
        mayStream = false;
        schedule();
      };
      opened.addEventListener("replaced", () => opened === stream && pollInstead());
      // The browser reopens a stream that ends, but not one that is refused.
      opened.addEventListener("error", () => {
        if (opened === stream && opened.readyState === EventSource.CLOSED) pollInstead();
      });
    };
    const poll = async () => {
      polledAt = Date.now();
      const { poll: address } = news.dataset;
      try {
        const answer = await fetch(address, { redirect: "manual" });
        isSignedOut = answer.type === "opaqueredirect";
        if (!answer.ok) throw new Error(String(answer.status));
        const arrival = await answer.json();
        if (address !== news.dataset.poll) return schedule();
        wait = arrival.count > announced ? MIN_WAIT_MS : Math.min(wait * 2, MAX_WAIT_MS);
        receive(arrival);
      } catch {
        wait = Math.min(wait * 2, MAX_WAIT_MS);
      }
      schedule();
    };
    // A list is at rest at the top of the page, while the person neither points at it nor uses its rows.
    const isAtRest = () => {
      const list = document.querySelector("ul.entries");
      const isUsed = list?.contains(document.activeElement) || list?.matches(":hover") || document.querySelector("input.pick:checked, details.more[open]");
      return list && !isUsed && scrollY < 8;
    };
    const receive = ({ count, most }) => {
      announced = count;
      isFull = count >= most;
      if (count) link.textContent = countedText(texts[isFull ? "entries-new-most" : "entries-new-count"], count, language);
      if (count && !isFull && !isInserting && isAtRest()) startInsertion(false).catch(() => { news.hidden = false; });
      else news.hidden = !count;
    };
    document.addEventListener("visibilitychange", () => {
      wait = MIN_WAIT_MS;
      isSignedOut = false;
      mayStream = "EventSource" in window;
      schedule();
    });
    // An open stream would exclude the page from the back/forward cache of the browser.
    addEventListener("pagehide", stop);
    addEventListener("pageshow", (event) => { if (event.persisted) schedule(); });
    schedule();

    // Inserts the rows of new entries at the top. If there may be more than one page of them, or the list has other parts now, the page is
    // loaded instead. Nothing changes before that is known.
    const pathOf = (row) => row.querySelector("h3 a").getAttribute("href").split("?")[0];
    const idOf = (row) => BigInt(pathOf(row).split("/").pop());
    const relatedOf = (row) => [...row.querySelectorAll("p.meta a")].map((one) => one.getAttribute("href"));
    const throughOf = (notice) => new URL(notice.dataset.poll, location.href).searchParams.get("through");
    const hasMarkAll = (page) => Boolean(page.querySelector("form[action='/entries/mark-all']"));
    const insert = async (isPressed) => {
      const answer = await fetch(link.href, { redirect: "error" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [list, received] = [document, page].map((one) => one.querySelector("ul.entries"));
      const previousThrough = BigInt(throughOf(news));
      const { poll } = page.getElementById("new-entries").dataset;
      const through = throughOf(page.getElementById("new-entries"));
      const arrived = [...received.children].filter((row) => idOf(row) > previousThrough);
      // If an entry now belongs to the story of a new entry, it is in the row of that story. Other entries of its
      // previous story may then have no row.
      const chosen = rows[at];
      const related = new Set(arrived.flatMap(relatedOf));
      const taken = [...list.children].filter((row) => related.has(pathOf(row)));
      const hasMore = page.querySelector("main .pager a[rel=next]") && arrived.length === received.children.length;
      const hasOtherParts = hasMarkAll(page) !== hasMarkAll(document) || taken.some((row) => relatedOf(row).some((one) => !related.has(one)));
      if (!arrived.length || hasMore || hasOtherParts) throw new Error("the page is loaded instead");
      if (!isPressed && !isAtRest()) throw new Error("the entries are announced instead");
      for (const row of taken) row.remove();
      list.prepend(...arrived);
      for (const input of document.querySelectorAll("main input[name=through]")) input.value = through;
      for (const selector of ["main nav.subnav", "main .head > p.soft"]) {
        const [previous, current] = [document, page].map((one) => one.querySelector(selector));
        if (previous && current) previous.replaceWith(current);
      }
      for (const row of arrived) for (const add of rowAdditions) add(row);
      listRows();
      news.dataset.poll = poll;
      news.hidden = true;
      announced = 0;
      isFull = false;
      wait = MIN_WAIT_MS;
      at = rows.indexOf(isPressed ? arrived[0] : chosen);
      if (isPressed) go(0);
      schedule();
    };
    const startInsertion = async (isPressed) => {
      isInserting = true;
      await insert(isPressed).finally(() => { isInserting = false; });
    };
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!isInserting) startInsertion(true).catch(() => location.assign(link.href));
    });
  }

  // Files that are dropped on the page, or chosen in its form, are sent one at a time. Each answer is a page with the outcome of its file.
  const upload = document.getElementById("upload");
  if (upload) {
    const outcomes = document.getElementById("upload-outcomes");
    const { files, token } = upload.elements;
    const waiting = [];
    let isSending = false;
    const send = ({ file, row, bar }) => new Promise((done) => {
      const body = new FormData();
      body.append("token", token.value);
      body.append("file", file);
      const request = new XMLHttpRequest();
      request.open("POST", upload.action);
      request.responseType = "document";
      request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; });
      request.addEventListener("loadend", () => {
        const outcome = request.response?.querySelector("#upload-outcomes > li");
        if (outcome) row.replaceWith(document.importNode(outcome, true));
        else {
          const reason = document.createElement("span");
          reason.className = "error";
          reason.textContent = upload.dataset.failed;
          bar.replaceWith(reason);
        }
        done();
      });
      request.send(body);
    });
    const add = async (chosen) => {
      for (const file of chosen) {
        const [row, name, bar] = ["li", "bdi", "progress"].map((tag) => document.createElement(tag));
        name.textContent = file.name;
        bar.value = 0;
        bar.setAttribute("aria-label", `${upload.dataset.sending} ${file.name}`);
        row.append(name, " · ", bar);
        outcomes.append(row);
        waiting.push({ file, row, bar });
      }
      if (isSending) return;
      isSending = true;
      while (waiting.length) await send(waiting.shift());
      isSending = false;
    };
    upload.addEventListener("submit", (event) => {
      event.preventDefault();
      add([...files.files]);
      upload.reset();
    });
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const mark = (isDropping) => document.documentElement.classList.toggle("dropping", isDropping);
    document.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      mark(true);
    });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
    document.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(false);
      const section = upload.closest("details");
      if (section) section.open = true;
      add([...event.dataTransfer.files]);
    });
    // Leaving the page would stop the files that are being sent.
    addEventListener("beforeunload", (event) => { if (isSending) event.preventDefault(); });
  }

  // A click with Shift selects all rows since the last click.
  let last = null;
  document.addEventListener("click", (event) => {
    const pick = event.target;
    if (!pick.matches("input.pick")) return;
    const picks = [...document.querySelectorAll("input.pick")];
    if (event.shiftKey && picks.includes(last)) {
      const [from, to] = [picks.indexOf(last), picks.indexOf(pick)].sort((a, b) => a - b);
      for (const one of picks.slice(from, to + 1)) one.checked = pick.checked;
    }
    last = pick;
  });
  // A click elsewhere or Escape closes the actions of a row.
  const close = (outside) => {
    for (const open of document.querySelectorAll("details.more[open]")) if (!outside || !open.contains(outside)) open.open = false;
  };
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(null); });

  // Unread entries that leave the window at its top were scrolled past. They are marked as read in batches.
  const list = document.querySelector("ul.entries");
  if (list && document.documentElement.dataset.scroll === "pass" && "IntersectionObserver" in window) {
    const form = list.closest("form");
    const idOf = (row) => row.querySelector("button[name=read]")?.value;
    let passed = [];
    let timer = 0;
    const sendPassed = async () => {
      clearTimeout(timer);
      timer = 0;
      const rows = passed.splice(0);
      if (!rows.length) return;
      const body = new URLSearchParams({ token: form.elements.token.value, passed: rows.map(idOf).join(",") });
      try {
        const answer = await fetch(form.action, { method: "POST", body, keepalive: true });
        if (!answer.ok) return;
        for (const row of rows) {
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
      if (passed.length && !timer) timer = setTimeout(sendPassed, 1500);
    });
    const watchRow = (row) => { if (row.matches("li.new")) watch.observe(row); };
    rowAdditions.push(watchRow);
    for (const row of list.children) watchRow(row);
    addEventListener("pagehide", sendPassed);
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

  // Words of a highlight that are selected with a mouse or pen are chosen as gaps of its card.
  const gaps = document.querySelector(".gaps");
  if (gaps) {
    let isSelected = false;
    addEventListener("pointerdown", () => { isSelected = false; });
    addEventListener("pointerup", () => {
      const chosen = getSelection();
      if (!chosen || chosen.isCollapsed || !gaps.contains(chosen.anchorNode) || !gaps.contains(chosen.focusNode)) return;
      for (const label of gaps.querySelectorAll("label")) {
        if (chosen.containsNode(label, true)) label.control.checked = true;
      }
      chosen.removeAllRanges();
      isSelected = true;
    });
    // The press that selected a word does not toggle it. Presses of keys have a `detail` of 0.
    gaps.addEventListener("click", (event) => { if (isSelected && event.detail) event.preventDefault(); });
  }

  // The words that are selected in a text go into the form for highlights, with the paragraph they begin in, or into the form for the
  // language model.
  const quote = document.getElementById("quote");
  const asking = document.getElementById("passage-form");
  if (!text || (!quote && !asking)) return;
  const tool = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", act);
    return made;
  };

  // The answer of the language model appears below the selected words. Its page is requested again until it has the answer.
  const ANSWER_SECONDS = 2;
  const ANSWER_TRIES = 150;
  const answerOf = async (response) => {
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const section = page.getElementById("passage");
    if (!section) throw new Error("no answer");
    // The model still works on another passage.
    if (new URL(response.url).searchParams.get("done") === "passage-busy") section.prepend(page.querySelector("main .notice") ?? "");
    return section;
  };
  const popup = () => document.querySelector("#passage.popup");
  // If the focus would be lost, the paragraph of the words gets it.
  const leave = (part, act) => {
    const hadFocus = part.contains(document.activeElement);
    act();
    if (!hadFocus || !chosen?.paragraph) return;
    chosen.paragraph.tabIndex = -1;
    chosen.paragraph.focus({ preventScroll: true });
  };
  const hideTools = () => { if (tools && !tools.hidden) leave(tools, () => { tools.hidden = true; }); };
  const closePopup = () => leave(popup(), () => popup().remove());
  const showAnswer = (answer, top, retry) => {
    hideTools();
    const section = popup() ?? document.adoptNode(answer.cloneNode());
    section.classList.add("popup");
    section.setAttribute("aria-live", "polite");
    section.style.top = `${top}px`;
    if (!section.isConnected) {
      document.getElementById("passage")?.remove();
      document.body.append(section);
    }
    // Screen readers announce changes of an element that is already in the page.
    const again = answer.dataset.state === "failed" ? [tool(asking.dataset.retry, retry)] : [];
    leave(section, () => section.replaceChildren(...answer.childNodes, ...again, tool(texts["script-close"], closePopup)));
  };
  let asked = 0;
  const send = async (body, top) => {
    asked += 1;
    const number = asked;
    const retry = () => send(body, top);
    let answer = null;
    try {
      answer = await answerOf(await fetch(asking.action, { method: "POST", body }));
    } catch {
      // The page of the refusal states the reason.
      for (const name of ["words", "task", "instruction"]) asking.elements[name].value = body.get(name);
      asking.requestSubmit();
      return;
    }
    showAnswer(answer, top, retry);
    for (let tries = 0; answer.dataset.state === "requested" && tries < ANSWER_TRIES; tries += 1) {
      await new Promise((resolve) => { setTimeout(resolve, ANSWER_SECONDS * 1000); });
      if (!popup() || number !== asked) return;
      try {
        answer = await answerOf(await fetch(location.pathname));
        if (answer.dataset.state !== "requested") showAnswer(answer, top, retry);
      } catch { /* the connection may return */ }
    }
    if (answer.dataset.state !== "requested" || !popup() || number !== asked) return;
    const note = document.createElement("p");
    note.className = "notice";
    note.textContent = asking.dataset.slow;
    popup().lastElementChild.before(note, tool(asking.dataset.retry, retry));
  };

  // Words for which the tools are displayed, their range, and their paragraph.
  let chosen = null;
  let tools = null;
  const ask = (task, instruction = "") => {
    const body = new URLSearchParams(new FormData(asking));
    for (const [name, value] of Object.entries({ words: chosen.words, task, instruction })) body.set(name, value);
    send(body, chosen.range.getBoundingClientRect().bottom + scrollY + 8);
  };
  const languageTool = () => {
    const { language } = asking.elements;
    const field = language.cloneNode(true);
    field.removeAttribute("id");
    field.value = language.value;
    field.setAttribute("aria-label", language.labels[0].textContent);
    field.addEventListener("change", () => { language.value = field.value; });
    return field;
  };
  const instructionTool = () => {
    const { instruction, task } = asking.elements;
    const [line, field] = ["form", "input"].map((tag) => document.createElement(tag));
    field.type = "text";
    field.maxLength = instruction.maxLength;
    field.placeholder = instruction.labels[0].textContent;
    field.setAttribute("aria-label", field.placeholder);
    line.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) ask(task.value, field.value);
    });
    line.append(field, tool(asking.querySelector("button[type=submit]").textContent, () => line.requestSubmit()));
    return line;
  };
  const makeTools = () => {
    const made = document.createElement("div");
    made.id = "selection-tools";
    if (quote) {
      const marker = tool(quote.form.querySelector("button").textContent, () => {
        quote.value = chosen.words;
        quote.form.requestSubmit();
      });
      marker.id = "mark-selection";
      made.append(marker);
    }
    if (asking) {
      for (const { value, textContent } of asking.elements.task.options) made.append(tool(textContent, () => ask(value)));
      made.append(languageTool(), instructionTool());
    }
    document.body.append(made);
    return made;
  };
  const showTools = (next) => {
    chosen = next;
    tools ??= makeTools();
    tools.hidden = false;
  };
  const selectedPart = () => {
    const words = selectedWords();
    if (!words) return null;
    const range = getSelection().getRangeAt(0).cloneRange();
    return { words, range, paragraph: paragraphOf(range.startContainer) };
  };
  const focusedPart = () => {
    const paragraph = paragraphOf(document.activeElement);
    if (!paragraph) return null;
    const range = document.createRange();
    range.selectNodeContents(paragraph);
    return { words: wordsOf(paragraph), range, paragraph };
  };
  openTools = () => {
    const part = selectedPart() ?? focusedPart();
    if (!part) return;
    showTools(part);
    (tools.querySelector("button:not(#mark-selection)") ?? tools.querySelector("button")).focus();
  };
  document.addEventListener("selectionchange", () => {
    const part = selectedPart();
    if (part) showTools(part);
    // The selection ends when a field of the tools gets the focus.
    else if (tools && !tools.contains(document.activeElement)) tools.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (popup()) closePopup();
    else hideTools();
  });
})();
