//! Tests of hubs (`WebSub`): discovery, verification, and signed messages.

use data_encoding::HEXLOWER;
use entities::feed_hub;
use entities::ids::FeedId;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::super::due;
use super::super::hubs::{HubDelivery, Verification, claim_due, verify};
use super::*;
use kernel::Code;
use kernel::clock::SECOND;

const HUB: &str = "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"hub\" href=\"https://hub.example.net/\"/>\
                   <atom:link rel=\"self\" href=\"https://feeds.example.org/news.xml\"/>";

async fn hub(domain: &Domain, feed_id: FeedId) -> feed_hub::Model {
    feed_hub::Entity::find_by_id(feed_id).one(domain.db().write()).await.unwrap().unwrap()
}

fn question(mode: &str, topic: &str) -> Verification {
    Verification {
        mode: mode.to_owned(),
        topic: topic.to_owned(),
        challenge: Some("chall".to_owned()),
        lease_seconds: Some(864_000),
    }
}

async fn deliver(domain: &Domain, token: &str, signature: Option<&str>, body: &[u8]) -> bool {
    let mut delivery = HubDelivery::begin(domain, token, signature).await.unwrap();
    for piece in body.chunks(3) {
        delivery.update(piece);
    }
    delivery.finish(domain).await.unwrap()
}

#[tokio::test]
async fn hub_lease_slows_polling_and_signed_message_makes_the_feed_due() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        let body = items(1..=3).replace("<title>News</title>", &format!("<title>News</title>{HUB}"));
        arrives(domain, mine.feed_id, &body).await;
        let noted = hub(domain, mine.feed_id).await;
        assert_eq!((noted.hub_url.as_str(), noted.topic_url.as_str()), ("https://hub.example.net/", FEED));
        assert_eq!(claim_due(domain).await.unwrap().len(), 1);
        assert_eq!(claim_due(domain).await.unwrap().len(), 0);

        let foreign = verify(domain, &noted.token, question("subscribe", "https://evil.example/")).await;
        assert_eq!(foreign.unwrap_err().code, Code::NotFound);
        assert_eq!(
            verify(domain, "guess", question("subscribe", FEED)).await.unwrap_err().code,
            Code::NotFound
        );
        assert_eq!(verify(domain, &noted.token, question("subscribe", FEED)).await.unwrap(), "chall");
        arrives(domain, mine.feed_id, &body).await;
        let next = row(domain, mine.feed_id).await.next_poll_at.unwrap();
        assert!((DAY - DAY / 10..=DAY).contains(&(next - domain.now())));

        let message = b"<rss/>";
        let mac = Hmac::<Sha256>::new_from_slice(noted.secret.as_bytes()).unwrap().chain_update(message);
        let signature = format!("sha256={}", HEXLOWER.encode(&mac.finalize().into_bytes()));
        for bad in [None, Some("sha256=00"), Some("sha1=abc"), Some(&signature[..40])] {
            assert!(!deliver(domain, &noted.token, bad, message).await);
        }
        assert!(!deliver(domain, &noted.token, Some(&signature), b"<rss />").await);
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, Some(next));
        assert!(deliver(domain, &noted.token, Some(&signature), message).await);
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, Some(domain.now()));

        // The same hub changes nothing, another hub starts the subscription over, and without a hub the
        // subscription stops.
        arrives(domain, mine.feed_id, &body).await;
        assert_eq!(hub(domain, mine.feed_id).await.token, noted.token);
        arrives(domain, mine.feed_id, &body.replace("hub.example.net", "other.example.net")).await;
        assert_eq!(hub(domain, mine.feed_id).await.state, "pending");
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        assert!(feed_hub::Entity::find_by_id(mine.feed_id).one(domain.db().read()).await.unwrap().is_none());
    }
}

/// The hub sends messages faster than a poll completes.
#[tokio::test]
async fn hub_messages_during_polls_lose_no_results_and_cause_another_poll() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        let body =
            |last| items(1..=last).replace("<title>News</title>", &format!("<title>News</title>{HUB}"));
        arrives(domain, mine.feed_id, &body(1)).await;
        let noted = hub(domain, mine.feed_id).await;
        let mac = Hmac::<Sha256>::new_from_slice(noted.secret.as_bytes()).unwrap().chain_update(b"news");
        let signature = format!("sha256={}", HEXLOWER.encode(&mac.finalize().into_bytes()));
        let announce = async || assert!(deliver(domain, &noted.token, Some(&signature), b"news").await);
        let mut number = 1;
        for _ in 0..3 {
            db.clock.advance(SECOND);
            announce().await;
            due::claim_batch(domain).await.unwrap().job.expect("the feed is due");
            number += 1;
            let polled = row(domain, mine.feed_id).await;
            let outcome = read(domain, mine.feed_id, answer(FEED, &body(number))).await;
            let result = result_of(domain, polled, outcome).await;
            for _ in 0..5 {
                db.clock.advance(SECOND);
                announce().await;
                assert!(due::claim_batch(domain).await.unwrap().job.is_none(), "the poll is still running");
            }
            write(domain, result).await;
            let stored = entries(domain, who, EntryFilter::default()).await.entries.len();
            assert_eq!(stored, usize::try_from(number).unwrap());
            assert_eq!(
                row(domain, mine.feed_id).await.next_poll_at,
                Some(domain.now()),
                "for the last message"
            );
        }
    }
}

#[tokio::test]
async fn hub_lease_is_renewed_before_it_expires() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        let body = items(1..=3).replace("<title>News</title>", &format!("<title>News</title>{HUB}"));
        arrives(domain, mine.feed_id, &body).await;
        let noted = hub(domain, mine.feed_id).await;
        verify(domain, &noted.token, question("subscribe", FEED)).await.unwrap();
        let active = hub(domain, mine.feed_id).await;
        db.clock.advance(8 * DAY);
        assert!(claim_due(domain).await.unwrap().is_empty());
        db.clock.advance(DAY + MINUTE);
        assert_eq!(claim_due(domain).await.unwrap().len(), 1);
        assert!(active.lease_until.unwrap() > domain.now());
        verify(domain, &noted.token, question("denied", FEED)).await.unwrap();
        assert_eq!(hub(domain, mine.feed_id).await.state, "failed");
    }
}

#[tokio::test]
async fn hub_without_tls_gets_no_secret() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        let named =
            |hub: &str| items(1..=3).replace("<title>News</title>", &format!("<title>News</title>{hub}"));
        arrives(domain, mine.feed_id, &named(&HUB.replace("https://hub", "http://hub"))).await;
        assert!(feed_hub::Entity::find_by_id(mine.feed_id).one(domain.db().read()).await.unwrap().is_none());
        assert!(claim_due(domain).await.unwrap().is_empty());
        let both = format!("{}{HUB}", HUB.replace("https://hub", "http://hub"));
        arrives(domain, mine.feed_id, &named(&both)).await;
        assert_eq!(hub(domain, mine.feed_id).await.hub_url, "https://hub.example.net/");
    }
}
