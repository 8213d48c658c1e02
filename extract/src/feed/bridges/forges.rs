//! Services for source code.

use super::page_address::{PageAddress, decoded, is_plain_id, with_parameters};
use super::service::{Bridge, Service, ServiceHosts, atom, converted, converted_of, feed_of, rss};

/// First path segments on GitHub that are not names of repository owners.
const GITHUB_PAGES: &[&str] = &[
    "about", "apps", "collections", "enterprise", "explore", "features", "login", "marketplace",
    "notifications", "orgs", "pricing", "search", "settings", "sponsors", "topics", "trending", "users",
];
/// First path segments on `GitLab` that are not names of groups or users.
const GITLAB_PAGES: &[&str] = &["-", "admin", "api", "dashboard", "explore", "help", "profile", "search"];
/// First path segments on Forgejo and Gitea that are not names of owners.
const FORGEJO_PAGES: &[&str] = &["admin", "api", "assets", "explore", "issues", "pulls", "repo", "user"];

pub(super) const GITHUB: Service = Service {
    name: "GitHub",
    hosts: ServiceHosts::Named(&["github.com"]),
    rule: github,
    forms: &[
        feed_of(
            "repository: releases",
            "https://github.com/rust-lang/rust",
            "https://github.com/rust-lang/rust/releases.atom",
        ),
        feed_of(
            "tags",
            "https://github.com/rust-lang/rust/tags",
            "https://github.com/rust-lang/rust/tags.atom",
        ),
        feed_of(
            "commits of a branch",
            "https://github.com/rust-lang/rust/commits/master",
            "https://github.com/rust-lang/rust/commits/master.atom",
        ),
        feed_of(
            "commits of a folder or file",
            "https://github.com/rust-lang/rust/tree/master/library",
            "https://github.com/rust-lang/rust/commits/master/library.atom",
        ),
        converted_of(
            "issues",
            "https://github.com/rust-lang/rust/issues",
            "https://api.github.com/repos/rust-lang/rust/issues?state=all&sort=created&direction=desc&per_page=50",
        ),
        converted_of(
            "issues with a label",
            "https://github.com/rust-lang/rust/labels/good%20first%20issue",
            "https://api.github.com/repos/rust-lang/rust/issues?state=all&sort=created&direction=desc&per_page=50&labels=good+first+issue",
        ),
        converted_of(
            "search of issues",
            "https://github.com/rust-lang/rust/issues?q=is%3Aissue+label%3Atide",
            "https://api.github.com/search/issues?q=repo%3Arust-lang%2Frust+is%3Aissue+label%3Atide&sort=created&order=desc&per_page=50",
        ),
        converted_of(
            "pull requests",
            "https://github.com/rust-lang/rust/pulls",
            "https://api.github.com/repos/rust-lang/rust/pulls?state=all&sort=created&direction=desc&per_page=50",
        ),
        feed_of(
            "discussions",
            "https://github.com/orgs/community/discussions",
            "https://github.com/orgs/community/discussions.atom",
        ),
        feed_of("user", "https://github.com/rust-lang", "https://github.com/rust-lang.atom"),
    ],
};

fn github(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["orgs", owner, "discussions", ..] => {
            vec![atom(format!("https://github.com/orgs/{owner}/discussions.atom"))]
        }
        [owner] | ["orgs", owner, ..] if is_github_owner(owner) => {
            vec![atom(format!("https://github.com/{owner}.atom"))]
        }
        [owner, name, rest @ ..] if is_github_owner(owner) => {
            GitHubRepository { owner, name }.bridges(page, rest)
        }
        _ => Vec::new(),
    }
}

/// True if the first path segment on GitHub is the name of a repository owner.
pub(crate) fn is_github_owner(part: &str) -> bool {
    !GITHUB_PAGES.contains(&part)
}

pub(crate) struct GitHubRepository<'a> {
    pub(crate) owner: &'a str,
    pub(crate) name: &'a str,
}

