//! Application of the rules of a feed to the entries of a fetched body.

use std::sync::Arc;

use extract::feed::{ParsedEntry, ParsedFeed};

use super::super::expressions::thread_cpu_time;
use super::entry_texts::{EntryTexts, allowed_address};
use super::rewriter::{REWRITE_TIME_LIMIT, RewriteLimits, Rewriter};
use kernel::{Domain, Error, Result};

/// Result of applying rules to the entries of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RewriteReport {
    /// Number of entries that retained an original text, because a rule could not be applied.
    pub(crate) skipped: u32,
    /// True if the rules exceeded their time limit.
    pub(crate) is_too_slow: bool,
}

/// Applies the rules of a feed to those entries of a body that `is_written` selects. Marks, which identify entries, are
/// not changed. If the time runs out, the remaining entries retain their original texts.
pub(crate) async fn rewrite_feed(
    domain: &Domain,
    parsed: ParsedFeed,
    rewriter: Arc<Rewriter>,
    is_written: impl Fn(&ParsedEntry) -> bool + Send + 'static,
) -> Result<(ParsedFeed, RewriteReport)> {
    let domain = domain.clone();
    let work = move || {
        let mut parsed = parsed;
        let allowed = |url: &str| allowed_address(&domain, url);
        let until = thread_cpu_time() + REWRITE_TIME_LIMIT;
        let limits = RewriteLimits { clock: &thread_cpu_time, until, allowed: &allowed };
        let written = parsed.entries.iter_mut().filter(|entry| is_written(entry));
        let report = rewrite_entries(written, &rewriter, &limits);
        (parsed, report)
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

fn rewrite_entries<'a>(
    entries: impl Iterator<Item = &'a mut ParsedEntry>,
    rewriter: &Rewriter,
    limits: &RewriteLimits<'_>,
) -> RewriteReport {
    let mut report = RewriteReport::default();
    for entry in entries {
        let texts = EntryTexts::of(entry);
        if report.is_too_slow {
            Rewriter::original(&texts).write_to(entry);
            report.skipped += 1;
            continue;
        }
        if let Ok(rewritten) = rewriter.rewrite(&texts, limits) {
            rewritten.texts.write_to(entry);
            report.skipped += u32::from(rewritten.is_partial);
        } else {
            Rewriter::original(&texts).write_to(entry);
            report = RewriteReport { skipped: report.skipped + 1, is_too_slow: true };
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::super::rule::{Replacement, Rewrite, RewriteField};
    use super::*;
    use std::time::Duration;

    #[test]
    fn entries_after_the_time_limit_retain_their_original_texts() {
        let (field, pattern, with) = (RewriteField::Title, "^Ad: ".to_owned(), String::new());
        let rewriter = Rewriter::new(&[Rewrite::Replace(Replacement { field, pattern, with })]).unwrap();
        let entry = |number: u32| ParsedEntry {
            title: Some(format!("Ad: {number}")),
            rank: number,
            ..ParsedEntry::default()
        };
        let mut entries: Vec<ParsedEntry> = (0..3).map(entry).collect();
        let time = std::cell::Cell::new(Duration::ZERO);
        // Each title has one match, and the clock is read at the match and after it.
        let clock = || {
            time.set(time.get() + Duration::from_millis(1));
            time.get()
        };
        let until = Duration::from_millis(2);
        let limits = RewriteLimits { clock: &clock, until, allowed: &|_| None };
        let report = rewrite_entries(entries.iter_mut(), &rewriter, &limits);
        assert_eq!(report, RewriteReport { skipped: 2, is_too_slow: true });
        let titles: Vec<&str> = entries.iter().filter_map(|entry| entry.title.as_deref()).collect();
        assert_eq!(titles, ["0", "Ad: 1", "Ad: 2"]);
    }
}
