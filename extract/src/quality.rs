//! Category of a page, and completeness of its text.

use url::Url;

use crate::{
    clean,
    document::{BlockKind, Category, Quality, Warning},
    draft::Draft,
    page::{Page, PageType, Types},
};

/// Number of words below which a text is treated as thin.
const THIN_WORDS: usize = 50;
/// Maximum number of words of a text that states only that the page needs scripts.
const MAX_NOTICE_WORDS: usize = 25;
/// Minimum probability of a page type that determines the category.
const MIN_TYPE_PROBABILITY: f32 = 0.7;

/// Sets quality, category and the related warnings of a draft.
pub(crate) fn assess(page: &Page, address: Option<&Url>, types: &Types, draft: &mut Draft) {
    let words: usize = draft.blocks.iter().map(|block| clean::words(&block.text)).sum();
    let text = beginning(draft);
    if needs_scripts(page, words, &text) {
        draft.warnings.push(Warning::JavascriptRequired);
    }
    let preview = is_preview(page);
    if preview {
        draft.warnings.push(Warning::PaywallPreview);
    }
    draft.category.get_or_insert_with(|| match category(page, address) {
        Category::Other => by_type(types),
        other => other,
    });
    draft.quality = Some(if is_wall(&text, draft.title.as_deref().unwrap_or(""), words) {
        Quality::Suspect
    } else if words < THIN_WORDS || mostly_links(draft) {
        Quality::Thin
    } else if preview {
        Quality::Partial
    } else {
        Quality::Complete
    });
}

fn beginning(draft: &Draft) -> String {
    let mut text = String::new();
    for block in draft.blocks.iter().take(8) {
        text.push_str(&block.text.to_lowercase());
        text.push('\n');
    }
    text
}

/// True if the text is thin, and the page asks for scripts or has an empty element that its scripts fill.
/// `text` is the beginning of the extracted text in lower case. It is searched because a parser without
/// scripting moves a `noscript` from the head into the text, and because some pages ask for scripts outside
/// of a `noscript`.
fn needs_scripts(page: &Page, words: usize, text: &str) -> bool {
    if words >= THIN_WORDS {
        return false;
    }
    if words <= MAX_NOTICE_WORDS && text.contains("javascript") && has_program(page) {
        return true;
    }
    let asks = (1..page.len()).any(|id| {
        page.is(id, "noscript") && {
            let text =
                page.children(id).map(|child| page.folded_text(child)).collect::<String>().to_lowercase();
            text.contains("javascript")
        }
    });
    let shell = (1..page.len()).any(|id| {
        matches!(page.attribute(id, "id"), Some("root" | "app" | "__next" | "__nuxt" | "app-root" | "svelte"))
            && page.descendants(id).all(|inner| page.text(inner).is_none_or(|text| text.trim().is_empty()))
    });
    asks || shell
}

/// True if the page has a script that is a program, as opposed to data.
fn has_program(page: &Page) -> bool {
    let is_program = |kind: &str| kind.is_empty() || kind == "module" || kind.contains("javascript");
    (1..page.len()).any(|id| {
        page.is(id, "script")
            && page.attribute(id, "type").is_none_or(|kind| is_program(&kind.to_ascii_lowercase()))
    })
}

/// True if the structured data or metadata of the page declares that the text is not free to read.
fn is_preview(page: &Page) -> bool {
    (1..page.len()).any(|id| match page.tag(id) {
        "script" if page.attribute(id, "type") == Some("application/ld+json") => {
            let data: String = page.children(id).filter_map(|child| page.text(child)).collect();
            let data: String = data.split_whitespace().collect();
            [
                "\"isAccessibleForFree\":false",
                "\"isAccessibleForFree\":\"False\"",
                "\"isAccessibleForFree\":\"false\"",
            ]
            .iter()
            .any(|flag| data.contains(flag))
        }
        "meta" => {
            matches!(
                page.attribute(id, "property").or_else(|| page.attribute(id, "name")),
                Some("article:content_tier" | "og:article:content_tier")
            ) && page.attribute(id, "content").is_some_and(|tier| tier.eq_ignore_ascii_case("locked"))
        }
        _ => false,
    })
}

/// True for consent pages, robot checks and error pages. They are short and contain typical phrases.
pub(crate) fn is_wall(text: &str, title: &str, words: usize) -> bool {
    if words > 250 {
        return false;
    }
    let title = title.to_lowercase();
    let titles = [
        "just a moment", "attention required", "access denied", "are you a robot", "403 forbidden", "404",
        "page not found", "not found", "robot check", "security check", "verify you are human",
        "before you continue", "error",
    ];
    let sentences = [
        "verify you are human",
        "checking your browser",
        "enable javascript and cookies to continue",
        "unusual traffic",
        "you have been blocked",
        "are a robot",
        "not a robot",
        "access to this page has been denied",
        "we use cookies and similar",
        "accept all cookies",
        "before you continue to",
        "page you requested could not be found",
        "page you are looking for",
        "complete the captcha",
    ];
    titles.iter().any(|mark| {
        title == *mark || title.starts_with(&format!("{mark} ")) || title.starts_with(&format!("{mark}."))
    }) || sentences.iter().any(|mark| text.contains(mark))
}

