//! Typical tasks, solved with the default set as a planner solves them. The tests bound the number of calls
//! and the tokens of their results.

use serde_json::{Value, json};

use super::Agent;
use crate::support::clock::{DAY, HOUR};
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, TestApp, eventually, on_each_world};
use kernel::tiers::Tier;

/// Number of tasks.
const TASKS: usize = 30;
/// Maximum calls of a task.
const MAX_CALLS: usize = 3;
/// Maximum medians over all tasks: calls of a task, and tokens of its results.
const MAX_MEDIAN: (usize, u32) = (3, 3_000);

/// Planner that counts its calls and the tokens of their results.
struct Planner<'a> {
    agent: Agent<'a>,
    calls: usize,
    tokens: u32,
    /// Calls and tokens of each finished task.
    finished: Vec<(usize, u32)>,
}

impl<'a> Planner<'a> {
    fn new(app: &'a TestApp, who: &Person) -> Self {
        Self { agent: Agent::of(app, who).at("/mcp"), calls: 0, tokens: 0, finished: Vec::new() }
    }

    async fn ask(&mut self, tool: &str, arguments: Value) -> String {
        let text = self.agent.ask(tool, arguments).await;
        self.calls += 1;
        self.tokens += extract::tokens::count(&text);
        text
    }

    /// Finishes a task and asserts that the last answer contains `words`.
    fn finish(&mut self, task: &str, answer: &str, words: &[&str]) {
        for word in words {
            assert!(answer.contains(word), "{task}: {word} is missing in {answer}");
        }
        assert!(self.calls <= MAX_CALLS, "{task}: {} calls", self.calls);
        self.finished.push((self.calls, self.tokens));
        (self.calls, self.tokens) = (0, 0);
    }
}

/// Returns the first reference of a kind in an answer.
fn first(answer: &str, kind: &str) -> String {
    references(answer, kind).into_iter().next().unwrap_or_else(|| panic!("no {kind} in {answer}"))
}

/// Returns the references of a kind at the start of an answer's rows.
fn references(answer: &str, kind: &str) -> Vec<String> {
    let rows = answer.lines().filter_map(|line| line.strip_prefix("- "));
    let starts = rows.filter_map(|row| row.split_whitespace().next());
    starts.filter(|start| start.starts_with(kind)).map(str::to_owned).collect()
}

/// Returns the cursor at the end of the line that begins with `start`.
fn cursor(answer: &str, start: &str) -> String {
    let line =
        answer.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {answer}"));
    line.rsplit("cursor ").next().unwrap().to_owned()
}

/// Prepares an account that follows a feed, watches a page, and has saved two texts.
async fn prepare(app: &TestApp, who: &Person) -> String {
    let url = app.site.put("/feed.xml", feed(1..=3));
    who.post(app, "/v1/rss/subscriptions", &json!({"url": url})).await.expect(201);
    poll(app).await;
    let watched = app.site.put("/watched", page("Nothing new."));
    let monitor = create_monitor(app, who, &json!({"name": "Harbour", "targetUrl": watched})).await;
    advance_minute(app).await;
    app.site.put("/watched", page("The storm closed the harbour."));
    assert_eq!(run_now(app, who, &monitor).await["outcome"], "changed");
    for (title, words) in [("Desks", "A desk for one reader."), ("Windows", "A window to the sea.")] {
        let item = json!({"title": title, "content": words, "url": format!("https://example.org/{title}")});
        who.post(app, "/v1/library/items", &item).await.expect(201);
    }
    url
}

async fn feeds(planner: &mut Planner<'_>) {
    let entries =
        planner.ask("search", json!({"query": "words", "in": "entries", "after": "2026-11-01"})).await;
    planner.finish("what did my feeds say about words", &entries, &["entry:", "Harbour, 2026-11-"]);

    let list = planner.ask("search", json!({"query": "words of 2"})).await;
    let text = planner.ask("fetch", json!({"id": first(&list, "entry:")})).await;
    planner.finish("read the entry about words of 2", &text, &["Words of 2", "https://example.org/2"]);

    let list = planner.ask("list_updates", json!({"in": "entries"})).await;
    let sources = references(&list, "entry:");
    let saved = planner.ask("save", json!({"sources": sources, "tags": ["harbour"]})).await;
    planner.finish("save and tag what is new", &saved, &["3 items saved.", "item:"]);

    let list = planner.ask("list_updates", json!({"in": "entries"})).await;
    let done = planner.ask("mark", json!({"ids": references(&list, "entry:")})).await;
    planner.finish("mark what is new as read", &done, &["3 of the ids are now read."]);

    let list = planner.ask("list_updates", json!({"in": "entries"})).await;
    planner.finish("is anything unread", &list, &["0 of 0 unread updates"]);

    let failing = planner.ask("list_following", json!({"health": "failing"})).await;
    planner.finish("which feeds fail", &failing, &["0 of 0 feeds."]);
}

