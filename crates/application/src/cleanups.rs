//! All cleanups (deletions of rows by age), each with its own schedule.

use articles::{pictures, reader};
use identity::{accounts, agents, credits, limits, mail, oauth, teams};
use jobs::cleanup::Cleanup;

/// All cleanups, distributed over the minutes of an hour.
pub const CLEANUPS: &[Cleanup] = &[
    jobs::cleanup::FINISHED_JOBS,
    jobs::cleanup::COMPLETION_COUNTS,
    Cleanup {
        name: "read jobs",
        schedule: "15 */5 * * * *",
        run: |domain| Box::pin(reader::read_jobs::remove_expired(domain)),
    },
    Cleanup {
        name: "stored responses",
        schedule: "25 */5 * * * *",
        run: |domain| Box::pin(reader::idempotency::remove_expired(domain)),
    },
    Cleanup {
        name: "monitor runs",
        schedule: "35 */10 * * * *",
        run: |domain| Box::pin(monitors::delete_old_runs(domain)),
    },
    Cleanup {
        name: "room for texts",
        schedule: "45 */10 * * * *",
        run: |domain| Box::pin(articles::enforce_budget(domain)),
    },
    Cleanup {
        name: "sessions and daily counts",
        schedule: "55 2 * * * *",
        run: |domain| Box::pin(accounts::remove_expired(domain)),
    },
    Cleanup {
        name: "counts of limits",
        schedule: "35 */5 * * * *",
        run: |domain| Box::pin(limits::delete_expired_counters(domain)),
    },
    Cleanup {
        name: "files let go",
        schedule: "50 * * * * *",
        run: |domain| Box::pin(library::files::delete_released(domain)),
    },
    Cleanup {
        name: "deleted items",
        schedule: "20 * * * * *",
        run: |domain| Box::pin(library::delete_due(domain)),
    },
    Cleanup {
        name: "exports",
        schedule: "20 */10 * * * *",
        run: |domain| Box::pin(library::transfer::delete_old_exports(domain)),
    },
    Cleanup {
        name: "imports",
        schedule: "40 */10 * * * *",
        run: |domain| Box::pin(library::transfer::delete_old_imports(domain)),
    },
    Cleanup {
        name: "room for pictures",
        schedule: "15 */2 * * * *",
        run: |domain| Box::pin(pictures::keep_within_budget(domain)),
    },
    Cleanup {
        name: "lost pictures",
        schedule: "55 47 3 * * *",
        run: |domain| Box::pin(pictures::delete_lost(domain)),
    },
    Cleanup {
        name: "lost screenshots",
        schedule: "55 49 3 * * *",
        run: |domain| Box::pin(monitors::delete_lost_screenshots(domain)),
    },
    Cleanup {
        name: "lost files",
        schedule: "55 31 3 * * *",
        run: |domain| Box::pin(library::files::delete_lost(domain)),
    },
    Cleanup {
        name: "what apps were allowed",
        schedule: "55 37 * * * *",
        run: |domain| Box::pin(oauth::delete_expired(domain)),
    },
    Cleanup {
        name: "calls of agents",
        schedule: "55 43 * * * *",
        run: |domain| Box::pin(agents::delete_expired(domain)),
    },
    Cleanup {
        name: "apps that nobody uses",
        schedule: "55 14 * * * *",
        run: |domain| Box::pin(oauth::remove_unused_clients(domain)),
    },
    Cleanup {
        name: "notices",
        schedule: "55 9 * * * *",
        run: |domain| Box::pin(notices::remove_old(domain)),
    },
    Cleanup {
        name: "received mail",
        schedule: "55 24 * * * *",
        run: |domain| Box::pin(inbox::remove_old(domain)),
    },
    Cleanup {
        name: "received mail without a job",
        schedule: "55 34 * * * *",
        run: |domain| Box::pin(inbox::submit_lost(domain)),
    },
    Cleanup {
        name: "invitations to teams",
        schedule: "55 19 * * * *",
        run: |domain| Box::pin(teams::delete_expired(domain)),
    },
    Cleanup { name: "mail", schedule: "55 4 * * * *", run: |domain| Box::pin(mail::remove_old(domain)) },
    Cleanup {
        name: "articles",
        schedule: "55 7 * * * *",
        run: |domain| {
            Box::pin(async {
                let removed = articles::remove_expired(domain).await?;
                Ok(removed.sources + removed.snapshots)
            })
        },
    },
    Cleanup {
        name: "monitor contents",
        schedule: "55 12 * * * *",
        run: |domain| Box::pin(monitors::delete_old_contents(domain)),
    },
    Cleanup {
        name: "feeds",
        schedule: "55 17 * * * *",
        run: |domain| Box::pin(feeds::delete_unfollowed(domain)),
    },
    Cleanup {
        name: "old unread entries",
        schedule: "55 52 * * * *",
        run: |domain| Box::pin(feeds::age_out(domain)),
    },
    Cleanup {
        name: "events of feeds",
        schedule: "55 37 * * * *",
        run: |domain| Box::pin(feeds::delete_old_events(domain)),
    },
    Cleanup {
        name: "changes that were tried",
        schedule: "30 */10 * * * *",
        run: |domain| Box::pin(feeds::delete_old_commits(domain)),
    },
    Cleanup {
        name: "consumers that ended",
        schedule: "55 42 * * * *",
        run: |domain| Box::pin(feeds::delete_expired_consumers(domain)),
    },
    Cleanup {
        name: "what libraries deleted",
        schedule: "55 27 * * * *",
        run: |domain| Box::pin(library::purge(domain)),
    },
    Cleanup {
        name: "credits",
        schedule: "55 22 * * * *",
        run: |domain| Box::pin(credits::delete_old_months(domain)),
    },
];

#[cfg(test)]
mod tests {
    use jobs::cleanup::{Cleanups, next_rounds};
    use kernel::Backend;
    use kernel::testing::{START, TestDatabase};

    use super::*;

    #[tokio::test]
    async fn every_cleanup_has_a_next_run() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let domain = test.domain.clone().install(Cleanups(CLEANUPS));
        let rounds: Vec<_> = next_rounds(&domain, START).collect();
        assert_eq!(rounds.len(), CLEANUPS.len());
        for (name, next) in rounds {
            assert!(next.is_some_and(|next| next > START && next <= START + 86_400_000), "{name}: {next:?}");
        }
    }
}
