//! Pages of well-known sites whose content is also available at a URL that is better to watch: a feed or an
//! API of GitHub, `PyPI`, npm, Docker Hub or arXiv.

use url::Url;

use super::{
    suggestion::{KnownSource, Suggestion, SuggestionKind},
    target::{Target, WatchedField},
};
use crate::feed::bridges::{
    forges::{GitHubRepository, is_github_owner},
    news::{arxiv_category, arxiv_number, arxiv_paper},
    packages::{docker_tags, npm_package},
};

/// Better URLs for the content of a page, each with a description.
pub fn known_sources(page: &str) -> Vec<(KnownSource, String)> {
    let Ok(url) = Url::parse(page) else { return Vec::new() };
    let path: Vec<&str> = url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let host = url.host_str().unwrap_or_default();
    match (host.strip_prefix("www.").unwrap_or(host), path.as_slice()) {
        ("github.com", [owner, name, rest @ ..]) if is_github_owner(owner) => github(owner, name, rest),
        ("pypi.org", ["project", name, ..]) => {
            let url = format!("https://pypi.org/pypi/{name}/json");
            vec![version(url, "$.info.version", format!("Newest version of {name} on PyPI"))]
        }
        ("npmjs.com", ["package", scope, name, ..]) if scope.starts_with('@') => {
            vec![npm(&format!("{scope}/{name}"))]
        }
        ("npmjs.com", ["package", name, ..]) => vec![npm(name)],
        ("hub.docker.com", ["r", owner, name, ..]) => vec![docker(owner, name)],
        ("hub.docker.com", ["_", name, ..]) => vec![docker("library", name)],
        ("arxiv.org", ["abs" | "pdf", id @ ..]) if !id.is_empty() => vec![paper(&id.join("/"))],
        ("arxiv.org", ["list", category, ..]) => {
            let about = format!("New papers in {category}");
            vec![feed(arxiv_category(category), about)]
        }
        _ => Vec::new(),
    }
}

/// Suggestions of URLs that are better to watch than the page.
pub(super) fn suggestions(page: &str) -> impl Iterator<Item = Suggestion> {
    known_sources(page).into_iter().map(|(source, text)| Suggestion {
        kind: SuggestionKind::Source,
        selector: String::new(),
        text,
        number: None,
        source: Some(source),
    })
}

fn github(owner: &str, name: &str, rest: &[&str]) -> Vec<(KnownSource, String)> {
    let repository = GitHubRepository { owner, name };
    let releases = || feed(repository.releases(), format!("Releases of {owner}/{name}"));
    let tags = || feed(repository.tags(), format!("Tags of {owner}/{name}"));
    match rest {
        [] => vec![releases(), tags()],
        ["releases", ..] => vec![releases()],
        ["tags"] => vec![tags()],
        ["commits" | "tree", branch @ ..] if !branch.is_empty() => {
            let branch = branch.join("/");
            let about = format!("Commits of {owner}/{name}, {branch}");
            vec![feed(repository.commits(&branch), about)]
        }
        _ => Vec::new(),
    }
}

fn npm(name: &str) -> (KnownSource, String) {
    let url = format!("{}/latest", npm_package(name));
    version(url, "$.version", format!("Newest version of {name} on npm"))
}

fn docker(owner: &str, name: &str) -> (KnownSource, String) {
    let url = docker_tags(owner, name);
    let fields = vec![
        WatchedField { key: true, ..WatchedField::new("tag", "$.name") },
        WatchedField::new("digest", "$.digest"),
    ];
    let target = Target::Extract { items: Some("$.results[*]".to_owned()), fields };
    (KnownSource { url, target }, format!("Newest tags of {owner}/{name} with their digests"))
}

/// Feed of a paper on arXiv. The URL of its entry contains the newest version.
fn paper(id: &str) -> (KnownSource, String) {
    feed(arxiv_paper(id), format!("New versions of the paper {}", arxiv_number(id)))
}

fn feed(url: String, about: String) -> (KnownSource, String) {
    let target = Target::Sitemap { include: Vec::new(), exclude: Vec::new() };
    (KnownSource { url, target }, about)
}

fn version(url: String, path: &str, about: String) -> (KnownSource, String) {
    let target = Target::Extract { items: None, fields: vec![WatchedField::new("version", path)] };
    (KnownSource { url, target }, about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{ObservationPurpose, ObserveInput, observe_input};

    fn addresses(page: &str) -> Vec<String> {
        known_sources(page).into_iter().map(|(source, _)| source.url).collect()
    }

    #[test]
    fn known_pages_have_a_better_url() {
        for (page, address) in [
            (
                "https://github.com/rust-lang/rust/releases?page=2",
                "https://github.com/rust-lang/rust/releases.atom",
            ),
            ("https://github.com/a/b/tags", "https://github.com/a/b/tags.atom"),
            ("https://github.com/a/b/tree/fix/one", "https://github.com/a/b/commits/fix/one.atom"),
            ("https://pypi.org/project/requests/#history", "https://pypi.org/pypi/requests/json"),
            ("https://www.npmjs.com/package/left-pad", "https://registry.npmjs.org/left-pad/latest"),
            (
                "https://www.npmjs.com/package/@types/node/v/1",
                "https://registry.npmjs.org/@types/node/latest",
            ),
            (
                "https://hub.docker.com/_/nginx",
                "https://hub.docker.com/v2/repositories/library/nginx/tags?page_size=50&ordering=last_updated",
            ),
            (
                "https://hub.docker.com/r/grafana/loki/tags",
                "https://hub.docker.com/v2/repositories/grafana/loki/tags?page_size=50&ordering=last_updated",
            ),
            ("https://arxiv.org/abs/2401.12345v2", "https://export.arxiv.org/api/query?id_list=2401.12345"),
            (
                "https://arxiv.org/pdf/hep-th/9901001.pdf",
                "https://export.arxiv.org/api/query?id_list=hep-th/9901001",
            ),
            ("https://arxiv.org/list/cs.CL/recent", "https://rss.arxiv.org/atom/cs.CL"),
        ] {
            assert_eq!(addresses(page), [address], "{page}");
            for (source, _) in known_sources(page) {
                assert!(source.target.check().is_empty(), "{page}");
            }
        }
        assert_eq!(addresses("https://github.com/a/b").len(), 2);
        for page in [
            "https://github.com/topics/rust",
            "https://github.com/a",
            "https://github.com/a/b/releases.atom",
            "https://github.com/a/b/issues",
            "https://arxiv.org/abs",
            "https://example.com/project/a",
            "no address",
        ] {
            assert_eq!(addresses(page), [""; 0], "{page}");
        }
    }

    #[test]
    fn preview_suggests_the_better_url() {
        let input = ObserveInput {
            bytes: b"<html><body><p>A tool for harbours.</p></body></html>".to_vec(),
            content_type: Some("text/html".to_owned()),
            url: Some("https://pypi.org/project/harbour/".to_owned()),
            target: Target::Page { selector: None },
            ignore: Vec::new(),
            filters: Vec::new(),
            purpose: ObservationPurpose::Preview,
        };
        let first = observe_input(&input).unwrap().suggestions.remove(0);
        assert_eq!(
            (first.kind, first.text.as_str()),
            (SuggestionKind::Source, "Newest version of harbour on PyPI")
        );
        assert_eq!(
            first.source.map(|source| source.url).as_deref(),
            Some("https://pypi.org/pypi/harbour/json")
        );
    }
}
