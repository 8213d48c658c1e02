//! Statistics of all feeds, fifty per page: how often each feed posts, and how much of it the person reads.

use feeds::{FeedStatistics, StatisticsFilter};
use kernel::{Millis, SubscriptionId};
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{ROWS, Section, Tab, link, pager, respond, tabs};
use crate::language::text::Text;
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
    let tab = |value: &str, name: Text| Tab {
        href: link(PATH, &[("show", value)]),
        name: name.get(),
        is_current: value == selected,
    };
    let next =
        page.next_after.map(|id| link(PATH, &[("show", selected), ("after", &id.as_i64().to_string())]));
    let now = domain.now();
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } " › " a href="/subscriptions" { (Text("feeds-subscriptions")) } }
        h1 { (Text("feeds-statistics")) }
        p { (Text("statistics-words")) }
        (tabs(&Text("nav-feeds").get(), &[tab("", Text("feeds-all")), tab(NEVER_READ, Text("statistics-never-read"))]))
        @if page.statistics.is_empty() {
            p { @if never_read { (Text("statistics-none-never-read")) } @else { (Text("feeds-none")) } }
        } @else {
            h2.hidden { (Text("nav-feeds")) }
            ul.rows { @for one in &page.statistics { (row(one, now)) } }
            (pager(next.as_deref(), &Text("feeds-more")))
        }
    };
    let title = format!("{} · {}", Text("feeds-statistics").get(), Text("nav-feeds").get());
    Ok(respond(&request, Section::Feeds, &title, &content))
}

fn row(statistics: &FeedStatistics, now: Millis) -> Markup {
    html! {
        li {
            h3 { a href={ "/subscriptions/" (statistics.subscription_id) } { bdi { (statistics.title) } } }
            p.meta.dots {
                @if statistics.never_read { span { span.state.warn { (Text("statistics-never-read")) } } }
                span { (rate_words(statistics)) }
                @if let Some(share) = statistics.read_share { span { (Text("statistics-read-share").with("share", percent(share))) } }
                @if let Some(at) = statistics.last_post_at { span { (Text("statistics-last-post").markup(&[("time", time(at, now))])) } }
                @if let Some(at) = statistics.last_read_at { span { (Text("statistics-last-read").markup(&[("time", time(at, now))])) } }
            }
        }
    }
}

/// Renders the statistics of one feed, as items of a description list.
pub(super) fn facts(statistics: &FeedStatistics, now: Millis) -> Markup {
    html! {
        dt { (Text("statistics-posts")) }
        dd.dots {
            span { (rate_words(statistics)) }
            @if let Some(at) = statistics.last_post_at { span { (Text("statistics-last-post").markup(&[("time", time(at, now))])) } }
        }
        @if let Some(share) = statistics.read_share {
            dt { (Text("statistics-read")) }
            dd.dots {
                span { (percent(share)) }
                @if let Some(at) = statistics.last_read_at { span { (Text("statistics-last-read").markup(&[("time", time(at, now))])) } }
                @if statistics.never_read { span { (Text("statistics-never-read")) } }
            }
        }
    }
}

fn rate_words(statistics: &FeedStatistics) -> String {
    Text("statistics-rate").with("number", statistics.posts_per_week.to_string()).get()
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
