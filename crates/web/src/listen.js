// Listening to a text: the browser's voice reads it sentence by sentence, and the current sentence is marked and scrolled into view. A
// press on a paragraph continues there. Speed and voice are stored in the browser, the position also in the account. The texts of a list
// are read one after another. The texts of this file are an attribute of its element.
(() => {
  if (!("speechSynthesis" in window)) return;
  // Addresses of the texts of a list (desk.js), and the address of the page that continues by itself.
  const QUEUE = "carrel-listen-queue";
  const NEXT = "carrel-listen-next";
  let queue = [];
  let isContinued = false;
  try {
    const stored = JSON.parse(sessionStorage.getItem(QUEUE));
    if (Array.isArray(stored)) queue = stored;
    isContinued = sessionStorage.getItem(NEXT) === location.href;
    sessionStorage.removeItem(NEXT);
  } catch { /* a browser without storage reads one text */ }
  // A page that the person opened is not read as part of the list, even if the list contains it.
  const number = isContinued ? queue.indexOf(location.href) : -1;
  const nextText = number < 0 ? null : queue[number + 1];
  const endQueue = () => {
    try {
      sessionStorage.removeItem(QUEUE);
    } catch { /* nothing is stored */ }
  };
  const continueAt = (address) => {
    try {
      sessionStorage.setItem(NEXT, address);
    } catch {
      return;
    }
    location.assign(address);
  };
  const listen = document.getElementById("listen");
  const prose = document.querySelector(".prose, article.text");
  if (!listen || !prose) {
    // A page without a text is skipped.
    if (isContinued && nextText) continueAt(nextText);
    return;
  }
  const { language: own, direction, texts: json } = document.currentScript.dataset;
  const texts = JSON.parse(json);
  const label = listen.textContent;
  const isReader = Boolean(document.querySelector(".reader"));
  const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5];
  // Some voices stop after 15 seconds, so an utterance has at most this many characters at normal speed. Chinese and
  // Japanese characters take longer.
  const MAX_CHARS = 180;
  const MAX_SIGNS = 60;
  const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
  const MAX_POSITIONS = 50;
  // After a person scrolled, the page stays where it is for a while.
  const SCROLL_PAUSE_MS = 5000;

  // What the browser stores: the speed, a voice for each language, and positions in texts, the newest last.
  const KEY = "carrel-listen";
  const stored = () => {
    let all = null;
    try {
      all = JSON.parse(localStorage.getItem(KEY));
    } catch { /* nothing is stored */ }
    const { speed, voices, positions } = all ?? {};
    return { speed: SPEEDS.includes(speed) ? speed : 1, voices: voices ?? {}, positions: Array.isArray(positions) ? positions : [] };
  };
  let settings = stored();
  const store = (change) => {
    settings = stored();
    change(settings);
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch { /* a browser without storage begins with the text that is in view */ }
  };
  const textName = location.pathname + (isReader ? location.search : "");
  const withoutThis = ({ positions }) => positions.filter(({ text }) => text !== textName);

  // The text in blocks. A block has the text nodes of one paragraph, heading, or list item, and the position of each in its text.
  const SKIPPED = "pre, .scroll, .pil, .original, .noprint, button, script, style";
  const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, blockquote, dd, dt, figcaption, div, section, article";
  const isSkipped = (node) => node.nodeType === Node.ELEMENT_NODE && (node.matches(SKIPPED) || (node.matches("sup") && node.querySelector("a")));
  const collect = () => {
    const accept = (node) => (isSkipped(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const walker = document.createTreeWalker(prose, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept);
    const all = [];
    let current = null;
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (current && node.matches("br")) current.text += "\n";
        continue;
      }
      const element = node.parentElement.closest(BLOCKS);
      if (current?.element !== element) {
        current = { element, text: "", nodes: [] };
        all.push(current);
      }
      current.nodes.push({ node, start: current.text.length });
      current.text += node.data.replace(/\s/g, " ");
    }
    return all.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  };
  const languageOf = (element) => {
    const marked = element.closest("[lang]");
    return marked && prose.closest("article").contains(marked) ? marked.lang : "";
  };
  const primary = (tag) => (tag || document.documentElement.lang).split(/[-_]/)[0].toLowerCase();

  // Sentences of a text. A short word with a full stop, such as a title, belongs to the following sentence.
  const SHORT_WORD = /(^\P{L}*\p{L}{1,3}|(^|\s)\p{Lu}\p{Ll}?)\.\s*$/u;
  const segmentsOf = (text, language) => {
    try {
      return [...new Intl.Segmenter(language || undefined, { granularity: "sentence" }).segment(text)].map(({ segment }) => segment);
    } catch {
      return text.match(/[^.!?。！？\n]*[.!?。！？\n]*\s*/g) ?? [text];
    }
  };
  const sentencesOf = (text, language) => {
    const sentences = [];
    let isOpen = false;
    for (const segment of segmentsOf(text, language)) {
      if (isOpen) sentences.push(sentences.pop() + segment);
      else sentences.push(segment);
      isOpen = SHORT_WORD.test(segment);
    }
    return sentences;
  };
  // Position at which a sentence is cut that is too long: after a pause, or else between words.
  const cutOf = (text, most) => {
    const head = text.slice(0, most);
    const pause = Math.max(...[",", ";", ":", "–", "—", "،", "、", "，", "；"].map((one) => head.lastIndexOf(one))) + 1;
    if (pause > most / 3) return pause;
    const space = head.lastIndexOf(" ") + 1;
    if (space > 0) return space;
    return /[\udc00-\udfff]/.test(text[most]) ? most + 1 : most;
  };
  // Pieces of a block that are one utterance each: sentences, and parts of long ones.
  const piecesOf = ({ element, text }) => {
    const most = Math.floor((SIGNS.test(text) ? MAX_SIGNS : MAX_CHARS) * Math.min(settings.speed, 1));
    const pieces = [];
    let start = 0;
    const add = (piece) => {
      if (/[\p{L}\p{N}]/u.test(piece)) pieces.push({ start: start + piece.length - piece.trimStart().length, end: start + piece.trimEnd().length });
      start += piece.length;
    };
    for (const sentence of sentencesOf(text, languageOf(element))) {
      let rest = sentence;
      while (rest.trimEnd().length > most) {
        const cut = cutOf(rest, most);
        add(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      add(rest);
    }
    return pieces;
  };

  let blocks = null;
  let block = 0;
  let pieces = [];
  let piece = 0;
  let utterance = null;
  let isPlaying = false;
  let scrolledAt = 0;

  const rangeOf = ({ nodes }, { start, end }) => {
    const point = (offset, index) => [nodes[index].node, Math.min(offset - nodes[index].start, nodes[index].node.length)];
    const range = document.createRange();
    range.setStart(...point(start, nodes.findLastIndex((one) => one.start <= start)));
    range.setEnd(...point(end, nodes.findLastIndex((one) => one.start < end)));
    return range;
  };
  const canMark = Boolean(window.Highlight && CSS.highlights);
  const unmark = () => {
    if (canMark) CSS.highlights.delete("spoken");
    else document.querySelector(".spoken")?.classList.remove("spoken");
  };
  const mark = () => {
    unmark();
    const range = rangeOf(blocks[block], pieces[piece]);
    if (canMark) CSS.highlights.set("spoken", new Highlight(range));
    else blocks[block].element.classList.add("spoken");
    const box = range.getBoundingClientRect();
    const isInView = box.top >= 0 && box.bottom <= player.getBoundingClientRect().top;
    if (isInView || Date.now() - scrolledAt < SCROLL_PAUSE_MS) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    scrollBy({ top: box.top - innerHeight / 3, behavior });
  };
  // The position in a saved or followed text is also sent to the account, so that other devices continue there.
  const form = document.getElementById("listening");
  const MS_BETWEEN_SENDS = 15_000;
  let unsent = null;
  let sentAt = 0;
  const send = () => {
    if (!form || !unsent) return;
    const body = new URLSearchParams({ token: form.elements.token.value, text: form.elements.text.value, ...unsent });
    unsent = null;
    sentAt = Date.now();
    fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => { /* the next position is sent */ });
  };
  const storePosition = () => {
    const { start: offset } = pieces[piece];
    store((now) => {
      const position = { text: textName, of: blocks.length, block, offset, time: Date.now() };
      now.positions = [...withoutThis(now), position].slice(-MAX_POSITIONS);
    });
    unsent = { blocks: blocks.length, block, offset };
    if (Date.now() - sentAt >= MS_BETWEEN_SENDS) send();
  };
  // The position that was stored last, by this browser or by another device. It is not used if the text has changed.
  const knownPosition = () => {
    const { blocks: of, block: index, offset, time } = form?.dataset ?? {};
    const remote = time ? [{ text: textName, of: Number(of), block: Number(index), offset: Number(offset), time: Number(time) }] : [];
    const all = [...settings.positions.filter(({ text }) => text === textName), ...remote];
    const newest = all.sort((left, right) => (left.time ?? 0) - (right.time ?? 0)).pop();
    return newest?.of === blocks.length && newest.block < blocks.length ? newest : null;
  };
  const voicesOf = (language) => speechSynthesis.getVoices().filter(({ lang }) => primary(lang) === primary(language));

  // The utterance stays in a variable until its end, because a browser may discard it, and its events, before.
  const halt = () => {
    utterance = null;
    speechSynthesis.cancel();
  };
  const speak = () => {
    const { element, text } = blocks[block];
    const { start, end } = pieces[piece];
    const language = languageOf(element);
    const spoken = new SpeechSynthesisUtterance(text.slice(start, end));
    spoken.lang = language || document.documentElement.lang;
    spoken.rate = settings.speed;
    spoken.voice = voicesOf(language).find(({ voiceURI }) => voiceURI === settings.voices[primary(language)]) ?? null;
    spoken.addEventListener("end", () => { if (utterance === spoken) advance(); });
    spoken.addEventListener("error", () => {
      if (utterance !== spoken) return;
      pause();
      status.textContent = texts["listen-failed"];
    });
    utterance = spoken;
    speechSynthesis.speak(spoken);
  };
  // Selects the sentence at this position, and reads it unless reading is paused.
  const select = (index, offset = 0) => {
    halt();
    block = index;
    pieces = piecesOf(blocks[block]);
    piece = Math.max(pieces.findLastIndex(({ start }) => start <= offset), 0);
    proceed();
  };
  const proceed = () => {
    status.textContent = "";
    mark();
    storePosition();
    if (isPlaying) speak();
  };
  const advance = () => {
    if (piece + 1 < pieces.length) {
      piece += 1;
      proceed();
    } else if (block + 1 < blocks.length) {
      select(block + 1);
    } else {
      finish();
    }
  };
  const skip = (step) => {
    scrolledAt = 0;
    const target = step < 0 && piece > 0 ? block : block + step;
    if (target < blocks.length) select(Math.max(target, 0));
  };

  // Browsers send media keys only to a page that plays a recording, so a silent recording is played as well.
  const RATE = 8000;
  const SECONDS = 10;
  const soundless = (() => {
    const length = RATE * SECONDS;
    const bytes = new Uint8Array(44 + length).fill(128);
    const view = new DataView(bytes.buffer);
    const letters = (at, words) => bytes.set(new TextEncoder().encode(words), at);
    letters(0, "RIFF");
    view.setUint32(4, 36 + length, true);
    letters(8, "WAVEfmt ");
    for (const [at, value] of [[16, 16], [24, RATE], [28, RATE], [40, length]]) view.setUint32(at, value, true);
    for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) view.setUint16(at, value, true);
    letters(36, "data");
    let audio = null;
    return () => {
      if (audio) return audio;
      audio = new Audio(URL.createObjectURL(new Blob([bytes], { type: "audio/wav" })));
      audio.loop = true;
      return audio;
    };
  })();
  const session = navigator.mediaSession;
  const setState = (state) => { if (session) session.playbackState = state; };
  const play = () => {
    isPlaying = true;
    toggle.textContent = texts["listen-pause"];
    for (const recording of document.querySelectorAll("audio, video")) recording.pause();
    soundless().play().catch(() => { /* the voice reads without media keys */ });
    setState("playing");
    halt();
    proceed();
  };
  const pause = () => {
    if (!isPlaying) return;
    isPlaying = false;
    toggle.textContent = texts["listen-continue"];
    halt();
    send();
    soundless().pause();
    setState("paused");
  };
  const close = () => {
    pause();
    unmark();
    const hasFocus = player.contains(document.activeElement);
    player.remove();
    listen.textContent = label;
    if (hasFocus) (listen.closest("details")?.querySelector("summary") ?? listen).focus();
    setState("none");
    if (!session) return;
    session.metadata = null;
    setKeys(null);
  };
  const stop = () => {
    close();
    endQueue();
  };
  // The next text of a list, or the next page of a long text of the reader, continues by itself.
  const finish = () => {
    store((now) => { now.positions = withoutThis(now); });
    unsent = null;
    close();
    unsent = {};
    send();
    for (const name of Object.keys(form?.dataset ?? {})) delete form.dataset[name];
    const following = nextText ?? (isReader && document.querySelector("main a[rel=next]")?.href);
    if (following) continueAt(following);
    else endQueue();
  };
  const setKeys = (isOn) => {
    const keys = { play, pause, stop, nexttrack: () => skip(1), previoustrack: () => skip(-1) };
    for (const [name, act] of Object.entries(keys)) {
      try {
        session.setActionHandler(name, isOn && act);
      } catch { /* a browser without this key */ }
    }
  };

  const make = (tag, words, name = "") => {
    const made = document.createElement(tag);
    made.textContent = words;
    made.className = name;
    return made;
  };
  const makeButton = (words, name, act) => {
    const made = make("button", words, `secondary ${name}`);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };
  const makeField = (words, choose) => {
    const field = make("label", "");
    const box = make("select", "");
    box.addEventListener("change", () => choose(box.value));
    field.append(make("span", words), " ", box);
    return { field, box };
  };
  const makeOption = (words, value, isChosen) => {
    const option = make("option", words);
    option.value = value;
    option.selected = isChosen;
    return option;
  };
  const player = make("div", "", "voice noprint");
  player.setAttribute("role", "group");
  player.setAttribute("aria-label", label);
  player.lang = own;
  player.dir = direction;
  const toggle = makeButton(texts["listen-pause"], "", () => (isPlaying ? pause() : play()));
  const arrow = (sign, words, step) => {
    const made = makeButton(sign, "", () => skip(step));
    made.setAttribute("aria-label", words);
    made.title = words;
    return made;
  };
  const status = make("span", "", "small");
  status.setAttribute("role", "status");
  const repeat = () => { if (isPlaying) select(block, pieces[piece].start); };
  const speed = makeField(texts["recording-speed"], (value) => {
    store((now) => { now.speed = Number(value); });
    repeat();
  });
  const format = new Intl.NumberFormat(own);
  for (const one of SPEEDS) speed.box.append(makeOption(`${format.format(one)} ×`, one, one === settings.speed));
  const language = languageOf(prose);
  const voice = makeField(texts["listen-voice"], (value) => {
    store((now) => { now.voices = { ...now.voices, [primary(language)]: value }; });
    repeat();
  });
  // Some browsers load voices after the page.
  const listVoices = () => {
    const voices = voicesOf(language);
    const chosen = settings.voices[primary(language)];
    const options = voices.map(({ name, voiceURI }) => makeOption(name, voiceURI, voiceURI === chosen));
    voice.box.replaceChildren(makeOption(texts["listen-voice-any"], "", false), ...options);
    voice.box.value = voices.some(({ voiceURI }) => voiceURI === chosen) ? chosen : "";
    voice.field.hidden = voices.length < 2;
  };
  speechSynthesis.addEventListener?.("voiceschanged", listVoices);
  player.append(
    arrow("«", texts["listen-previous"], -1), toggle, arrow("»", texts["listen-next"], 1),
    speed.field, voice.field, makeButton(texts["reading-stop"], "push", stop), status,
  );
  if (nextText) {
    const skipText = () => {
      close();
      continueAt(nextText);
    };
    player.querySelector(".push").before(
      make("span", `${format.format(number + 1)} / ${format.format(queue.length)}`, "small"),
      makeButton(texts["listen-next-text"], "", skipText),
    );
  }

  const begin = () => {
    blocks ??= collect();
    if (!blocks.length) {
      if (isContinued && nextText) continueAt(nextText);
      return;
    }
    listVoices();
    document.body.append(player);
    listen.textContent = texts["reading-stop"];
    const menu = listen.closest("details");
    if (menu) menu.open = false;
    if (session) {
      const heading = document.querySelector("h1");
      session.metadata = new MediaMetadata({ title: (heading?.querySelector("bdi") ?? heading)?.textContent ?? document.title });
      setKeys(true);
    }
    scrolledAt = 0;
    isPlaying = false;
    const position = knownPosition();
    if (position) {
      select(position.block, position.offset);
    } else {
      const inView = isContinued ? 0 : blocks.findIndex(({ element }) => element.getBoundingClientRect().bottom > 0);
      select(Math.max(inView, 0));
    }
    play();
    toggle.focus({ preventScroll: true });
  };
  listen.hidden = false;
  listen.addEventListener("click", () => (player.isConnected ? stop() : begin()));

  prose.addEventListener("click", (event) => {
    if (!player.isConnected || event.defaultPrevented || !getSelection().isCollapsed) return;
    if (event.target.closest("a, button, summary, input, select, textarea, audio, video")) return;
    for (let part = event.target; part && prose.contains(part); part = part.parentElement) {
      const index = blocks.findIndex(({ element }) => element === part);
      if (index < 0) continue;
      block = index;
      pieces = piecesOf(blocks[block]);
      piece = 0;
      return play();
    }
  });
  for (const name of ["wheel", "touchmove"]) addEventListener(name, () => { scrolledAt = Date.now(); }, { passive: true });
  // A recording of the page and the voice are never heard at the same time.
  document.addEventListener("play", () => pause(), true);
  addEventListener("pagehide", () => pause());

  if (isContinued) begin();
  isContinued = false;
})();
