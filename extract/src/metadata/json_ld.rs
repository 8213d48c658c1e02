//! Reads JSON-LD: fields of the objects that describe the page, at any nesting.

use serde_json::Value;

use crate::clean;

const MAX_SCRIPT_BYTES: usize = 2 * 1024 * 1024;
const MAX_OBJECTS: usize = 500;

/// Fields of the objects that describe the page. The main object comes first.
#[derive(Debug, Default)]
pub(super) struct LinkedData {
    pub(super) title: Option<String>,
    pub(super) authors: Vec<String>,
    /// Authors of the page as opposed to the main object, or else the only person with a profile.
    pub(super) page_authors: Vec<String>,
    pub(super) publisher: Option<String>,
    /// Name of the site, if an object describes it.
    pub(super) site: Option<String>,
    pub(super) published: Option<String>,
    /// Upload time of a video on the page. The video may be older than the page, or belong to another page.
    pub(super) uploaded: Option<String>,
    pub(super) modified: Option<String>,
}

/// Reads all JSON-LD scripts of a page.
pub(super) fn read(scripts: &[String]) -> LinkedData {
    let mut objects = Vec::new();
    for script in scripts.iter().filter(|script| script.len() <= MAX_SCRIPT_BYTES) {
        if let Some(value) = parse(script) {
            collect(value, &mut objects);
        }
    }
    let mut linked = LinkedData::default();
    let mut pages: Vec<&Value> = objects.iter().filter(|object| rank(object).is_some()).collect();
    pages.sort_by_key(|object| rank(object));
    for object in pages {
        let main = rank(object) < Some(2);
        let text = |name: &str| object.get(name).and_then(text_of);
        if main {
            linked.title = linked.title.take().or_else(|| text("headline").or_else(|| text("name")));
        }
        if linked.authors.is_empty() && main {
            linked.authors = object
                .get("author")
                .or_else(|| object.get("creator"))
                .map(|value| names(value, &objects))
                .unwrap_or_default();
        }
        if linked.page_authors.is_empty() && !main {
            let author = object.get("author").or_else(|| object.get("creator"));
            linked.page_authors = author.map(|value| names(value, &objects)).unwrap_or_default();
        }
        linked.publisher =
            linked.publisher.take().or_else(|| names(object.get("publisher")?, &objects).into_iter().next());
        linked.published =
            linked.published.take().or_else(|| text("datePublished").or_else(|| text("dateCreated")));
        linked.uploaded = linked.uploaded.take().or_else(|| text("uploadDate"));
        linked.modified = linked.modified.take().or_else(|| text("dateModified"));
    }
    if linked.page_authors.is_empty() {
        linked.page_authors = only_profile(&objects).into_iter().collect();
    }
    linked.site = objects
        .iter()
        .filter(|object| is_type(object, &["WebSite"]))
        .find_map(|site| text_of(site.get("name")?));
    linked
}

/// Name of the only person for whom a blog program wrote a profile.
fn only_profile(objects: &[Value]) -> Option<String> {
    let is_profile = |object: &&Value| {
        is_type(object, &["Person"])
            && object.get("@id").and_then(Value::as_str).is_some_and(|id| id.contains("/schema/person/"))
    };
    let mut profiles = objects.iter().filter(is_profile);
    let name = text_of(profiles.next()?.get("name")?)?;
    profiles.next().is_none().then_some(name)
}

/// Parses the data of a script. Tolerates raw line feeds in strings and surrounding comments, which are
/// common errors.
pub(crate) fn parse(script: &str) -> Option<Value> {
    let script = script.trim().trim_start_matches("<![CDATA[").trim_start_matches("//<![CDATA[");
    let script = script.trim_end_matches("]]>").trim_end_matches("//").trim().trim_end_matches(';');
    serde_json::from_str(script).ok().or_else(|| {
        let spaced: String = script.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&spaced).ok()
    })
}

