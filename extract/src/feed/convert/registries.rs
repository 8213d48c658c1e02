//! Packages on npm and images on Docker Hub.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::bridges::page_address::PageAddress;
use super::super::builder::{RawEntry, RawFeed};
use super::super::json::text;
use super::parts;

/// Keys in the `time` object of a package that are not versions.
const NO_VERSIONS: [&str; 3] = ["created", "modified", "unpublished"];

/// Document of the npm registry about a package. The details of the versions, which make up most of the
/// document, are not read.
#[derive(Deserialize)]
struct Package {
    name: String,
    #[serde(default)]
    description: Value,
    #[serde(default)]
    time: Map<String, Value>,
}

/// Converts the versions of an npm package.
pub(super) fn npm_package(source: &str, _page: &PageAddress) -> Option<RawFeed> {
    let package: Package = serde_json::from_str(source.trim()).ok()?;
    let page = format!("https://www.npmjs.com/package/{}", package.name);
    let mut feed = parts::feed(&format!("{} on npm", package.name), &page);
    feed.description = package.description.as_str().and_then(parts::plain);
    let versions = package.time.iter().filter(|(version, _)| !NO_VERSIONS.contains(&version.as_str()));
    feed.entries = versions
        .map(|(version, time)| RawEntry {
            published: time.as_str().and_then(parts::time),
            ..parts::entry(
                format!("{}@{version}", package.name),
                &format!("{} {version}", package.name),
                &format!("{page}/v/{version}"),
            )
        })
        .collect();
    Some(feed)
}

/// Converts the packages of an npm search, each with its newest version.
pub(super) fn npm_search(source: &str, page: &PageAddress) -> Option<RawFeed> {
    let answer: Value = serde_json::from_str(source.trim()).ok()?;
    let query = page.parameter("text").unwrap_or_default();
    let mut feed = parts::feed(&format!("{query} on npm"), "https://www.npmjs.com/");
    let objects = parts::objects(answer.get("objects"))?;
    let packages = objects.filter_map(|object| object.get("package")?.as_object());
    feed.entries = packages.filter_map(package).collect();
    Some(feed)
}

fn package(package: &Map<String, Value>) -> Option<RawEntry> {
    let (name, version) = (text(package, "name")?, text(package, "version")?);
    let publisher = package.get("publisher").and_then(Value::as_object);
    Some(RawEntry {
        authors: parts::author(publisher.and_then(|publisher| text(publisher, "username"))),
        published: text(package, "date").and_then(|time| parts::time(&time)),
        summary: text(package, "description").and_then(|description| parts::plain(&description)),
        ..parts::entry(
            format!("{name}@{version}"),
            &format!("{name} {version}"),
            &format!("https://www.npmjs.com/package/{name}/v/{version}"),
        )
    })
}

/// Converts the tags of an image on Docker Hub. A tag that is pushed again is a new entry.
pub(super) fn docker_tags(source: &str, page: &PageAddress) -> Option<RawFeed> {
    let answer: Value = serde_json::from_str(source.trim()).ok()?;
    let path = page.path();
    let &["v2", "repositories", owner, name, ..] = path.as_slice() else { return None };
    let (image, page) = image_of(owner, name);
    let mut feed = parts::feed(&format!("{image} on Docker Hub"), &page);
    let tag = |tag: &Map<String, Value>| {
        let name = text(tag, "name")?;
        let pushed = text(tag, "tag_last_pushed").or_else(|| text(tag, "last_updated"));
        let digest = text(tag, "digest");
        let state = digest.as_deref().or(pushed.as_deref()).unwrap_or_default().replace(':', "-");
        Some(RawEntry {
            published: pushed.as_deref().and_then(parts::time),
            summary: digest.as_deref().and_then(parts::plain),
            ..parts::entry(
                format!("{image}:{name}@{state}"),
                &format!("{image}:{name}"),
                &format!("{page}/tags?name={name}#{state}"),
            )
        })
    };
    feed.entries = parts::objects(answer.get("results"))?.filter_map(tag).collect();
    Some(feed)
}

/// Converts the images of a Docker Hub user.
pub(super) fn docker_images(source: &str, page: &PageAddress) -> Option<RawFeed> {
    let answer: Value = serde_json::from_str(source.trim()).ok()?;
    let path = page.path();
    let &["v2", "repositories", owner] = path.as_slice() else { return None };
    let home = format!("https://hub.docker.com/u/{owner}");
    let mut feed = parts::feed(&format!("{owner} on Docker Hub"), &home);
    let entry = |repository: &Map<String, Value>| {
        let (image, page) = image_of(owner, &text(repository, "name")?);
        let registered = text(repository, "date_registered");
        Some(RawEntry {
            published: registered.and_then(|time| parts::time(&time)),
            summary: text(repository, "description").and_then(|description| parts::plain(&description)),
            ..parts::entry(image.clone(), &image, &page)
        })
    };
    feed.entries = parts::objects(answer.get("results"))?.filter_map(entry).collect();
    Some(feed)
}

/// Name of an image as written in a command, and the URL of its page.
fn image_of(owner: &str, name: &str) -> (String, String) {
    if owner == "library" {
        return (name.to_owned(), format!("https://hub.docker.com/_/{name}"));
    }
    (format!("{owner}/{name}"), format!("https://hub.docker.com/r/{owner}/{name}"))
}
