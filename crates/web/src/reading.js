// A button that copies the text as Markdown, beside the link that downloads it. Without this file the page works as it
// stands.
(() => {
  const link = document.getElementById("markdown");
  if (!link) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary";
  button.textContent = "Copy as Markdown";
  const said = document.createElement("span");
  said.className = "small soft";
  said.setAttribute("role", "status");
  const old = (text) => {
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    button.focus();
    if (!done) throw new Error("refused");
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "";
    try {
      const answer = await fetch(link.href, { credentials: "omit" });
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (navigator.clipboard && window.isSecureContext) await navigator.clipboard.writeText(text);
      else old(text);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "Copying failed. Download it instead.";
    }
    button.disabled = false;
  });
  link.after(button, said);
})();
