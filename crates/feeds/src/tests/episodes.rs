//! Tests of the podcast data of stored entries, and of the playback positions of accounts, on both databases.

use entities::rss_playback;
use extract::feed::TranscriptFile;
use kernel::Code;

use super::*;

/// Returns a feed with episodes that have these numbers. `elements` is added to each episode.
fn show(numbers: impl IntoIterator<Item = u32>, elements: &str) -> String {
    let item = |n: u32| {
        format!(
            "<item><title>Episode {n}</title><guid isPermaLink=\"false\">e{n}</guid>\
             <pubDate>2026-01-01T10:{:02}:00Z</pubDate><description>Words</description>\
             <enclosure url=\"https://cdn.example/{n}.mp3\" type=\"audio/mpeg\" length=\"9\"/>{elements}</item>",
            n % 60
        )
    };
    let items: Vec<String> = numbers.into_iter().map(item).collect();
    format!(
        "<rss version=\"2.0\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel>\
         <title>Show</title>{}</channel></rss>",
        items.concat()
    )
}

async fn follower(domain: &Domain, body: &str) -> (AccountId, Subscription, Vec<Entry>) {
    let who = person(domain, Tier::Free).await;
    let mine = follows(domain, who, FEED).await;
    arrives(domain, mine.feed_id, body).await;
    let listed = entries(domain, who, EntryFilter::default()).await.entries;
    (who, mine, listed)
}

#[tokio::test]
async fn transcript_added_to_an_unchanged_episode_is_stored_without_an_event() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, mine, first) = follower(domain, &show(1..=2, "")).await;
        assert!(first.iter().all(|entry| entry.episode.is_none()));
        assert_eq!(first[0].enclosures[0].size_bytes, Some(9));
        db.clock.advance(90 * MINUTE);
        let transcript = "<podcast:transcript url=\"https://cdn.example/t.vtt\" type=\"text/vtt\"/>";
        let before = crate::log::last(domain.db().read()).await.unwrap();
        for _ in 0..2 {
            arrives(domain, mine.feed_id, &show(1..=2, transcript)).await;
        }
        let expected = TranscriptFile {
            url: "https://cdn.example/t.vtt".to_owned(),
            media_type: "text/vtt".to_owned(),
            language: None,
        };
        let second = entries(domain, who, EntryFilter::default()).await.entries;
        for entry in &second {
            let episode = entry.episode.as_ref().unwrap();
            assert_eq!(episode.transcripts, std::slice::from_ref(&expected));
        }
        let ids = |entries: &[Entry]| entries.iter().map(|entry| entry.id).collect::<Vec<_>>();
        assert_eq!(ids(&first), ids(&second));
        let after = crate::log::last(domain.db().read()).await.unwrap();
        assert_eq!(after, before, "readers see no change of the entry");
    }
}

#[tokio::test]
async fn file_added_to_or_replaced_in_an_unchanged_episode_is_stored_without_an_event() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let episode = |enclosure: &str| {
            format!(
                "<rss version=\"2.0\"><channel><title>Show</title><item><title>Episode</title>\
                 <guid isPermaLink=\"false\">e</guid><description>Notes</description>{enclosure}</item></channel></rss>"
            )
        };
        let file = |name: &str| {
            episode(&format!("<enclosure url=\"https://cdn.example/{name}.mp3\" type=\"audio/mpeg\"/>"))
        };
        let (who, mine, first) = follower(domain, &episode("")).await;
        assert!(first[0].enclosures.is_empty());
        let before = crate::log::last(domain.db().read()).await.unwrap();
        for name in ["one", "two"] {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &file(name)).await;
            let listed = entries(domain, who, EntryFilter::default()).await.entries;
            let url = format!("https://cdn.example/{name}.mp3");
            assert_eq!(listed.len(), 1);
            assert_eq!(listed[0].enclosures.len(), 1);
            assert_eq!((&listed[0].enclosures[0].url, &listed[0].url), (&url, &url));
        }
        let after = crate::log::last(domain.db().read()).await.unwrap();
        assert_eq!(after, before, "readers see no change of the entry");
    }
}