fn mostly_links(draft: &Draft) -> bool {
    let (mut linked, mut all) = (0, 0);
    for block in draft.blocks.iter().filter(|block| block.kind != BlockKind::Heading) {
        all += block.text.len();
        linked += block.links.iter().map(|link| link.text.len()).sum::<usize>();
    }
    linked * 10 > all * 7
}

fn category(page: &Page, address: Option<&Url>) -> Category {
    let host = address.and_then(Url::host_str).unwrap_or("").trim_start_matches("www.").to_owned();
    let path = address.map(|url| url.path().to_lowercase()).unwrap_or_default();
    let within =
        |names: &[&str]| names.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")));
    if within(&["wikipedia.org", "wiktionary.org", "britannica.com", "merriam-webster.com", "fandom.com"]) {
        return Category::Reference;
    }
    if within(&["arxiv.org", "biorxiv.org", "medrxiv.org", "ncbi.nlm.nih.gov", "plos.org", "doi.org"]) {
        return Category::Paper;
    }
    if within(&["youtube.com", "vimeo.com", "dailymotion.com", "twitch.tv"]) {
        return Category::Video;
    }
    if within(&[
        "twitter.com", "x.com", "facebook.com", "instagram.com", "linkedin.com", "threads.net", "bsky.app",
        "tiktok.com",
    ]) {
        return Category::Social;
    }
    if within(&["reddit.com", "news.ycombinator.com", "stackoverflow.com", "stackexchange.com", "quora.com"])
    {
        return Category::Forum;
    }
    if within(&["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"]) {
        return Category::Code;
    }
    by_markup(page).unwrap_or_else(|| by_path(&host, &path, address))
}

fn by_markup(page: &Page) -> Option<Category> {
    let mut kind = None;
    for id in 1..page.len() {
        if page.is(id, "meta") {
            let name = page.attribute(id, "property").or_else(|| page.attribute(id, "name")).unwrap_or("");
            let content = page.attribute(id, "content").unwrap_or("");
            match name {
                "citation_title" | "citation_journal_title" => return Some(Category::Paper),
                "og:type" if content == "product" || content == "og:product" => {
                    return Some(Category::Product);
                }
                "og:type" if content.starts_with("video") => kind = Some(Category::Video),
                "og:type" if content == "article" => kind = Some(Category::Article),
                "generator" if is_documentation_tool(content) => return Some(Category::Documentation),
                _ => {}
            }
        } else if let Some(item) = page.attribute(id, "itemtype") {
            match item.rsplit('/').next().unwrap_or("") {
                "Product" => return Some(Category::Product),
                "DiscussionForumPosting" | "QAPage" => return Some(Category::Forum),
                "BlogPosting" => kind = Some(Category::Blog),
                "NewsArticle" | "Article" => kind = kind.or(Some(Category::Article)),
                _ => {}
            }
        }
    }
    kind
}

/// Category from the most probable page type, for pages whose URL and markup do not determine it.
fn by_type(types: &Types) -> Category {
    let best = types.best();
    match best {
        _ if types.share(&[best]) < MIN_TYPE_PROBABILITY => Category::Other,
        PageType::Article => Category::Article,
        PageType::Forum => Category::Forum,
        PageType::Product => Category::Product,
        PageType::Documentation => Category::Documentation,
        PageType::Listing | PageType::Collection | PageType::Service => Category::Other,
    }
}

fn is_documentation_tool(generator: &str) -> bool {
    let generator = generator.to_lowercase();
    [
        "docusaurus", "sphinx", "mkdocs", "gitbook", "rustdoc", "mdbook", "vitepress", "antora", "doxygen",
        "docutils",
    ]
    .iter()
    .any(|tool| generator.contains(tool))
}

fn by_path(host: &str, path: &str, address: Option<&Url>) -> Category {
    let segment = |names: &[&str]| path.split('/').any(|part| names.contains(&part));
    if address.is_some() && path.trim_matches('/').is_empty() {
        Category::Homepage
    } else if host.starts_with("docs.")
        || host.starts_with("developer.")
        || segment(&["docs", "documentation", "api", "reference", "manual"])
    {
        Category::Documentation
    } else if host.starts_with("forum.")
        || host.starts_with("forums.")
        || segment(&["forum", "forums", "thread", "threads", "t", "topic", "viewtopic.php"])
    {
        Category::Forum
    } else if segment(&["product", "products", "p", "dp", "shop", "item"]) {
        Category::Product
    } else if host.starts_with("blog.") || segment(&["blog", "blogs", "posts"]) {
        Category::Blog
    } else if host.starts_with("podcast") || segment(&["podcast", "podcasts", "episode", "episodes"]) {
        Category::Podcast
    } else if segment(&["news", "article", "articles", "story", "stories"])
        || path.bytes().filter(u8::is_ascii_digit).count() >= 6
    {
        Category::Article
    } else {
        Category::Other
    }
}
