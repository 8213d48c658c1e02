// Additions to a reading page: copy the text as Markdown, copy code or a quote, footnotes on the current screen, larger pictures, players
// of videos, the time that is left, share the page, select the current text settings and change them by steps, and scroll by pages. The page
// also works without this file.
// Its texts are an attribute of its element.
(() => {
  const { language: own, direction, texts: json } = document.currentScript.dataset;
  const texts = JSON.parse(json);
  const button = (name, label) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.textContent = label;
    return made;
  };
  const copyByCommand = (text, back) => {
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    back.focus();
    if (!done) throw new Error("refused");
  };
  const copy = async (text, back) => {
    if (navigator.clipboard && window.isSecureContext) await navigator.clipboard.writeText(text);
    else copyByCommand(text, back);
  };

  const link = document.getElementById("markdown");
  if (link) {
    const copier = button("link", texts["copy-markdown"]);
    const status = document.createElement("span");
    status.className = "small soft";
    status.setAttribute("role", "status");
    copier.addEventListener("click", async () => {
      copier.disabled = true;
      status.textContent = "";
      try {
        const answer = await fetch(link.href, { credentials: "omit" });
        if (!answer.ok) throw new Error(String(answer.status));
        await copy(await answer.text(), copier);
        status.textContent = ` ${texts["copy-markdown-done"]}`;
      } catch {
        status.textContent = ` ${texts["copy-markdown-failed"]}`;
      }
      copier.disabled = false;
    });
    link.after(copier, status);
  }

  // A quote with its source: a button copies it, and another gives it to an app of the device.
  const quote = document.getElementById("share-text");
  if (quote) {
    const tools = document.createElement("p");
    tools.className = "row";
    const copier = button("", texts["script-copy"]);
    copier.setAttribute("aria-live", "polite");
    copier.addEventListener("click", async () => {
      try {
        await copy(quote.value, copier);
        copier.textContent = texts["copy-done"];
      } catch {
        quote.select();
        copier.textContent = texts["copy-failed-selected"];
      }
    });
    tools.append(copier);
    if (navigator.share) {
      const sharer = button("secondary", texts["script-share"]);
      sharer.addEventListener("click", () => { navigator.share({ text: quote.value }).catch(() => { /* the person closed the list of apps */ }); });
      tools.append(sharer);
    }
    quote.parentElement.after(tools);
  }

  const prose = document.querySelector(".prose, article.text, .with-copies");
  for (const code of prose ? prose.querySelectorAll("pre") : []) {
    const frame = document.createElement("div");
    frame.className = "code";
    const copier = button("secondary", texts["script-copy"]);
    copier.lang = own;
    copier.dir = direction;
    copier.setAttribute("aria-live", "polite");
    copier.addEventListener("click", async () => {
      try {
        await copy(code.textContent, copier);
        copier.textContent = texts["copy-done"];
      } catch {
        copier.textContent = texts["copy-failed"];
      }
    });
    code.before(frame);
    frame.append(code, copier);
  }

  // A reference to a footnote shows the note at the foot of the window. The note links to its position in the text.
  let note = null;
  let reference = null;
  const closeNote = () => {
    if (!note) return;
    note.remove();
    note = null;
    reference.focus();
  };
  const showNote = (link, target) => {
    closeNote();
    reference = link;
    note = document.createElement("aside");
    note.className = "footnote noprint";
    note.setAttribute("role", "note");
    note.tabIndex = -1;
    const words = target.cloneNode(true);
    words.removeAttribute("id");
    for (const mark of words.querySelectorAll(".pil, a[href^='#']")) mark.remove();
    const jump = document.createElement("a");
    jump.href = link.hash;
    jump.textContent = texts["note-jump"];
    jump.addEventListener("click", () => { note.remove(); note = null; });
    const closer = button("link", texts["script-close"]);
    closer.addEventListener("click", closeNote);
    const tools = document.createElement("p");
    tools.className = "row small";
    tools.lang = own;
    tools.dir = direction;
    tools.append(closer, jump);
    note.append(words, tools);
    prose.closest("article").append(note);
    note.focus();
  };
  for (const link of prose ? prose.querySelectorAll("sup > a[href^='#p']") : []) {
    link.addEventListener("click", (event) => {
      const target = document.getElementById(link.hash.slice(1));
      if (!target || !target.closest(".footnotes") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      showNote(link, target);
    });
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeNote(); });

  // A picture opens in the whole window, unless it links to something other than a picture.
  const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
  for (const picture of prose ? prose.querySelectorAll("a > img.picture, a > picture > img.picture") : []) {
    const link = picture.closest("a");
    link.addEventListener("click", (event) => {
      if (!picture.naturalWidth || event.ctrlKey || event.metaKey || event.shiftKey || !PICTURE.test(link.pathname)) return;
      event.preventDefault();
      const box = document.createElement("dialog");
      box.className = "zoom";
      box.setAttribute("aria-label", picture.alt);
      const large = document.createElement("img");
      large.src = picture.src;
      large.alt = picture.alt;
      const closer = button("secondary", texts["script-close"]);
      box.append(large, closer);
      box.addEventListener("click", () => box.close());
      box.addEventListener("close", () => { box.remove(); link.focus(); });
      document.body.append(box);
      box.showModal();
    });
  }

  // A press loads the player of a video. Before it, nothing is requested from the service of the video.
  for (const video of document.querySelectorAll(".video[data-player]")) {
    const tools = video.querySelector("p[hidden]");
    tools.hidden = false;
    tools.querySelector("button").addEventListener("click", () => {
      const { player, title } = video.dataset;
      const frame = document.createElement("iframe");
      frame.title = title;
      frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
      frame.allow = "autoplay; encrypted-media; fullscreen";
      // Players refuse pages that send no referrer. They get the origin of the page, not its address.
      frame.referrerPolicy = "strict-origin";
      frame.src = player;
      tools.replaceWith(frame);
      // The picture of the video is in the player.
      const link = video.querySelector("a:not(.pil)");
      if (link.querySelector("img")) link.textContent = title;
      frame.focus();
    });
  }

  // The time that is left of a long text, from the part that is below the window.
  const article = prose && prose.closest("article[data-minutes]");
  const minutes = article ? Number(article.dataset.minutes) : 0;
  if (minutes > 1) {
    const left = document.createElement("p");
    left.className = "time-left noprint";
    left.lang = own;
    left.dir = direction;
    left.setAttribute("aria-hidden", "true");
    document.body.append(left);
    let waiting = false;
    const update = () => {
      waiting = false;
      const box = prose.getBoundingClientRect();
      const share = Math.min(Math.max((box.bottom - innerHeight) / box.height, 0), 1);
      const rest = Math.ceil(minutes * share);
      left.hidden = box.top > 0 || rest < 1;
      left.textContent = countedText(texts["minutes-left"], rest, own);
    };
    const scheduleUpdate = () => { if (!waiting) { waiting = true; requestAnimationFrame(update); } };
    addEventListener("scroll", scheduleUpdate, { passive: true });
    addEventListener("resize", scheduleUpdate);
    update();
  }

  // Gives the address of the original to an app of the device.
  const share = document.getElementById("share-page");
  if (share && navigator.share) {
    share.hidden = false;
    share.addEventListener("click", () => {
      const heading = document.querySelector("h1");
      const title = (heading?.querySelector("bdi") ?? heading)?.textContent ?? document.title;
      navigator.share({ title, url: share.dataset.url }).catch(() => { /* the person closed the list of apps */ });
    });
  }

  const settings = document.getElementById("reading-settings");
  if (settings) {
    const chosen = document.documentElement.dataset;
    for (const fieldset of settings.querySelectorAll("fieldset:not([data-steps])")) {
      const choices = [...fieldset.querySelectorAll("input")];
      const value = chosen[choices[0].name];
      const current = value ? choices.find((one) => one.value === value) : choices[0];
      if (current) current.checked = true;
    }

    // The buttons of a step change the page immediately. Requests follow one another: each answer replaces the whole
    // cookie.
    let saving = Promise.resolve();
    const save = async (name, value) => {
      const answer = await fetch(settings.action, { method: "POST", body: new URLSearchParams({ [name]: value }), redirect: "manual" });
      if (answer.type !== "opaqueredirect") throw new Error(String(answer.status));
    };
    for (const fieldset of settings.querySelectorAll("fieldset[data-steps]")) {
      const { id: name } = fieldset;
      const values = fieldset.dataset.steps.split(" ");
      const usual = fieldset.dataset.default;
      const buttons = fieldset.querySelectorAll("button");
      const index = () => values.indexOf(chosen[name] ?? usual);
      const display = () => {
        buttons[0].disabled = index() === 0;
        buttons[1].disabled = index() === values.length - 1;
        fieldset.querySelector("output").textContent = `${index() + 1} / ${values.length}`;
      };
      const change = (event, by) => {
        event.preventDefault();
        const value = values[index() + by];
        if (!value) return;
        if (value === usual) delete chosen[name];
        else chosen[name] = value;
        display();
        // If the request fails, the form is sent, so that the browser shows why.
        saving = saving.then(() => save(name, value)).catch(() => settings.requestSubmit(event.target));
      };
      buttons[0].addEventListener("click", (event) => change(event, -1));
      buttons[1].addEventListener("click", (event) => change(event, 1));
      display();
    }
  }

  // By choice, keys and taps scroll by a page minus two lines. A tap above or below the middle third of the window scrolls back or on.
  if (prose && document.documentElement.dataset.paged === "on") {
    const PRESSED = "a, button, input, select, textarea, label, summary, audio, video, iframe, dialog, aside, mark, img, [contenteditable], [role=button]";
    const scrollPage = (direction) => {
      const line = Number.parseFloat(getComputedStyle(prose.querySelector("p") ?? prose).lineHeight) || 24;
      const bars = [...document.querySelectorAll(".sections-bar, .voice")].filter((bar) => getComputedStyle(bar).position === "fixed");
      const covered = Math.max(0, ...bars.map((bar) => bar.offsetHeight));
      scrollBy({ top: direction * Math.max(innerHeight - covered - 2 * line, line), behavior: "instant" });
    };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(PRESSED)) return;
      const isSpace = event.key === " ";
      if (!isSpace && (event.shiftKey || (event.key !== "PageDown" && event.key !== "PageUp"))) return;
      event.preventDefault();
      scrollPage(event.key === "PageUp" || (isSpace && event.shiftKey) ? -1 : 1);
    });
    document.addEventListener("click", (event) => {
      if (event.defaultPrevented || !matchMedia("(pointer: coarse)").matches || event.target.closest(PRESSED)) return;
      const isElsewhere = !event.target.closest("main") || document.querySelector(".voice") || document.querySelector(".bar details[open]");
      if (isElsewhere || !getSelection().isCollapsed) return;
      const part = event.clientY / innerHeight;
      if (part < 1 / 3) scrollPage(-1);
      else if (part > 2 / 3) scrollPage(1);
    });
  }

  // One menu is open at a time. Escape and a click elsewhere close it.
  const menus = [...document.querySelectorAll(".bar details[name]")];
  const close = (except) => { for (const menu of menus) if (menu !== except) menu.open = false; };
  document.addEventListener("click", (event) => close(event.target.closest(".bar details[name]")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = menus.find((menu) => menu.open);
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