async fn following(app: &TestApp, planner: &mut Planner<'_>) {
    let url = app.site.put("/blog.xml", feed(8..=9));
    let followed = planner.ask("follow", json!({"url": url, "title": "Blog"})).await;
    planner.finish("follow this blog", &followed, &["Followed.", "feed:", "Blog"]);

    let list = planner.ask("list_following", json!({})).await;
    let gone = planner.ask("follow", json!({"url": first(&list, "feed:"), "action": "unfollow"})).await;
    planner.finish("unfollow a feed", &gone, &["Unfollowed.", "To undo it, call follow"]);

    planner.ask("mark", json!({"consumer": "briefing"})).await;
    let nothing = planner.ask("list_updates", json!({"consumer": "briefing"})).await;
    planner.finish("brief me from now on", &nothing, &["0 updates, oldest first."]);

    app.site.put("/blog.xml", feed(8..=11));
    app.site.put("/feed.xml", feed(1..=5));
    app.clock.advance(DAY);
    poll(app).await;
    let list = planner.ask("list_updates", json!({"consumer": "briefing"})).await;
    let at = cursor(&list, "When these are done");
    let done = planner.ask("mark", json!({"consumer": "briefing", "cursor": at})).await;
    planner.finish("today's briefing", &done, &["Acknowledged. 0 updates are pending."]);
}

async fn pages(app: &TestApp, planner: &mut Planner<'_>) {
    let list = planner.ask("search", json!({"query": "storm", "in": "changes"})).await;
    let text = planner.ask("fetch", json!({"id": first(&list, "change:")})).await;
    planner.finish("what changed at the harbour", &text, &["+ ", "The storm closed the harbour."]);

    let data = json!({"@type": "Product", "name": "Lamp", "offers": {"@type": "Offer", "price": "95.00", "priceCurrency": "EUR"}});
    let lamp = format!(
        "<html><head><script type=application/ld+json>{data}</script></head><body><h1>Lamp</h1></body></html>"
    );
    let url = app.site.put("/lamp", Reply::html(lamp));
    let planned =
        planner.ask("watch", json!({"url": url, "when": "below", "value": "90", "dryRun": true})).await;
    assert!(planned.contains("The condition is not met now."), "{planned}");
    let watched =
        planner.ask("watch", json!({"url": url, "when": "below", "value": 90, "notify": true})).await;
    planner.finish(
        "tell me when this price falls below 90",
        &watched,
        &["Watching as monitor:", "no active channel"],
    );

    let list = planner.ask("list_following", json!({"kind": "monitors"})).await;
    planner.finish("which pages do I watch", &list, &["2 watched pages.", "Harbour", "monitor:"]);
}

async fn library(app: &TestApp, planner: &mut Planner<'_>) {
    let list = planner.ask("search", json!({"query": "desk", "in": "library"})).await;
    let note = planner
        .ask("annotate", json!({"id": first(&list, "item:"), "text": "Buy one.", "tags": ["home"]}))
        .await;
    planner.finish("note on the text about desks", &note, &["Added note:"]);

    let list = planner.ask("search", json!({"query": "desk", "in": "library"})).await;
    let mark = json!({"id": first(&list, "item:"), "quote": "desk for one reader", "color": "green"});
    let highlight = planner.ask("annotate", mark).await;
    planner.finish("highlight the phrase about the reader", &highlight, &["Added highlight:"]);
    assert!(!highlight.contains("does not occur"), "{highlight}");

    let list = planner.ask("search", json!({"query": "window", "in": "library"})).await;
    let change =
        json!({"ids": references(&list, "item:"), "addTags": ["sea"], "status": "archive", "mark": "read"});
    let changed = planner.ask("organize", change).await;
    planner.finish(
        "archive the text about the window",
        &changed,
        &["1 item changed.", "archive, read; tags: sea"],
    );

    let url = app.site.article("/harbour");
    let passages = planner.ask("find", json!({"id": url, "query": "town"})).await;
    planner.finish("what does this page say about the town", &passages, &["passage", "[p"]);

    let account = planner.ask("account", json!({})).await;
    planner.finish("how many feeds can I follow", &account, &["Plan: pro.", "followed feeds:"]);

    let more = planner.ask("more_tools", json!({"set": "library"})).await;
    assert!(more.contains("- delete_tag:"), "{more}");
    planner.agent.call("delete_tag", json!({"name": "home"})).await;
    planner.calls += 1;
    planner.finish("delete the tag home", &more, &[]);
}

