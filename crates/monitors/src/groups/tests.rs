//! Groups: inherited settings, and the settings of monitors after a setting or the group was deleted.

use entities::ids::MonitorId;

use super::*;
use crate::calendar::Hours;
use crate::edit::{Edit, update};
use crate::manage::get;
use crate::monitor::Monitor;
use crate::tests::create_monitor;
use crate::{GroupSetting, ListFilter, ListRange};
use kernel::clock::{DAY, HOUR};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

async fn group(domain: &Domain, owner: AccountId, name: &str) -> Result<MonitorGroup> {
    create_group(domain, owner, GroupEdit { name: Some(name.to_owned()), ..GroupEdit::default() }).await
}

async fn join(domain: &Domain, owner: AccountId, id: MonitorId, group: MonitorGroupId) -> Monitor {
    let edit = Edit { group: Some(Some(group)), ..Edit::default() };
    update(domain, owner, id, edit).await.unwrap().monitor
}

fn muted() -> Schedule {
    let hours = Hours { from: "22:00".to_owned(), to: "07:00".to_owned() };
    Schedule { mute_hours: Some(hours), ..Schedule::default() }
}

#[tokio::test]
async fn monitors_without_overrides_inherit_group_settings() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let made = group(domain, owner, "Ferries").await.unwrap();
        let one = create_monitor(domain, owner, "https://example.org/1").await;
        let two = create_monitor(domain, owner, "https://example.org/2").await;
        let other = create_monitor(domain, owner, "https://example.org/3").await;
        for monitor in [&one, &two] {
            assert_eq!(join(domain, owner, monitor.id, made.id).await.own_settings, []);
        }
        let own = Edit { interval_minutes: Some(720), ..Edit::default() };
        let two = update(domain, owner, two.id, own).await.unwrap().monitor;
        assert_eq!(two.own_settings, [GroupSetting::Interval]);

        let edit = GroupEdit {
            interval_minutes: Some(Some(60)),
            schedule: Some(Some(muted())),
            ..GroupEdit::default()
        };
        let changed = update_group(domain, owner, made.id, edit).await.unwrap();
        assert_eq!((changed.monitor_count, changed.interval_minutes), (2, Some(60)));
        let now = async |monitor: &Monitor| get(domain, owner, monitor.id).await.unwrap();
        let (one, two, other) = (now(&one).await, now(&two).await, now(&other).await);
        assert_eq!((one.interval_minutes, &one.schedule), (60, &muted()));
        assert!(one.next_run_at.is_some_and(|at| at <= domain.now() + HOUR + HOUR / 6));
        assert_eq!((two.interval_minutes, &two.schedule), (720, &muted()));
        assert_eq!((other.interval_minutes, other.schedule.is_default()), (1440, true));

        let follow = Edit { own_settings: Some(Vec::new()), ..Edit::default() };
        let two = update(domain, owner, two.id, follow).await.unwrap().monitor;
        assert_eq!((two.interval_minutes, two.own_settings), (60, vec![]));
        let filter = ListFilter { group: Some(made.id), ..ListFilter::default() };
        let listed = crate::list(domain, owner, filter, ListRange::first(10)).await.unwrap().monitors;
        assert_eq!(listed.iter().map(|monitor| monitor.id).collect::<Vec<_>>(), [two.id, one.id]);
    }
}

#[tokio::test]
async fn monitor_retains_values_after_its_group_drops_a_setting_or_is_deleted() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let made = group(domain, owner, "Ferries").await.unwrap();
        let monitor = create_monitor(domain, owner, "https://example.org/1").await;
        join(domain, owner, monitor.id, made.id).await;
        let hourly = GroupEdit { interval_minutes: Some(Some(60)), ..GroupEdit::default() };
        update_group(domain, owner, made.id, hourly).await.unwrap();
        let open = GroupEdit { interval_minutes: Some(None), ..GroupEdit::default() };
        assert_eq!(update_group(domain, owner, made.id, open).await.unwrap().interval_minutes, None);
        assert_eq!(get(domain, owner, monitor.id).await.unwrap().interval_minutes, 60);
        let nightly = GroupEdit { schedule: Some(Some(muted())), ..GroupEdit::default() };
        update_group(domain, owner, made.id, nightly).await.unwrap();
        delete_group(domain, owner, made.id).await.unwrap();
        let left = get(domain, owner, monitor.id).await.unwrap();
        assert_eq!((left.group, left.interval_minutes, left.schedule), (None, 60, muted()));
        assert_eq!(list_groups(domain, owner).await.unwrap(), []);
    }
}

#[tokio::test]
async fn longer_interval_of_a_group_does_not_delay_a_run_that_is_due_earlier() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let made = group(domain, owner, "Ferries").await.unwrap();
        let monitor = create_monitor(domain, owner, "https://example.org/1").await;
        let next = join(domain, owner, monitor.id, made.id).await.next_run_at;
        let monthly = GroupEdit { interval_minutes: Some(Some(43_200)), ..GroupEdit::default() };
        update_group(domain, owner, made.id, monthly).await.unwrap();
        assert_eq!(get(domain, owner, monitor.id).await.unwrap().next_run_at, next);
        let paused = Schedule { paused_until: Some(domain.now() + DAY), ..Schedule::default() };
        let pause = GroupEdit { schedule: Some(Some(paused)), ..GroupEdit::default() };
        update_group(domain, owner, made.id, pause).await.unwrap();
        let waiting = get(domain, owner, monitor.id).await.unwrap().next_run_at;
        assert!(waiting.is_some_and(|at| at >= domain.now() + DAY), "{waiting:?}");
    }
}

#[tokio::test]
async fn group_names_are_unique_ignoring_case_and_groups_are_limited_like_monitors() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (owner, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let made = group(domain, owner, "Ferries").await.unwrap();
        assert_eq!(group(domain, owner, " FERRIES ").await.unwrap_err().code, Code::NameTaken);
        assert_eq!(group(domain, owner, " ").await.unwrap_err().code, Code::InvalidRequest);
        let renamed = GroupEdit { name: Some("ferries".to_owned()), ..GroupEdit::default() };
        assert_eq!(update_group(domain, owner, made.id, renamed).await.unwrap().name, "ferries");
        group(domain, other, "Ferries").await.unwrap();
        let foreign = get_group(domain, other, made.id).await;
        assert_eq!(foreign.unwrap_err().code, Code::NotFound);
        let most = domain.policy().tiers.of(Tier::Free).web_monitors;
        for number in 1..most {
            group(domain, owner, &format!("G{number}")).await.unwrap();
        }
        assert_eq!(group(domain, owner, "One more").await.unwrap_err().code, Code::LimitReached);
    }
}
