// Runs in the page: the person picks the part to watch, by pointer or by keyboard, and sees what the server reads there.
// The bar is in a closed shadow root, and takes only events of the person, not of scripts of the page.
globalThis.carrelPick = ({ name, intervalMinutes, intervalText }) => {
  document.querySelector("[data-carrel-picker]")?.remove();
  const isPlain = (text) => /^[A-Za-z][\w-]*$/.test(text) && !/\d{3}|[0-9a-f]{8}|^(css|sc|jsx|svelte)-/.test(text);
  const matches = (selector) => document.querySelectorAll(selector).length;

  /// A selector with only one match, from the nearest named or structural ancestor, without generated names.
  function selectorOf(element) {
    const path = [];
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const tag = at.localName;
      if (at.id && isPlain(at.id) && matches(`#${at.id}`) === 1) return [`#${at.id}`, ...path].join(" > ");
      const classes = [...at.classList].filter(isPlain).slice(0, 2);
      const item = at.getAttribute("itemprop");
      const named = [item && `${tag}[itemprop="${CSS.escape(item)}"]`, ...classes.map((one) => `${tag}.${one}`), classes.length > 1 && `${tag}.${classes.join(".")}`];
      const alone = named.find((one) => one && matches([one, ...path].join(" > ")) === 1);
      if (alone) return [alone, ...path].join(" > ");
      const same = [...(at.parentElement?.children ?? [])].filter((other) => other.localName === tag);
      path.unshift(same.length > 1 ? `${tag}:nth-of-type(${same.indexOf(at) + 1})` : tag);
      const isLandmark = ["main", "article", "body"].includes(tag);
      if (isLandmark && matches(path.join(" > ")) === 1) return path.join(" > ");
    }
    return path.join(" > ");
  }

  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const color = isDark
    ? { paper: "#191714", ink: "#e9e3d9", soft: "#aca396", edge: "#887d70", accent: "#e3a27c", accentInk: "#1d1712" }
    : { paper: "#fdfbf7", ink: "#22201d", soft: "#5e5850", edge: "#877c6f", accent: "#7a3b1d", accentInk: "#fffaf2" };

  // Styles are set by script, which the policies of pages do not forbid.
  const make = (tag, style, text = "") => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
    return element;
  };
  const host = make("div", { all: "initial", position: "fixed", inset: "0", "z-index": "2147483647", "pointer-events": "none", border: "0", padding: "0", margin: "0", width: "auto", height: "auto", background: "none", overflow: "visible" });
  host.setAttribute("data-carrel-picker", "");
  const root = host.attachShadow({ mode: "closed" });
  const frame = make("div", { position: "fixed", border: `3px solid ${color.accent}`, background: `${color.accent}22`, "border-radius": "3px", "box-sizing": "border-box", display: "none" });
  const bar = make("div", { position: "fixed", left: "0", right: "0", bottom: "0", background: color.paper, color: color.ink, "border-top": `1px solid ${color.edge}`, padding: "12px 16px", font: "15px/1.5 system-ui, sans-serif", "pointer-events": "auto", "box-sizing": "border-box", "text-align": "start", direction: "ltr" });
  bar.setAttribute("role", "dialog");
  bar.setAttribute("aria-label", "Watch a part of this page");
  const title = make("p", { margin: "0 0 4px", "font-weight": "600" });
  const detail = make("p", { margin: "0 0 8px", color: color.soft, "max-height": "4.5em", overflow: "auto", "overflow-wrap": "anywhere" });
  const help = make("p", { margin: "0 0 8px", color: color.soft, "font-size": "13px" });
  title.setAttribute("aria-live", "polite");
  detail.setAttribute("aria-live", "polite");
  const row = make("div", { display: "flex", gap: "8px", "flex-wrap": "wrap" });
  bar.append(title, detail, help, row);
  root.append(frame, bar);

  let target = null;
  let isChoosing = true;

  const button = (text, action, isMain) => {
    const style = isMain ? { background: color.accent, color: color.accentInk } : { background: color.paper, color: color.ink };
    const element = make("button", { font: "inherit", padding: "6px 14px", border: `1px solid ${isMain ? color.accent : color.edge}`, "border-radius": "6px", cursor: "pointer", ...style }, text);
    element.type = "button";
    element.addEventListener("click", (event) => event.isTrusted && action());
    element.addEventListener("focus", () => element.style.setProperty("outline", `3px solid ${color.accent}`));
    element.addEventListener("focus", () => element.style.setProperty("outline-offset", "2px"));
    element.addEventListener("blur", () => element.style.setProperty("outline", "none"));
    return element;
  };
  const ask = (message) => chrome.runtime.sendMessage(message).catch(() => ({ error: "The extension does not answer. Reload the page." }));
  const display = (heading, text, buttons, hint = "") => {
    help.textContent = hint;
    help.style.setProperty("display", hint ? "block" : "none");
    title.textContent = heading;
    detail.textContent = text;
    row.replaceChildren(...buttons);
  };

  function mark(element) {
    if (!element || element === host || element === document.documentElement) return;
    target = element;
    const box = element.getBoundingClientRect();
    const area = { left: box.left - 3, top: box.top - 3, width: box.width + 6, height: box.height + 6 };
    for (const [property, value] of Object.entries(area)) frame.style.setProperty(property, `${value}px`);
    frame.style.setProperty("display", "block");
    if (isChoosing) detail.textContent = element.innerText?.trim().replace(/\s+/g, " ").slice(0, 160) || "(no text)";
  }

  function choose() {
    isChoosing = true;
    const hint = "Point at the part and click it. Arrow keys: up for a larger part, down for a smaller one, left and right for its neighbours. Enter chooses, Escape closes.";
    display("Which part of the page do you want to watch?", "", [button("Cancel", close)], hint);
  }

  async function chosen() {
    isChoosing = false;
    const selector = selectorOf(target);
    display("Asking the server what it reads there…", selector, [button("Cancel", close)]);
    const { error, lines, total } = await ask({ command: "previewWatch", selector });
    const again = button("Pick another part", choose);
    if (error) return display("The server cannot watch this part.", error, [again, button("Close", close)]);
    if (!total) {
      const why = "The server opens the page without your sign-in and without scripts, and finds no text there.";
      return display("The server does not see this part.", why, [again, button("Close", close)]);
    }
    const watch = button(`Watch, ${intervalText}`, () => submit(selector), true);
    display("The server reads there:", lines.join(" · "), [watch, again, button("Cancel", close)]);
    watch.focus();
  }

  async function submit(selector) {
    display("Creating the monitor…", "", []);
    const { error } = await ask({ command: "watch", selector, name, intervalMinutes });
    const done = button("Close", close);
    if (error) display("The page is not watched.", error, [button("Try again", () => submit(selector), true), done]);
    else display(`“${name}” is watched.`, "Changes appear in Carrel, under Monitors.", [done]);
    row.firstChild.focus();
  }

  const inBar = (event) => event.composedPath()[0] === host || event.target === host;
  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listeners = {
    pointermove: (event) => isChoosing && event.isTrusted && !inBar(event) && mark(event.target),
    pointerdown: (event) => isChoosing && !inBar(event) && stop(event),
    mousedown: (event) => isChoosing && !inBar(event) && stop(event),
    click: (event) => {
      if (!isChoosing || !event.isTrusted || inBar(event)) return;
      stop(event);
      mark(event.target);
      chosen();
    },
    keydown: (event) => {
      if (!event.isTrusted) return;
      if (event.key === "Escape") return stop(event), close();
      if (!isChoosing) return;
      const at = target ?? document.querySelector("main, article") ?? document.body;
      const next = {
        ArrowUp: at.parentElement,
        ArrowDown: at.firstElementChild,
        ArrowLeft: at.previousElementSibling,
        ArrowRight: at.nextElementSibling,
      }[event.key];
      if (event.key.startsWith("Arrow")) {
        stop(event);
        mark(target ? next : at);
        target?.scrollIntoView({ block: "nearest" });
        mark(target);
      } else if (event.key === "Enter" && target && !inBar(event)) {
        stop(event);
        chosen();
      }
    },
    scroll: () => mark(target),
  };

  function close() {
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
    host.remove();
  }
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
  (document.body ?? document.documentElement).append(host);
  choose();
};
