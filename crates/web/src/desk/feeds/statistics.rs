//! Statistics of all feeds, fifty per page: how often each feed posts, and how much of it the person reads.

use feeds::{FeedStatistics, StatisticsFilter};
use kernel::{Millis, SubscriptionId};
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{ROWS, Section, Tab, link, pager, respond, tabs};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

/// Path of the page.
const PATH: &str = "/subscriptions/statistics";
/// Query value that selects the feeds that are never read.
const NEVER_READ: &str = "never-read";

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let never_read = request.parameter("show") == NEVER_READ;
    let filter = StatisticsFilter { never_read, ..StatisticsFilter::default() };
    let after = request.parameter("after").parse().ok().map(SubscriptionId::new);
    let _permit = request.app.limit_long_answers(user.account.id).await;
    let page = feeds::list_statistics(domain, user.account.id, filter, after, ROWS).await?;
    let selected = if never_read { NEVER_READ } else { "" };
    let tab = |value: &str, name: &str| Tab {
        href: link(PATH, &[("show", value)]),
        name: name.to_owned(),
        is_current: value == selected,
    };
    let next =
        page.next_after.map(|id| link(PATH, &[("show", selected), ("after", &id.as_i64().to_string())]));
    let now = domain.now();
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } " › " a href="/subscriptions" { "Subscriptions" } }
        h1 { "Statistics" }
        p { "The last twelve weeks. An entry counts as read if you opened it or marked it as read individually." }
        (tabs("Feeds", &[tab("", "All"), tab(NEVER_READ, "Never read")]))
        @if page.statistics.is_empty() {
            p { @if never_read { "There are no feeds that you never read." } @else { "You do not follow any feeds yet." } }
        } @else {
            h2.hidden { "Feeds" }
            ul.rows { @for one in &page.statistics { (row(one, now)) } }
            (pager(next.as_deref(), "More feeds"))
        }
    };
    Ok(respond(&request, Section::Feeds, "Statistics · Feeds", &content))
}

fn row(statistics: &FeedStatistics, now: Millis) -> Markup {
    html! {
        li {
            h3 { a href={ "/subscriptions/" (statistics.subscription_id) } { bdi { (statistics.title) } } }
            p.meta.dots {
                @if statistics.never_read { span { span.state.warn { "Never read" } } }
                span { (rate_words(statistics)) }
                @if let Some(share) = statistics.read_share { span { (percent(share)) " read" } }
                @if let Some(at) = statistics.last_post_at { span { "last post " (time(at, now)) } }
                @if let Some(at) = statistics.last_read_at { span { "last read " (time(at, now)) } }
            }
        }
    }
}

/// Renders the statistics of one feed, as items of a description list.
pub(super) fn facts(statistics: &FeedStatistics, now: Millis) -> Markup {
    html! {
        dt { "Posts" } dd { (rate_words(statistics)) @if let Some(at) = statistics.last_post_at { ", last " (time(at, now)) } }
        @if let Some(share) = statistics.read_share {
            dt { "Read" } dd {
                (percent(share)) @if let Some(at) = statistics.last_read_at { ", last " (time(at, now)) }
                @if statistics.never_read { "; you never read this feed" }
            }
        }
    }
}

fn rate_words(statistics: &FeedStatistics) -> String {
    format!("{} a week", statistics.posts_per_week)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
