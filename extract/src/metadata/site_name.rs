//! Names of the site of a page. Many pages declare their site as the author.

use std::collections::HashSet;

use super::sources::MetadataSources;

/// Separators between the parts of a site name.
const SEPARATORS: [&str; 5] = [" - ", " – ", " — ", " | ", ": "];
/// First words that the name of a site may omit, in lower case.
const ARTICLES: [&str; 8] = ["the ", "der ", "die ", "das ", "le ", "la ", "el ", "il "];
/// Maximum number of characters in the second label of a host such as `example.co.uk`.
const SHORT_LABEL_CHARS: usize = 3;

/// Names of the site and its publisher, reduced to letters and digits.
pub(super) struct SiteNames {
    names: HashSet<String>,
    /// Names in the host.
    hosts: HashSet<String>,
}

impl SiteNames {
    pub(super) fn of(sources: &MetadataSources<'_>, publisher: Option<&str>) -> Self {
        let metas = ["og:site_name", "publisher", "application-name", "apple-mobile-web-app-title"];
        let declared = metas.iter().filter_map(|name| sources.first(&[name]));
        let mut names = HashSet::new();
        for name in publisher.into_iter().chain(sources.linked.site.as_deref()).chain(declared) {
            names.insert(reduced(name));
            for separator in SEPARATORS {
                names.extend(name.split(separator).map(reduced));
            }
        }
        names.remove("");
        let host = sources.address.and_then(url::Url::host_str).unwrap_or_default();
        Self { names, hosts: host_names(host) }
    }

    /// True for the name of the site or its publisher.
    pub(super) fn contains(&self, name: &str) -> bool {
        let reduced_name = reduced(name);
        // The host of a personal site is often the name of the person.
        let is_one_word = !without_article(name).contains(' ');
        self.names.contains(&reduced_name) || is_one_word && self.hosts.contains(&reduced_name)
    }
}

/// Name of a host with and without its suffix.
fn host_names(host: &str) -> HashSet<String> {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels: Vec<&str> = host.split('.').collect();
    let has_short_label = labels.len() > 2 && labels[labels.len() - 2].chars().count() <= SHORT_LABEL_CHARS;
    let label = labels.len().checked_sub(if has_short_label { 3 } else { 2 }).map(|at| labels[at]);
    [Some(host), label].into_iter().flatten().map(reduced).collect()
}

fn without_article(name: &str) -> &str {
    let rest = ARTICLES.iter().find_map(|article| {
        let (start, rest) = name.split_at_checked(article.len())?;
        start.eq_ignore_ascii_case(article).then_some(rest)
    });
    rest.unwrap_or(name)
}

/// Letters and digits of a name in lower case, without an article.
fn reduced(name: &str) -> String {
    let name = without_article(name.trim());
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_is_recognised_by_its_declared_name_and_its_host() {
        let names = |list: &[&str]| list.iter().map(|name| reduced(name)).collect();
        let site =
            SiteNames { names: names(&["LN", "Example Times"]), hosts: host_names("www.furche.co.at") };
        for name in ["LN", "Example TIMES", "The Example Times", "Die FURCHE", "furche.co.at"] {
            assert!(site.contains(name), "{name}");
        }
        for name in ["Julia Doe", "Julia Furche", "Times", ""] {
            assert!(!site.contains(name), "{name}");
        }
        let personal = SiteNames { names: HashSet::new(), hosts: host_names("juliadoe.example") };
        assert!(!personal.contains("Julia Doe"));
    }
}