/// Collects all objects that have a type or an id. Outer objects precede inner objects.
fn collect(value: Value, objects: &mut Vec<Value>) {
    let mut queue = std::collections::VecDeque::from([value]);
    while let Some(value) = queue.pop_front() {
        if objects.len() >= MAX_OBJECTS {
            return;
        }
        match value {
            Value::Array(items) => queue.extend(items.into_iter().take(MAX_OBJECTS)),
            Value::Object(map) => {
                for name in ["@graph", "mainEntity", "mainEntityOfPage", "itemReviewed"] {
                    if let Some(inner @ (Value::Array(_) | Value::Object(_))) = map.get(name) {
                        queue.push_back(inner.clone());
                    }
                }
                if map.contains_key("@type") || map.contains_key("@id") {
                    objects.push(Value::Object(map));
                }
            }
            _ => {}
        }
    }
}

/// Rank of an object as the main object of the page. A lower rank is more certain. `None` if it cannot be the
/// main object.
fn rank(object: &Value) -> Option<u8> {
    const WORKS: &[&str] = &[
        "Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "AnalysisNewsArticle",
        "OpinionNewsArticle", "ReviewNewsArticle", "BackgroundNewsArticle", "TechArticle",
        "ScholarlyArticle", "Report", "LiveBlogPosting", "SocialMediaPosting", "MedicalScholarlyArticle",
        "AdvertiserContentArticle", "SatiricalArticle", "DiscussionForumPosting", "Blog", "Recipe", "HowTo",
        "Review", "Question",
    ];
    if is_type(object, WORKS) {
        Some(0)
    } else if is_type(
        object,
        &[
            "Product", "VideoObject", "PodcastEpisode", "Book", "Event", "JobPosting", "Course",
            "SoftwareApplication",
        ],
    ) {
        Some(1)
    } else if is_type(
        object,
        &[
            "WebPage", "AboutPage", "FAQPage", "QAPage", "ItemPage", "CollectionPage", "ProfilePage",
            "MedicalWebPage",
        ],
    ) {
        Some(2)
    } else {
        None
    }
}

fn is_type(object: &Value, types: &[&str]) -> bool {
    let is = |value: &Value| {
        value.as_str().is_some_and(|name| types.contains(&name.rsplit(['/', ':']).next().unwrap_or(name)))
    };
    match object.get("@type") {
        Some(Value::Array(list)) => list.iter().any(is),
        Some(value) => is(value),
        None => false,
    }
}

fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text,
        Value::Object(map) => map.get("@value")?.as_str()?,
        Value::Array(list) => return list.iter().find_map(text_of),
        _ => return None,
    };
    let text = clean::fold(&super::references::unescape(text));
    (!text.is_empty()).then_some(text)
}

/// Names of people or organisations. References to other objects of the page are resolved.
fn names(value: &Value, objects: &[Value]) -> Vec<String> {
    match value {
        Value::Array(list) => list
            .iter()
            .take(20)
            .flat_map(|one| names(one, &[]))
            .chain(list.iter().take(20).flat_map(|one| referenced(one, objects)))
            .fold(Vec::new(), |mut all, name| {
                if !all.contains(&name) {
                    all.push(name);
                }
                all
            }),
        Value::Object(map) => match map.get("name").and_then(text_of).or_else(|| name_of_person(map)) {
            Some(name) => vec![name],
            None => referenced(value, objects),
        },
        Value::String(_) => text_of(value).filter(|name| !name.starts_with("http")).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Name of a person from the given name and the family name.
fn name_of_person(person: &serde_json::Map<String, Value>) -> Option<String> {
    let given = person.get("givenName").and_then(text_of)?;
    let family = person.get("familyName").and_then(text_of)?;
    Some(format!("{given} {family}"))
}

fn referenced(value: &Value, objects: &[Value]) -> Vec<String> {
    let Some(id) = value.get("@id").and_then(Value::as_str) else { return Vec::new() };
    if value.get("name").is_some() {
        return Vec::new();
    }
    let target = objects
        .iter()
        .find(|object| object.get("@id").and_then(Value::as_str) == Some(id) && object.get("name").is_some());
    target.and_then(|object| text_of(object.get("name")?)).into_iter().collect()
}