impl GitHubRepository<'_> {
    /// Feed of the repository's releases.
    pub(crate) fn releases(&self) -> String {
        self.feed("releases")
    }

    /// Feed of the repository's tags.
    pub(crate) fn tags(&self) -> String {
        self.feed("tags")
    }

    /// Feed of the commits to a branch, or to a path in the branch.
    pub(crate) fn commits(&self, branch: &str) -> String {
        self.feed(&format!("commits/{branch}"))
    }

    fn feed(&self, path: &str) -> String {
        format!("https://github.com/{}/{}/{path}.atom", self.owner, self.name)
    }

    /// API address that lists issues or pull requests, the newest first.
    fn list(&self, kind: &str, more: &[(&str, &str)]) -> Bridge {
        let mut parameters =
            vec![("state", "all"), ("sort", "created"), ("direction", "desc"), ("per_page", "50")];
        parameters.extend(more);
        let url = format!("https://api.github.com/repos/{}/{}/{kind}", self.owner, self.name);
        converted(with_parameters(&url, &parameters))
    }

    fn search(&self, query: &str) -> Bridge {
        let query = format!("repo:{}/{} {query}", self.owner, self.name);
        let parameters = [("q", query.as_str()), ("sort", "created"), ("order", "desc"), ("per_page", "50")];
        converted(with_parameters("https://api.github.com/search/issues", &parameters))
    }

    /// Feeds for a page below the repository.
    fn bridges(&self, page: &PageAddress, rest: &[&str]) -> Vec<Bridge> {
        match rest {
            ["issues" | "pulls", ..] if page.parameter("q").is_some() => {
                page.parameter("q").map(|query| self.search(&query)).into_iter().collect()
            }
            ["issues", ..] => vec![self.list("issues", &[])],
            ["pulls" | "pull", ..] => vec![self.list("pulls", &[])],
            ["labels", label] => {
                let label = decoded(label);
                vec![self.list("issues", &[("labels", &*label)])]
            }
            ["discussions", "categories", category, ..] => vec![
                atom(self.feed(&format!("discussions/categories/{category}"))),
                atom(self.feed("discussions")),
            ],
            ["discussions", ..] => vec![atom(self.feed("discussions"))],
            ["wiki", ..] => vec![atom(self.feed("wiki"))],
            ["tags", ..] => self.all("tags"),
            ["commits" | "tree" | "blob", branch @ ..] if !branch.is_empty() => {
                let commits = [atom(self.commits(&branch.join("/")))];
                commits.into_iter().chain([atom(self.releases()), atom(self.tags())]).collect()
            }
            ["commits", ..] => self.all("commits"),
            _ => self.all("releases"),
        }
    }

    /// Feeds of the whole repository, with `first` before the others.
    fn all(&self, first: &str) -> Vec<Bridge> {
        let mut paths = ["releases", "commits", "tags"];
        paths.sort_by_key(|path| *path != first);
        paths.iter().map(|path| atom(self.feed(path))).collect()
    }
}

pub(super) const GITLAB: Service = Service {
    name: "GitLab",
    hosts: ServiceHosts::Any,
    rule: gitlab,
    forms: &[
        feed_of(
            "project: activity",
            "https://gitlab.com/harbour/boats/tide",
            "https://gitlab.com/harbour/boats/tide.atom",
        ),
        feed_of(
            "releases",
            "https://gitlab.com/harbour/tide/-/releases",
            "https://gitlab.com/harbour/tide/-/releases.atom",
        ),
        feed_of(
            "tags",
            "https://git.example/harbour/tide/-/tags",
            "https://git.example/harbour/tide/-/tags?format=atom",
        ),
        feed_of(
            "commits of a branch",
            "https://gitlab.com/harbour/tide/-/commits/main?ref_type=heads",
            "https://gitlab.com/harbour/tide/-/commits/main?format=atom",
        ),
        feed_of(
            "issues",
            "https://gitlab.com/harbour/tide/-/issues",
            "https://gitlab.com/harbour/tide/-/issues.atom",
        ),
        feed_of(
            "merge requests",
            "https://gitlab.com/harbour/tide/-/merge_requests/3",
            "https://gitlab.com/harbour/tide/-/merge_requests.atom",
        ),
        feed_of("user or group", "https://gitlab.com/groups/harbour", "https://gitlab.com/harbour.atom"),
    ],
};

