//! Local day of an account by the time zones of its channels.

use super::setting::Setting;
use crate::schedule;
use crate::*;
use kernel::Backend;
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;

on_both! {
    day_is_that_of_a_digest_or_of_a_chosen_zone,
}

async fn add(setting: &Setting, digest: &str, zone: &str) {
    let address = setting.receiver.url("/hook");
    let destination = NewDestination { address: &address, ..NewDestination::default() };
    let settings = ChannelSettings {
        name: "Mine",
        digest,
        zone,
        account_news: false,
        digest_today: false,
        digest_review: false,
    };
    let new = NewChannel { kind: ChannelKind::Webhook, destination, settings };
    create(&setting.domain, setting.account_id, new).await.unwrap();
}

async fn day_is_that_of_a_digest_or_of_a_chosen_zone(backend: Backend) {
    let setting = Setting::on(backend, Tier::Pro).await;
    let domain = &setting.domain;
    let other = person(domain, Tier::Pro).await;
    // These two zones never have the same day.
    let [east, west] = ["Pacific/Kiritimati", "Pacific/Honolulu"];
    let is = async |zone: &str| {
        let expected = schedule::local_day(domain.now(), zone);
        assert_eq!(local_day(domain, setting.account_id).await.unwrap(), expected, "{zone}");
    };
    assert_ne!(schedule::local_day(domain.now(), east), schedule::local_day(domain.now(), west));
    is("UTC").await;
    add(&setting, "", "").await;
    is("UTC").await;
    add(&setting, "", east).await;
    is(east).await;
    add(&setting, "08:00", west).await;
    is(west).await;
    let day = local_day(domain, other).await.unwrap();
    assert_eq!(day, schedule::local_day(domain.now(), "UTC"));
}
