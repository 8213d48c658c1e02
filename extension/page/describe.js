// Runs in the page when the popup opens: returns the facts about the page that the popup displays.
(() => {
  const links = [...document.querySelectorAll('link[rel~="alternate" i][href]')];
  const isFeed = (link) => /^application\/(rss|atom|feed)\+(xml|json)\b/i.test(link.type);
  const feeds = links.filter(isFeed).map((link) => ({ url: link.href, title: link.title.trim() }));
  const selected = (view) => {
    const text = view.getSelection()?.toString().trim();
    if (text) return text;
    for (const frame of view.document.querySelectorAll("iframe, frame")) {
      try {
        const inside = frame.contentDocument && selected(frame.contentWindow);
        if (inside) return inside;
      } catch {
        // A frame of another site.
      }
    }
    return "";
  };
  return {
    url: location.href,
    title: document.title.trim(),
    canonical: document.querySelector('link[rel~="canonical" i][href]')?.href ?? null,
    contentType: document.contentType,
    feeds: feeds.filter(({ url }, i) => feeds.findIndex((feed) => feed.url === url) === i).slice(0, 20),
    selection: selected(window).slice(0, 200),
  };
})();