fn gitlab(page: &PageAddress) -> Vec<Bridge> {
    let path = page.path();
    let path = path.strip_prefix(&["groups"]).or(path.strip_prefix(&["users"])).unwrap_or(&path);
    let separator = path.iter().position(|part| *part == "-");
    if path.first().is_none_or(|first| GITLAB_PAGES.contains(first))
        || separator.is_none() && !page.host().starts_with("gitlab.")
    {
        return Vec::new();
    }
    let (project, view) = path.split_at(separator.unwrap_or(path.len()));
    let project = format!("{}/{}", page.origin(), project.join("/"));
    let activity = atom(format!("{project}.atom"));
    let releases = atom(format!("{project}/-/releases.atom"));
    let tags = atom(format!("{project}/-/tags?format=atom"));
    match view {
        ["-", "tags", ..] => vec![tags, releases, activity],
        ["-", "commits" | "tree" | "blob", branch @ ..] if !branch.is_empty() => {
            vec![atom(format!("{project}/-/commits/{}?format=atom", branch.join("/"))), releases, tags]
        }
        ["-", list @ ("issues" | "merge_requests"), ..] => vec![atom(format!("{project}/-/{list}.atom"))],
        ["-", "releases", ..] => vec![releases, tags, activity],
        _ => vec![activity, releases, tags],
    }
}

pub(super) const FORGEJO: Service = Service {
    name: "Codeberg and Gitea",
    hosts: ServiceHosts::Named(&["codeberg.org", "gitea.com", "code.forgejo.org"]),
    rule: forgejo,
    forms: &[
        feed_of(
            "repository: releases",
            "https://codeberg.org/harbour/tide",
            "https://codeberg.org/harbour/tide/releases.rss",
        ),
        feed_of(
            "tags",
            "https://codeberg.org/harbour/tide/tags",
            "https://codeberg.org/harbour/tide/tags.rss",
        ),
        feed_of(
            "commits of a branch",
            "https://codeberg.org/harbour/tide/src/branch/main",
            "https://codeberg.org/harbour/tide/rss/branch/main",
        ),
        converted_of(
            "issues",
            "https://codeberg.org/harbour/tide/issues",
            "https://codeberg.org/api/v1/repos/harbour/tide/issues?type=issues&state=all&limit=50",
        ),
        feed_of("user", "https://codeberg.org/harbour", "https://codeberg.org/harbour.rss"),
    ],
};

fn forgejo(page: &PageAddress) -> Vec<Bridge> {
    let origin = page.origin();
    let path = page.path();
    let (owner, name, rest) = match path.as_slice() {
        [owner, ..] if FORGEJO_PAGES.contains(owner) => return Vec::new(),
        [] => return Vec::new(),
        [owner] => return vec![rss(format!("{origin}/{owner}.rss"))],
        [owner, name, rest @ ..] => (owner, name, rest),
    };
    let root = format!("{origin}/{owner}/{name}");
    let list = |kind: &str| {
        let url = format!("{origin}/api/v1/repos/{owner}/{name}/issues");
        converted(with_parameters(&url, &[("type", kind), ("state", "all"), ("limit", "50")]))
    };
    let feed = |path: &str| rss(format!("{root}/{path}.rss"));
    match rest {
        ["issues", ..] => vec![list("issues")],
        ["pulls", ..] => vec![list("pulls")],
        ["tags", ..] => vec![feed("tags"), feed("releases")],
        ["src" | "commits" | "rss" | "atom", "branch", branch, ..] => {
            vec![rss(format!("{root}/rss/branch/{branch}"))]
        }
        _ => vec![feed("releases"), feed("tags"), rss(format!("{root}.rss"))],
    }
}

pub(super) const SOURCEHUT: Service = Service {
    name: "SourceHut",
    hosts: ServiceHosts::Named(&["git.sr.ht", "hg.sr.ht"]),
    rule: sourcehut,
    forms: &[
        feed_of(
            "repository: references",
            "https://git.sr.ht/~ann/tide",
            "https://git.sr.ht/~ann/tide/refs/rss.xml",
        ),
        feed_of("commits", "https://git.sr.ht/~ann/tide/log", "https://git.sr.ht/~ann/tide/log/rss.xml"),
    ],
};

fn sourcehut(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        [owner, name, rest @ ..] if owner.strip_prefix('~').is_some_and(is_plain_id) => {
            let feed = |list: &str| rss(format!("https://{}/{owner}/{name}/{list}/rss.xml", page.host()));
            match rest.first() {
                Some(&"log") => vec![feed("log"), feed("refs")],
                _ => vec![feed("refs"), feed("log")],
            }
        }
        _ => Vec::new(),
    }
}
