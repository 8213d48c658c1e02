//! Feed fixtures, and polling of feeds.

use super::{Reply, TestApp};

/// Creates a reply with a feed that has one entry per number.
pub(crate) fn feed(numbers: std::ops::RangeInclusive<u32>) -> Reply {
    Reply::bytes("application/rss+xml", document(numbers).into_bytes())
}

/// Creates an RSS document with one entry per number.
pub(crate) fn document(numbers: std::ops::RangeInclusive<u32>) -> String {
    let item = |n: u32| {
        format!(
            "<item><title>Note {n}</title><link>https://example.org/{n}?utm_source=rss</link>\
             <guid isPermaLink=\"false\">g{n}</guid><pubDate>2026-11-{:02}T10:00:00Z</pubDate>\
             <description>&lt;p&gt;Words of {n}&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</description></item>",
            n % 28 + 1
        )
    };
    let items: Vec<String> = numbers.map(item).collect();
    format!(
        "<rss version=\"2.0\"><channel><title>Harbour</title><link>https://example.org/</link>{}</channel></rss>",
        items.concat()
    )
}

/// Advances the clock by three seconds, then submits and runs all due jobs.
pub(crate) async fn poll(app: &TestApp) {
    app.clock.advance(3_000);
    app.tick().await;
    app.run_jobs().await;
}
