// Renders a quote with its source as a picture, to download or to share with an app of the device. The page also has the quote
// as text, which is all that browsers without scripts or without Intl.Segmenter display. Its texts are an attribute of its element.
(() => {
  const share = document.getElementById("share");
  if (!share || !("Segmenter" in Intl)) return;
  const { quote, title, author, host } = share.dataset;
  const texts = JSON.parse(document.currentScript.dataset.texts);
  const WIDTH = 1200;
  const PADDING = 88;
  const MIN_HEIGHT = 630;
  const MAX_HEIGHT = 1500;
  const GAP = 44;
  const BAR = 8;
  // Font sizes of the quote in pixels. The largest with which the picture is not too high is used.
  const SIZES = [64, 56, 48, 42, 36, 32];
  const LEADING = 1.5;
  const TITLE = { size: 32, lines: 2, weight: 600 };
  const SOURCE = { size: 27, lines: 1, weight: 400 };
  // Maximum number of characters, more than fit into the picture.
  const MAX_CHARS = 4000;

  const words = new Intl.Segmenter(undefined, { granularity: "word" });
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  // A line may end after each word of the scripts that put no spaces between words.
  const SPACELESS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}、。，．！？：；」』）】";
  const BREAK_AFTER = new RegExp(`[ ${SPACELESS}–—-]$`, "u");
  const BREAK_BEFORE = new RegExp(`^[${SPACELESS}「『（【]`, "u");
  // Characters that begin no line, and characters that end none.
  const NO_START = /^[ \p{Pe}\p{Pf}\p{Mn}\p{Mc}、。，．・：；？！ー々〜…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ!?,.:;%»–—-]/u;
  const NO_END = /[\p{Ps}\p{Pi}«]$/u;
  const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  const directionOf = (text) => (RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr");

  // Parts of a paragraph between which a line may end. Spaces stay with the part before them.
  const partsOf = (paragraph) => {
    const parts = [];
    for (const { segment } of words.segment(paragraph)) {
      const last = parts.length - 1;
      const before = parts[last];
      const canBreak = before !== undefined && !NO_START.test(segment) && !NO_END.test(before) && (BREAK_AFTER.test(before) || BREAK_BEFORE.test(segment));
      if (canBreak || before === undefined) parts.push(segment);
      else parts[last] = before + segment;
    }
    return parts;
  };

  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) return;
  const fits = (text, width) => context.measureText(text.trimEnd()).width <= width;

  // Lines of a text in the current font. A part that is wider than a line is split between characters.
  const linesOf = (text, width) => {
    const lines = [];
    for (const paragraph of text.split("\n")) {
      let line = "";
      for (const part of partsOf(paragraph)) {
        if (line && !fits(line + part, width)) {
          lines.push(line.trimEnd());
          line = "";
        }
        if (fits(line + part, width)) {
          line += part;
          continue;
        }
        for (const { segment } of graphemes.segment(part)) {
          if (line && !fits(line + segment, width)) {
            lines.push(line.trimEnd());
            line = "";
          }
          line += segment;
        }
      }
      if (line.trimEnd()) lines.push(line.trimEnd());
    }
    return lines;
  };
  // The first lines of a text. If lines are left out, the last one ends with an ellipsis.
  const firstLines = (lines, count, width) => {
    if (lines.length <= count) return lines;
    const shown = lines.slice(0, count);
    const characters = [...graphemes.segment(shown.pop() || "")].map(({ segment }) => segment);
    while (characters.length && !fits(`${characters.join("")}…`, width)) characters.pop();
    return [...shown, `${characters.join("").trimEnd()}…`];
  };

  // Colours and fonts are those of the stylesheet, for light or dark.
  const probe = document.createElement("span");
  probe.hidden = true;
  share.append(probe);
  const faces = getComputedStyle(document.documentElement);
  const [serif, sans] = ["--serif", "--sans"].map((name) => faces.getPropertyValue(name).trim() || "serif");
  const colorsOf = (scheme) => {
    probe.style.colorScheme = scheme;
    const color = (name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    return { paper: color("--paper"), ink: color("--ink"), soft: color("--soft"), accent: color("--accent") };
  };

  const isolated = (text) => `\u2068${text}\u2069`;
  const plain = (text) => text.replace(/[^\S\n\u00a0]+/g, " ").replace(/ ?\n\s*/g, "\n").trim();
  const whole = plain(quote);
  const text = `“${whole.slice(0, MAX_CHARS)}${whole.length > MAX_CHARS ? "" : "”"}`;
  const source = [author, host].filter(Boolean).map(isolated).join(" · ");
  const width = WIDTH - 2 * PADDING - GAP;

  const block = (text, { size, lines, weight }) => {
    const font = `${weight} ${size}px ${sans}`;
    context.font = font;
    return { font, height: size * 1.4, lines: text ? firstLines(linesOf(plain(text), width), lines, width) : [] };
  };
  const heightOf = ({ height, lines }) => height * lines.length;
  const layout = () => {
    const foot = [block(title, TITLE), block(source, SOURCE)];
    const footHeight = foot.reduce((sum, one) => sum + heightOf(one), 0);
    const space = MAX_HEIGHT - 2 * PADDING - GAP - footHeight;
    let body = null;
    for (const size of SIZES) {
      const font = `${size}px ${serif}`;
      context.font = font;
      body = { font, height: size * LEADING, lines: linesOf(text, width) };
      if (heightOf(body) <= space) break;
    }
    const count = Math.floor(space / body.height);
    const isCut = body.lines.length > count || whole.length > MAX_CHARS;
    context.font = body.font;
    body.lines = firstLines(body.lines, count, width);
    const height = Math.max(MIN_HEIGHT, Math.ceil(2 * PADDING + heightOf(body) + GAP + footHeight));
    return { body, foot, height, isCut };
  };

  let picture = null;
  const draw = (scheme) => {
    canvas.width = WIDTH;
    const { body, foot, height, isCut } = layout();
    // A new size also clears the state of the context.
    canvas.height = height;
    const { paper, ink, soft, accent } = colorsOf(scheme);
    const isRightToLeft = directionOf(whole) === "rtl";
    const x = isRightToLeft ? WIDTH - PADDING - GAP : PADDING + GAP;
    context.fillStyle = paper;
    context.fillRect(0, 0, WIDTH, height);
    const used = heightOf(body) + GAP + foot.reduce((sum, one) => sum + heightOf(one), 0);
    let y = (height - used) / 2;
    context.fillStyle = accent;
    context.fillRect(isRightToLeft ? WIDTH - PADDING - BAR : PADDING, y, BAR, heightOf(body));
    context.textAlign = isRightToLeft ? "right" : "left";
    context.textBaseline = "middle";
    const write = ({ font, height: lineHeight, lines }, color, direction) => {
      context.font = font;
      context.fillStyle = color;
      context.direction = direction;
      for (const line of lines) {
        context.fillText(line, x, y + lineHeight / 2);
        y += lineHeight;
      }
    };
    write(body, ink, directionOf(whole));
    y += GAP;
    write(foot[0], ink, directionOf(title || ""));
    write(foot[1], soft, directionOf(source));
    picture = new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    return isCut;
  };

  const part = document.createElement("section");
  part.className = "quote-picture noprint";
  part.setAttribute("aria-labelledby", "quote-picture");
  const heading = document.createElement("h2");
  heading.id = "quote-picture";
  heading.textContent = texts["picture-of-quote"];
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", texts["picture-description"]);
  const status = document.createElement("p");
  status.className = "small soft";
  status.setAttribute("role", "status");
  const tools = document.createElement("p");
  tools.className = "row";
  const button = (name, label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.textContent = label;
    made.addEventListener("click", act);
    return made;
  };
  const FILE = "quote.png";
  const fileOf = (bytes) => new File([bytes], FILE, { type: "image/png" });
  const failed = () => { status.textContent = texts["picture-failed"]; };
  tools.append(button("", texts["picture-download"], async () => {
    const bytes = await picture;
    if (!bytes) return failed();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(bytes);
    link.download = FILE;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }));
  if (navigator.canShare && navigator.canShare({ files: [fileOf("quote")] })) {
    tools.append(button("secondary", texts["picture-share"], async () => {
      const bytes = await picture;
      if (!bytes) return failed();
      navigator.share({ files: [fileOf(bytes)] }).catch((error) => {
        if (error.name !== "AbortError") status.textContent = texts["picture-share-failed"];
      });
    }));
  }
  // Sepia has no dark colours.
  const theme = document.documentElement.dataset.theme;
  const choices = theme === "sepia" ? [] : [["light", texts["appearance-theme-light"]], ["dark", texts["appearance-theme-dark"]]];
  const choose = (scheme) => {
    status.textContent = draw(scheme) ? texts["picture-shortened"] : "";
    for (const one of tools.querySelectorAll("button[data-scheme]")) one.setAttribute("aria-pressed", String(one.dataset.scheme === scheme));
  };
  for (const [scheme, label] of choices) {
    const chooser = button("secondary", label, () => choose(scheme));
    chooser.dataset.scheme = scheme;
    tools.append(chooser);
  }
  part.append(heading, canvas, tools, status);
  share.parentElement.append(part);
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  choose(isDark ? "dark" : "light");
})();
