//! Tests of the local day of an account, which depends on the time zones of its channels.

use super::fixture::Fixture;
use crate::schedule;
use crate::*;
use kernel::Backend;
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;

on_both! {
    local_day_uses_the_zone_of_the_digest_or_the_chosen_zone,
}

async fn add(fixture: &Fixture, digest: &str, zone: &str) {
    let address = fixture.receiver.url("/hook");
    let destination = NewDestination { address: &address, ..NewDestination::default() };
    let settings = ChannelSettings {
        name: "Mine",
        digest,
        zone,
        account_news: false,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    };
    let new = NewChannel { kind: ChannelKind::Webhook, destination, settings };
    create(&fixture.domain, fixture.account_id, new).await.unwrap();
}

async fn local_day_uses_the_zone_of_the_digest_or_the_chosen_zone(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let domain = &fixture.domain;
    let other = person(domain, Tier::Pro).await;
    // These two zones never have the same day.
    let [east, west] = ["Pacific/Kiritimati", "Pacific/Honolulu"];
    let is = async |zone: &str| {
        let expected = schedule::local_day(domain.now(), zone);
        assert_eq!(local_day(domain, fixture.account_id).await.unwrap(), expected, "{zone}");
    };
    assert_ne!(schedule::local_day(domain.now(), east), schedule::local_day(domain.now(), west));
    is("UTC").await;
    add(&fixture, "", "").await;
    is("UTC").await;
    add(&fixture, "", east).await;
    is(east).await;
    add(&fixture, "08:00", west).await;
    is(west).await;
    let day = local_day(domain, other).await.unwrap();
    assert_eq!(day, schedule::local_day(domain.now(), "UTC"));
}