async fn long_source(app: &TestApp, planner: &mut Planner<'_>) {
    let paragraph =
        |n: u32| format!("<p>Paragraph {n} describes desks and their readers, at some length.</p>");
    let paragraphs = (0..400).map(paragraph).collect::<Vec<_>>().concat();
    let body = format!("<title>Long</title><article><h1>Long</h1>{paragraphs}</article>");
    let url = app.site.put("/long", Reply::html(body));
    let start = planner.ask("fetch", json!({"id": url, "maxTokens": 500})).await;
    assert!(extract::tokens::count(&start) <= 600, "{start}");
    let next = json!({"id": url, "cursor": cursor(&start, "More: call read"), "maxTokens": 500});
    let window = planner.ask("read", next).await;
    assert!(!window.contains("outline:") && window.contains("Paragraph"), "{window}");
    let last = cursor(&window, "More: call again");
    let rest = planner.ask("read", json!({"id": url, "cursor": last, "maxTokens": 18_000})).await;
    planner.finish("read the long page", &rest, &["Paragraph 399", "This is the last page."]);
}

/// Feed with dated entries, the seventh of which has a long text.
fn gazette() -> Reply {
    let item = |n: u32| {
        let words = if n == 7 { 900 } else { n };
        format!(
            "<item><title>Report {n}</title><link>https://gazette.example/{n}</link><guid>r{n}</guid>\
             <pubDate>2026-11-{:02}T10:00:00Z</pubDate><description>{}</description></item>",
            n + 10,
            format!("Report {n} on barges. ").repeat(usize::try_from(words).unwrap())
        )
    };
    let items: String = (1..=9).map(item).collect();
    let body = format!(
        "<rss version=\"2.0\"><channel><title>Gazette</title><link>https://gazette.example/</link>{items}</channel></rss>"
    );
    Reply::bytes("application/rss+xml", body.into_bytes())
}

async fn collections(app: &TestApp, planner: &mut Planner<'_>) {
    let feed = app.site.put("/gazette.xml", gazette());
    let site = app.site.put(
        "/gazette",
        Reply::html(format!(
            "<html><head><title>Gazette</title><link rel=alternate type=application/rss+xml href=\"{feed}\">\
             </head><body><p>Read the Gazette.</p></body></html>"
        )),
    );
    let followed = planner.ask("follow", json!({"url": site, "collection": "Papers"})).await;
    planner.finish(
        "find the feed of this site and follow it in the collection Papers",
        &followed,
        &["Followed.", "It is in a new collection of this name.", "/gazette.xml"],
    );

    poll(app).await;
    // The host may not be fetched again immediately.
    app.clock.advance(HOUR);
    poll(app).await;
    let news = planner.ask("list_updates", json!({"source": "Papers"})).await;
    planner.finish("what is new in the collection Papers", &news, &["9 of 9 unread", "Report 9"]);

    let list = planner.ask("list_updates", json!({"source": "Papers", "order": "longest", "limit": 3})).await;
    let longest = references(&list, "entry:");
    assert!(list.contains("longest first") && list.contains("Report 7"), "{list}");
    let fetched = json!({"id": longest[0], "moreIds": [longest[1], longest[2]], "maxTokens": 2_000});
    let texts = planner.ask("fetch", fetched).await;
    assert_eq!(texts.matches("<untrusted>").count(), 3, "{texts}");
    planner.finish(
        "summarise the three longest unread entries",
        &texts,
        &["# Report 7", "# Report 9", "# Report 8"],
    );

    let list = planner.ask("list_following", json!({})).await;
    let row = list.lines().find(|line| line.contains("Gazette")).unwrap_or_else(|| panic!("{list}"));
    let id = first(row, "feed:");
    let marked = planner.ask("mark", json!({"source": id, "before": "2026-11-15"})).await;
    planner.finish(
        "mark everything of the Gazette before the 15th as read",
        &marked,
        &["4 unread entries are now read."],
    );
    let rest = planner.agent.ask("list_updates", json!({"source": id})).await;
    assert!(rest.contains("5 of 5 unread") && !rest.contains("Report 4"), "{rest}");
    let all = planner.agent.ask("list_updates", json!({"source": id, "state": "all"})).await;
    assert!(all.contains("9 of 9 updates") && all.contains("Report 4"), "{all}");
}