#[tokio::test]
async fn files_of_older_unchanged_episodes_are_retained_and_their_podcast_data_is_stored() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, mine, first) = follower(domain, &show(1..=12, "")).await;
        assert_eq!(first.len(), 12);
        db.clock.advance(90 * MINUTE);
        let chapters = "<podcast:chapters url=\"https://cdn.example/c.json\" type=\"application/json\"/>";
        let signed = show(1..=12, chapters).replace(".mp3\"", ".mp3?signature=x\"");
        arrives(domain, mine.feed_id, &signed).await;
        let listed = entries(domain, who, EntryFilter::default()).await.entries;
        assert_eq!(listed.len(), 12);
        assert!(listed.iter().all(|entry| entry.episode.is_some()));
        let retained = listed.iter().filter(|entry| !entry.enclosures[0].url.contains("signature")).count();
        assert_eq!(retained, 2, "the files of the newest ten entries are compared");
    }
}

#[tokio::test]
async fn podcast_data_withdrawn_from_an_unchanged_episode_is_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let chapters = "<podcast:chapters url=\"https://cdn.example/c.json\" type=\"application/json\"/>";
        let body = show(1..=2, chapters);
        let (who, mine, first) = follower(domain, &body).await;
        assert!(first.iter().all(|entry| entry.episode.is_some()));
        db.clock.advance(90 * MINUTE);
        arrives(domain, mine.feed_id, &body.replacen(chapters, "", 1)).await;
        let second = entries(domain, who, EntryFilter::default()).await.entries;
        for entry in &second {
            assert_eq!(entry.episode.is_some(), entry.title == "Episode 2", "{}", entry.title);
        }
        assert_eq!(second.len(), 2);
    }
}

#[tokio::test]
async fn recordings_filter_excludes_entries_without_recordings() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let text = "<item><title>Text</title><guid>t</guid><enclosure url=\"https://cdn.example/a.pdf\" type=\"application/pdf\"/></item>";
        let body = show(1..=2, "").replace("</channel>", &format!("{text}</channel>"));
        let (who, _, listed) = follower(domain, &body).await;
        assert_eq!(listed.len(), 3);
        let filter = EntryFilter { recordings_only: true, ..EntryFilter::default() };
        let recordings = entries(domain, who, filter).await.entries;
        assert_eq!(recordings.len(), 2);
        assert!(recordings.iter().all(|entry| entry.title.starts_with("Episode")));
    }
}

#[tokio::test]
async fn playback_position_is_stored_per_account_and_speed_is_reused() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, _, listed) = follower(domain, &show(1..=2, "")).await;
        let (one, two) = (listed[0].id, listed[1].id);
        let start = Playback { position_seconds: 0, speed_percent: 100 };
        assert_eq!(playback(domain, who, one).await.unwrap(), start);
        let mut stopped = Playback { position_seconds: 754, speed_percent: 150 };
        for position_seconds in [10, 754] {
            stopped.position_seconds = position_seconds;
            save_playback(domain, who, one, stopped).await.unwrap();
        }
        assert_eq!(playback(domain, who, one).await.unwrap(), stopped);
        assert_eq!(playback(domain, who, two).await.unwrap(), Playback { position_seconds: 0, ..stopped });
        let stranger = person(domain, Tier::Free).await;
        assert_eq!(playback(domain, stranger, one).await.unwrap(), start);
        let refused = save_playback(domain, stranger, one, stopped).await.unwrap_err();
        assert_eq!(refused.code, Code::NotFound);
        for wrong in [
            Playback { position_seconds: u32::MAX, ..stopped },
            Playback { speed_percent: 0, ..stopped },
            Playback { speed_percent: 9_000, ..stopped },
        ] {
            let refused = save_playback(domain, who, one, wrong).await.unwrap_err();
            assert_eq!(refused.code, Code::InvalidRequest, "{wrong:?}");
        }
    }
}

#[tokio::test]
async fn playback_positions_beyond_the_last_thousand_are_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, mine, listed) = follower(domain, &show(1..=1, "")).await;
        insert_entries(domain, mine.feed_id, 1..=1_001).await;
        let sql = format!(
            "INSERT INTO rss_playback (account_id, entry_id, position_seconds, speed_percent, updated_at) \
             SELECT s.account_id, e.id, 1, 100, e.id FROM rss_subscription s JOIN feed_entry e ON e.feed_id = s.feed_id \
             WHERE s.id = {} AND e.id <> {}",
            mine.id, listed[0].id
        );
        domain.db().write().execute_unprepared(&sql).await.unwrap();
        let last = Playback { position_seconds: 5, speed_percent: 100 };
        save_playback(domain, who, listed[0].id, last).await.unwrap();
        let rows = rss_playback::Entity::owned_by(who).all(domain.db().read()).await.unwrap();
        assert_eq!(rows.len(), 1_000);
        assert!(rows.iter().any(|row| row.entry_id == listed[0].id));
    }
}
