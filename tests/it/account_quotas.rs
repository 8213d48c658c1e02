//! Quotas that operators set for single accounts: their page, their effect on the API, and the page of the
//! plan.

use identity::accounts::{AccountRole, get, set_quotas, set_role};
use kernel::quotas::AccountQuotas;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::ITEMS;
use crate::support::browser::{Browser, between};
use crate::support::monitoring::{
    advance_minute, create_monitor, get_monitor, outcomes, page, path, watch_page,
};
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const SUBSCRIPTIONS: &str = "/v1/rss/subscriptions";

async fn limits(app: &TestApp, who: &Person) -> Value {
    who.get(app, "/v1/me").await.expect(200).json()["limits"].clone()
}

async fn set(app: &TestApp, who: &Person, quotas: AccountQuotas) {
    set_quotas(&app.app.domain, who.id, quotas, "the test").await.unwrap();
}

/// Submits the form of quotas on the current page of the browser.
async fn submit(browser: &mut Browser<'_>, path: &str, typed: &[(&str, &str)]) -> HttpAnswer {
    let revision = between(&browser.page, "name=\"revision\" value=\"", "\"").to_owned();
    let mut fields = typed.to_vec();
    fields.push(("revision", &revision));
    browser.submit(path, &fields).await
}

#[test]
fn quotas_of_an_account_are_set_and_removed_on_its_page() {
    on_each_world(async |app| {
        let (admin, who) = (Person::free(&app).await, Person::free(&app).await);
        set_role(&app.app.domain, &admin.email, AccountRole::Administrator).await.unwrap();
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        let path = format!("/admin/accounts/{}/quotas", who.id);
        let accounts = browser.open("/admin/accounts").await.expect(200).text();
        assert!(accounts.contains(&format!("href=\"{path}\"")), "{accounts}");
        let form = browser.open(&path).await.expect(200).text();
        assert!(form.contains("Plan: 250 MiB. In use: 0 MiB."), "{form}");
        assert!(!form.contains("Last changed"), "{form}");
        let wrong = [("storage", "much"), ("feeds", "-1"), ("monitors", ""), ("credits", "5")];
        let refused = submit(&mut browser, &path, &wrong).await.expect(200).text();
        assert!(refused.contains("There are 2 problems") && refused.contains("value=\"much\""), "{refused}");
        assert!(get(&app.app.domain, who.id).await.unwrap().quotas.is_empty());
        let given = [("storage", "5 GB"), ("feeds", "60"), ("monitors", ""), ("credits", "5")];
        let done = submit(&mut browser, &path, &given).await.expect(303);
        let form = browser.follow(&done).await;
        assert!(form.contains("Quotas saved.") && form.contains(&admin.email), "{form}");
        assert!(form.contains("value=\"5 GB\"") && form.contains("value=\"60\""), "{form}");
        let accounts = browser.open("/admin/accounts").await.expect(200).text();
        assert_eq!(accounts.matches("Custom quotas").count(), 1, "{accounts}");
        let now = limits(&app, &who).await;
        assert_eq!(now["libraryStorageBytes"], json!(5_000_000_000_u64));
        assert_eq!((&now["rssSubscriptions"], &now["webMonitors"]), (&json!(60), &json!(3)));
        assert_eq!(now["webMonitorMonthlyCredits"], json!(5));
        browser.open(&path).await.expect(200);
        submit(&mut browser, &path, &[]).await.expect(303);
        assert!(get(&app.app.domain, who.id).await.unwrap().quotas.is_empty());
        assert_eq!(limits(&app, &who).await["rssSubscriptions"], json!(50));
    });
}

#[test]
fn quotas_changed_by_another_operator_are_not_overwritten() {
    on_each_world(async |app| {
        let (admin, other, who) =
            (Person::free(&app).await, Person::free(&app).await, Person::free(&app).await);
        let path = format!("/admin/accounts/{}/quotas", who.id);
        for person in [&admin, &other] {
            set_role(&app.app.domain, &person.email, AccountRole::Administrator).await.unwrap();
        }
        let mut first = Browser::signed_in(&app, &admin).await;
        let mut second = Browser::signed_in(&app, &other).await;
        first.open(&path).await.expect(200);
        second.open(&path).await.expect(200);
        submit(&mut first, &path, &[("storage", "5 GB"), ("feeds", "60")]).await.expect(303);
        let refused = submit(&mut second, &path, &[("monitors", "7")]).await.expect(200).text();
        assert!(refused.contains("The quotas were changed in the meantime."), "{refused}");
        for current in ["value=\"5 GB\"", "value=\"60\"", admin.email.as_str()] {
            assert!(refused.contains(current), "{current} is missing in {refused}");
        }
        assert!(!refused.contains("value=\"7\""), "{refused}");
        let quotas = get(&app.app.domain, who.id).await.unwrap().quotas;
        assert_eq!((quotas.rss_subscriptions, quotas.web_monitors), (Some(60), None));
        // The same values are not a conflict, and the page has the revision for the next change.
        first.open(&path).await.expect(200);
        let same = [("storage", "5 GB"), ("feeds", "60"), ("monitors", "7")];
        submit(&mut second, &path, &same).await.expect(303);
        submit(&mut first, &path, &same).await.expect(303);
        let quotas = get(&app.app.domain, who.id).await.unwrap().quotas;
        assert_eq!((quotas.rss_subscriptions, quotas.web_monitors), (Some(60), Some(7)));
        first.open(&path).await.expect(200);
        // A form without revision belongs to an older page.
        let refused = first.submit(&path, &[]).await.expect(200).text();
        assert!(refused.contains("The quotas were changed in the meantime."), "{refused}");
    });
}