/// Tasks on the library whose answers depend on exact words or previous values.
async fn corrections(app: &TestApp, who: &Person, planner: &mut Planner<'_>) {
    for (title, words) in [
        ("Barges", "Most barges are slow. The ferry Hesper carries forty barges a day."),
        ("Canals", "A canal is a slow road."),
    ] {
        let item = json!({"title": title, "content": words, "url": format!("https://example.org/{title}")});
        who.post(app, "/v1/library/items", &item).await.expect(201);
    }
    let list = planner.ask("search", json!({"query": "Hesper", "in": "library"})).await;
    let id = first(&list, "item:");
    let quoted = planner.ask("find", json!({"id": id, "query": "ferry Hesper"})).await;
    planner.finish(
        "which of my saved articles mention the Hesper, quote the passage",
        &quoted,
        &["Barges", "The ferry Hesper carries forty barges a day."],
    );

    let list = planner.ask("search", json!({"query": "Hesper", "in": "library"})).await;
    let mark = json!({
        "id": first(&list, "item:"), "quote": "The ferry Hesper carries forty barges a day.", "text": "Forty?",
    });
    let highlight = planner.ask("annotate", mark).await;
    assert!(!highlight.contains("does not occur"), "{highlight}");
    planner.finish("highlight this sentence with a note", &highlight, &["Added highlight:"]);

    let tag = json!({"ids": [id], "addTags": ["boats"], "status": "later"});
    let tagged = planner.ask("organize", tag).await;
    let undo = tagged.lines().find_map(|line| line.strip_prefix("To undo it, call organize with "));
    let undo: Value = serde_json::from_str(undo.unwrap_or_else(|| panic!("{tagged}"))).unwrap();
    let undone = planner.ask("organize", undo).await;
    planner.finish("undo what you just tagged", &undone, &["1 item changed.", "(inbox; tags: none)"]);
}

/// Questions on pages, limits, and the agent itself.
async fn reports(app: &TestApp, who: &Person, planner: &mut Planner<'_>) {
    let shop = |price: &str| {
        Reply::html(format!("<html><body><h1>Oar</h1><b class=price>{price}</b></body></html>"))
    };
    let url = app.site.put("/oar", shop("120.00 €"));
    let watched = json!({"name": "Oar", "targetUrl": url, "targetType": "extract", "intervalMinutes": 360,
        "fields": [{"name": "price", "selector": ".price"}]});
    let monitor = create_monitor(app, who, &watched).await;
    advance_minute(app).await;
    app.site.put("/oar", shop("95.00 €"));
    assert_eq!(run_now(app, who, &monitor).await["outcome"], "changed");
    let week = kernel::rfc3339(app.app.domain.now() - 7 * DAY);
    let changes =
        planner.ask("list_updates", json!({"in": "changes", "state": "all", "after": &week[..10]})).await;
    planner.finish(
        "what changed on my monitors this week, and what was the old value",
        &changes,
        &["Harbour", "Oar", "120", "95"],
    );

    let account = planner.ask("account", json!({})).await;
    planner.finish(
        "what is left of my monthly credits",
        &account,
        &["monitor credits this month: ", " left"],
    );

    let name = identity::agents::ConnectionName::key(who.key_id);
    let count = async || identity::agents::calls(&app.app.domain, who.id, &name, 1_000).await.unwrap().len();
    eventually("the calls are recorded", &count, |count| *count > 40).await;
    let today = kernel::rfc3339(app.app.domain.now());
    app.clock.advance(DAY);
    let log = planner.ask("account", json!({"day": &today[..10]})).await;
    planner.finish(
        "show what the agent did yesterday",
        &log,
        &["tool calls on 2026-11-", " account (done)", " mark feed:", " organize item:"],
    );
}

#[test]
fn thirty_tasks_are_solved_with_few_calls_and_tokens() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        prepare(&app, &who).await;
        let mut planner = Planner::new(&app, &who);
        feeds(&mut planner).await;
        following(&app, &mut planner).await;
        pages(&app, &mut planner).await;
        library(&app, &mut planner).await;
        long_source(&app, &mut planner).await;
        collections(&app, &mut planner).await;
        corrections(&app, &who, &mut planner).await;
        reports(&app, &who, &mut planner).await;
        let (mut calls, mut tokens): (Vec<usize>, Vec<u32>) = planner.finished.into_iter().unzip();
        assert_eq!(calls.len(), TASKS);
        calls.sort_unstable();
        tokens.sort_unstable();
        let median = (calls[TASKS / 2], tokens[TASKS / 2]);
        assert!(median.0 <= MAX_MEDIAN.0 && median.1 <= MAX_MEDIAN.1, "{median:?}: {calls:?}, {tokens:?}");
        let most = (calls[TASKS - 1], tokens[TASKS - 1]);
        println!("median and maximum of {TASKS} tasks, in calls and tokens: {median:?}, {most:?}");
    });
}
