//! Prints the results of the simulated week as tables.

use std::collections::{BTreeMap, HashMap, HashSet};

use kernel::Domain;
use kernel::testing::START;
use sea_orm::{ConnectionTrait, Statement};

use crate::behaviour::{ALL, DAY, HOUR, MINUTE, SimulatedFeed};
use crate::simulation::Simulation;
use crate::site::SimulatedRequest;

pub(crate) async fn print(world: &Simulation) {
    let log = world.site.log();
    let discovery_times = discovery_times(world.domain()).await;
    println!(
        "| feeds | number | requests a feed and day: least, mean, most | 304 | errors | entries published | lost | doubled \
         | seen after, median and p95 | late p95, most | inside a pause |\n\
         |---|---|---|---|---|---|---|---|---|---|---|"
    );
    for (kind, behaviour) in ALL.iter().enumerate() {
        let group: Vec<&SimulatedFeed> =
            world.simulated_feeds.iter().filter(|feed| feed.kind == kind).collect();
        if group.is_empty() {
            continue;
        }
        println!("| {} | {} {} |", behaviour.name, group.len(), row(world, &group, &log, &discovery_times));
    }
    println!();
    print_totals(&log, world.simulated_feeds.len());
}

fn row(
    world: &Simulation,
    group: &[&SimulatedFeed],
    log: &[SimulatedRequest],
    discovery_times: &DiscoveryTimes,
) -> String {
    let feeds: HashSet<usize> = group.iter().map(|feed| feed.feed).collect();
    let requests: Vec<&SimulatedRequest> =
        log.iter().filter(|request| feeds.contains(&request.feed)).collect();
    let mut each: HashMap<usize, usize> = feeds.iter().map(|feed| (*feed, 0)).collect();
    for request in requests.iter().filter(|request| !request.is_hop) {
        *each.entry(request.feed).or_default() += 1;
    }
    let a_day = |count: usize| count as f64 / 7.0;
    let (least, most) = (each.values().min().unwrap(), each.values().max().unwrap());
    let mean = each.values().sum::<usize>() as f64 / each.len() as f64;
    let with =
        |has_status: fn(u16) -> bool| requests.iter().filter(|request| has_status(request.status)).count();
    let (same, errors) = (with(|status| status == 304), with(|status| status == 0 || status >= 400));
    let entry_stats = entry_stats(world, group, log, discovery_times);
    let mut late: Vec<i64> =
        feeds.iter().filter_map(|feed| world.late.get(feed)).flatten().copied().collect();
    late.sort_unstable();
    let in_pause = requests.iter().filter(|request| request.in_pause).count();
    format!(
        "| {:.1}, {:.1}, {:.1} | {same} | {errors} | {} | {} | {} | {} min, {} min | {} s, {} s | {in_pause}",
        a_day(*least),
        mean / 7.0,
        a_day(*most),
        entry_stats.published,
        entry_stats.lost,
        entry_stats.doubled,
        quantile(&entry_stats.delays, 0.5) / MINUTE,
        quantile(&entry_stats.delays, 0.95) / MINUTE,
        quantile(&late, 0.95) / 1000,
        quantile(&late, 1.0) / 1000,
    )
}

struct EntryStats {
    published: usize,
    lost: usize,
    doubled: usize,
    delays: Vec<i64>,
}

/// Counts the entries that each feed published between its first and last successful response: stored once,
/// lost, or stored repeatedly.
fn entry_stats(
    world: &Simulation,
    group: &[&SimulatedFeed],
    log: &[SimulatedRequest],
    discovery_times: &DiscoveryTimes,
) -> EntryStats {
    let mut entry_stats = EntryStats { published: 0, lost: 0, doubled: 0, delays: Vec::new() };
    for feed in group {
        let answers: Vec<i64> = log
            .iter()
            .filter(|request| request.feed == feed.feed && matches!(request.status, 200 | 304))
            .map(|request| request.at)
            .collect();
        let (Some(first), Some(last)) = (answers.first(), answers.last()) else { continue };
        let empty = BTreeMap::new();
        let stored_entries = discovery_times.get(&world.rows[feed.feed]).unwrap_or(&empty);
        for n in feed.entries_at(START, *first)..feed.entries_at(START, *last) {
            entry_stats.published += 1;
            match stored_entries.get(&format!("Entry {n} of {}", feed.feed)).map(Vec::as_slice) {
                None | Some([]) => entry_stats.lost += 1,
                Some([at]) => entry_stats.delays.push(at - feed.published(START, n)),
                Some(times) => entry_stats.doubled += times.len() - 1,
            }
        }
    }
    entry_stats.delays.sort_unstable();
    entry_stats
}

/// Discovery times of entries in milliseconds, by feed and title.
type DiscoveryTimes = HashMap<i64, BTreeMap<String, Vec<i64>>>;

async fn discovery_times(domain: &Domain) -> DiscoveryTimes {
    let connection = domain.db().write();
    // Entries of a successor feed are counted for the original feed, except entries that the original feed
    // already had.
    let text = "SELECT COALESCE(p.id, e.feed_id), e.title, e.discovered_us / 1000 FROM feed_entry e \
                LEFT JOIN feed p ON p.successor_id = e.feed_id \
                WHERE NOT EXISTS (SELECT 1 FROM feed_entry_twin t WHERE t.twin_id = e.id AND t.into_feed_id = e.feed_id)";
    let statement = Statement::from_string(connection.get_database_backend(), text);
    let mut discovery_times = DiscoveryTimes::new();
    for row in connection.query_all_raw(statement).await.unwrap() {
        let (feed, title): (i64, String) =
            (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
        let at: i64 = row.try_get_by_index(2).unwrap();
        discovery_times.entry(feed).or_default().entry(title).or_default().push(at);
    }
    discovery_times
}

/// Prints totals for the whole week and for the hour after the outage.
fn print_totals(log: &[SimulatedRequest], feeds: usize) {
    let polls: Vec<&SimulatedRequest> = log.iter().filter(|request| !request.is_hop).collect();
    let in_pause = log.iter().filter(|request| request.in_pause).count();
    let mut minutes: BTreeMap<i64, usize> = BTreeMap::new();
    for request in &polls {
        *minutes.entry((request.at - START) / MINUTE).or_default() += 1;
    }
    let (outage, after) = (4 * DAY / MINUTE, (4 * DAY + HOUR) / MINUTE);
    let most = |range: std::ops::Range<i64>| minutes.range(range).map(|(_, count)| *count).max().unwrap_or(0);
    let sum = |range: std::ops::Range<i64>| minutes.range(range).map(|(_, count)| *count).sum::<usize>();
    println!("- {} polls of {feeds} feeds in seven days, {in_pause} of them inside a pause", polls.len());
    println!(
        "- polls in the busiest minute of the day before the outage: {}; in the first minute after it: {}, in the \
         hour after it: {}, in the same hour a day before: {}",
        most(outage - 1440..outage),
        sum(after..after + 1),
        sum(after..after + 60),
        sum(after - 1440..after - 1380),
    );
    println!("- busiest minute of the second day after the outage: {}", most(after + 1440..after + 2880));
}

fn quantile(sorted: &[i64], share: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index into a list")]
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}
