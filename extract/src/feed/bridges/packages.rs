//! Package registries.

use super::page_address::{PageAddress, decoded, with_parameters};
use super::service::{Bridge, Service, ServiceHosts, atom, converted, converted_of, feed_of, rss};

pub(super) const PYPI: Service = Service {
    name: "PyPI",
    hosts: ServiceHosts::Named(&["pypi.org"]),
    rule: pypi,
    forms: &[
        feed_of(
            "project: releases",
            "https://pypi.org/project/requests/#history",
            "https://pypi.org/rss/project/requests/releases.xml",
        ),
        feed_of("new projects", "https://pypi.org/", "https://pypi.org/rss/packages.xml"),
    ],
};

fn pypi(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["project", name, ..] => vec![rss(format!("https://pypi.org/rss/project/{name}/releases.xml"))],
        [] => vec![rss("https://pypi.org/rss/packages.xml"), rss("https://pypi.org/rss/updates.xml")],
        _ => Vec::new(),
    }
}

pub(super) const NPM: Service = Service {
    name: "npm",
    hosts: ServiceHosts::Named(&["npmjs.com"]),
    rule: npm,
    forms: &[
        converted_of(
            "package: versions",
            "https://www.npmjs.com/package/left-pad",
            "https://registry.npmjs.org/left-pad",
        ),
        converted_of(
            "package with a scope",
            "https://www.npmjs.com/package/@types/node?activeTab=versions",
            "https://registry.npmjs.org/@types/node",
        ),
        converted_of(
            "user: packages",
            "https://www.npmjs.com/~ann",
            "https://registry.npmjs.org/-/v1/search?text=maintainer%3Aann&size=50",
        ),
        converted_of(
            "search",
            "https://www.npmjs.com/search?q=keywords%3Atide",
            "https://registry.npmjs.org/-/v1/search?text=keywords%3Atide&size=50",
        ),
    ],
};

fn npm(page: &PageAddress) -> Vec<Bridge> {
    let search = |text: &str| {
        let parameters = [("text", text), ("size", "50")];
        converted(with_parameters("https://registry.npmjs.org/-/v1/search", &parameters))
    };
    match page.path().as_slice() {
        ["package", scope, name, ..] if scope.starts_with('@') => {
            vec![converted(npm_package(&format!("{scope}/{name}")))]
        }
        ["package", name, ..] => vec![converted(npm_package(name))],
        ["search"] => page.parameter("q").map(|query| search(&query)).into_iter().collect(),
        [user] => user
            .strip_prefix('~')
            .map(|user| search(&format!("maintainer:{}", decoded(user))))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Address of the registry's document about a package, with all versions.
pub(crate) fn npm_package(name: &str) -> String {
    format!("https://registry.npmjs.org/{name}")
}

pub(super) const CRATES_IO: Service = Service {
    name: "crates.io",
    hosts: ServiceHosts::Named(&["crates.io"]),
    rule: crates_io,
    forms: &[
        feed_of(
            "crate: versions",
            "https://crates.io/crates/serde/1.0.0/dependencies",
            "https://static.crates.io/rss/crates/serde.xml",
        ),
        feed_of("new crates", "https://crates.io/", "https://static.crates.io/rss/crates.xml"),
    ],
};

fn crates_io(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["crates", name, ..] => vec![rss(format!("https://static.crates.io/rss/crates/{name}.xml"))],
        [] | ["crates"] => {
            vec![
                rss("https://static.crates.io/rss/crates.xml"),
                rss("https://static.crates.io/rss/updates.xml"),
            ]
        }
        _ => Vec::new(),
    }
}

pub(super) const DOCKER_HUB: Service = Service {
    name: "Docker Hub",
    hosts: ServiceHosts::Named(&["hub.docker.com"]),
    rule: docker_hub,
    forms: &[
        converted_of(
            "image: tags",
            "https://hub.docker.com/r/grafana/loki/tags",
            "https://hub.docker.com/v2/repositories/grafana/loki/tags?page_size=50&ordering=last_updated",
        ),
        converted_of(
            "official image",
            "https://hub.docker.com/_/nginx",
            "https://hub.docker.com/v2/repositories/library/nginx/tags?page_size=50&ordering=last_updated",
        ),
        converted_of(
            "user: images",
            "https://hub.docker.com/u/grafana",
            "https://hub.docker.com/v2/repositories/grafana/?page_size=50&ordering=last_updated",
        ),
    ],
};

fn docker_hub(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["r", owner, name, ..] | ["repository", "docker", owner, name, ..] => {
            vec![converted(docker_tags(owner, name))]
        }
        ["_", name, ..] => vec![converted(docker_tags("library", name))],
        ["u", owner] => {
            vec![converted(format!(
                "https://hub.docker.com/v2/repositories/{owner}/?page_size=50&ordering=last_updated"
            ))]
        }
        _ => Vec::new(),
    }
}

/// Address of the list of an image's newest tags.
pub(crate) fn docker_tags(owner: &str, name: &str) -> String {
    format!("https://hub.docker.com/v2/repositories/{owner}/{name}/tags?page_size=50&ordering=last_updated")
}

pub(super) const RUBYGEMS: Service = Service {
    name: "RubyGems",
    hosts: ServiceHosts::Named(&["rubygems.org"]),
    rule: rubygems,
    forms: &[feed_of(
        "gem: versions",
        "https://rubygems.org/gems/rails/versions/8.0.0",
        "https://rubygems.org/gems/rails/versions.atom",
    )],
};

fn rubygems(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["gems", name, ..] => vec![atom(format!("https://rubygems.org/gems/{name}/versions.atom"))],
        _ => Vec::new(),
    }
}

pub(super) const PACKAGIST: Service = Service {
    name: "Packagist",
    hosts: ServiceHosts::Named(&["packagist.org"]),
    rule: packagist,
    forms: &[
        feed_of(
            "package: versions",
            "https://packagist.org/packages/symfony/console",
            "https://packagist.org/feeds/package.symfony/console.rss",
        ),
        feed_of(
            "vendor",
            "https://packagist.org/packages/symfony/",
            "https://packagist.org/feeds/vendor.symfony.rss",
        ),
        feed_of("new versions", "https://packagist.org/", "https://packagist.org/feeds/releases.rss"),
    ],
};

fn packagist(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["packages", vendor, name, ..] => {
            vec![rss(format!("https://packagist.org/feeds/package.{vendor}/{name}.rss"))]
        }
        ["packages", vendor] => vec![rss(format!("https://packagist.org/feeds/vendor.{vendor}.rss"))],
        [] => vec![
            rss("https://packagist.org/feeds/releases.rss"),
            rss("https://packagist.org/feeds/packages.rss"),
        ],
        _ => Vec::new(),
    }
}