#[test]
fn quota_page_returns_404_unless_an_administrator_opens_it() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let path = format!("/admin/accounts/{}/quotas", who.id);
        let (mut stranger, mut own) = (Browser::new(&app), Browser::new(&app));
        own.sign_in(&who.email).await;
        stranger.open(&path).await.expect(404);
        own.open(&path).await.expect(404);
        app.get_with(&path, &[("x-api-key", &who.key)]).await.expect(404);
        own.open("/settings").await.expect(200);
        own.submit(&path, &[("monitors", "100")]).await.expect(404);
        assert!(get(&app.app.domain, who.id).await.unwrap().quotas.is_empty());
        set_role(&app.app.domain, &who.email, AccountRole::Administrator).await.unwrap();
        own.open(&path).await.expect(200);
        let other = "https://evil.example";
        assert_eq!(own.submit_from(other, &path, &[("monitors", "100")]).await.status, 403);
        own.open("/admin/accounts/00000000-0000-7000-8000-000000000000/quotas").await.expect(404);
    });
}

#[test]
fn quota_below_the_usage_deletes_nothing_and_refuses_additions() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let saved = who.save_texts(&app, 2).await;
        for name in ["/one.xml", "/two.xml"] {
            let url = app.site.put(name, feed(1..=2));
            who.post(&app, SUBSCRIPTIONS, &json!({ "url": url })).await.expect(201);
        }
        let first = watch_page(&app, &who, &app.site.put("/first", page("x"))).await;
        app.clock.advance(1_000);
        let second = watch_page(&app, &who, &app.site.put("/second", page("x"))).await;
        let quotas = AccountQuotas {
            rss_subscriptions: Some(1),
            web_monitors: Some(1),
            web_monitor_monthly_credits: None,
            library_storage_bytes: Some(1_000),
        };
        set(&app, &who, quotas).await;
        let text = json!({"content": "More words."});
        let refused = who.post(&app, ITEMS, &text).await.api_error(403, "storage_limit_reached");
        assert_eq!(refused["error"], "The library storage of this account is used up.");
        let url = app.site.put("/three.xml", feed(1..=2));
        let refused = who.post(&app, SUBSCRIPTIONS, &json!({ "url": url })).await;
        refused.api_error(403, "limit_reached");
        let body = json!({"name": "M", "targetUrl": app.site.put("/third", page("x"))});
        who.post(&app, "/v1/monitors", &body).await.api_error(403, "limit_reached");
        who.get(&app, &format!("{ITEMS}/{}", saved[0])).await.expect(200);
        let used = limits(&app, &who).await;
        assert_eq!((&used["rssSubscriptionsUsed"], &used["webMonitorsUsed"]), (&json!(2), &json!(2)));
        assert_eq!(used["libraryStorageRemainingBytes"], json!(0));
        assert_eq!(get_monitor(&app, &who, &first).await["status"], "active");
        assert_eq!(get_monitor(&app, &who, &second).await["pauseReason"], "plan_limit");
        who.send(&app, Method::DELETE, &format!("{ITEMS}/{}", saved[0])).await.expect(204);
        set(&app, &who, AccountQuotas::default()).await;
        who.post(&app, ITEMS, &text).await.expect(201);
        who.post(&app, SUBSCRIPTIONS, &json!({ "url": url })).await.expect(201);
        create_monitor(&app, &who, &body).await;
        assert_eq!(get_monitor(&app, &who, &second).await["status"], "active");
    });
}

#[test]
fn credit_quota_applies_to_runs_until_it_is_removed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let monitor = watch_page(&app, &who, &app.site.put("/harbour", page("x"))).await;
        let credits = |credits| AccountQuotas {
            web_monitor_monthly_credits: Some(credits),
            ..AccountQuotas::default()
        };
        set(&app, &who, credits(0)).await;
        let run = format!("{}/run", path(&monitor));
        let refused = who.send(&app, Method::POST, &run).await;
        refused.api_error(429, "monitor_credits_exhausted");
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, [""; 0], "the first run waits for credits");
        set(&app, &who, credits(10)).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        let now = limits(&app, &who).await;
        assert_eq!(now["webMonitorMonthlyCredits"], json!(10));
        let used = now["webMonitorMonthlyCreditsUsed"].as_u64().unwrap();
        assert_eq!(now["webMonitorMonthlyCreditsRemaining"], json!(10 - used));
    });
}

#[test]
fn preview_warns_if_its_monitor_exceeds_the_credit_quota() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/harbour", page("x"));
        let body = json!({"name": "Harbour", "targetUrl": url, "intervalMinutes": 1440});
        let warnings = async || {
            let preview = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
            preview["warnings"].to_string()
        };
        assert!(!warnings().await.contains("monthly_credits_exceeded"));
        let quotas = AccountQuotas { web_monitor_monthly_credits: Some(5), ..AccountQuotas::default() };
        set(&app, &who, quotas).await;
        assert!(warnings().await.contains("monthly_credits_exceeded"));
    });
}

#[test]
fn plan_page_lists_only_the_quotas_of_its_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let quotas = AccountQuotas {
            library_storage_bytes: Some(1 << 30),
            web_monitors: Some(1_500),
            ..AccountQuotas::default()
        };
        set(&app, &who, quotas).await;
        let words = "The operator of this service set these limits";
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let plan = browser.open("/settings/plan").await.expect(200).text();
        for part in [words, "1 GiB", "plan limit 250 MiB", "0 MiB of 1 GiB", "0 of 1,500"] {
            assert!(plan.contains(part), "{part} is missing in {plan}");
        }
        let mut browser = Browser::new(&app);
        browser.sign_in(&other.email).await;
        let plan = browser.open("/settings/plan").await.expect(200).text();
        assert!(!plan.contains(words) && plan.contains("0 MiB of 250 MiB"), "{plan}");
    });
}
