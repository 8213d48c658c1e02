//! Pages for operators: access, a list of ten thousand jobs, and actions on jobs and job kinds.

use std::time::{Duration, Instant};

use application::operators;
use identity::accounts::{AccountRole, set_role};
use jobs::{JobFilter, JobKind, JobState, NewJob};
use kernel::testing::{random_id, series};
use kernel::{Code, Domain};
use reqwest::Method;
use sea_orm::ConnectionTrait;

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run};

/// All operator pages.
const PAGES: [&str; 7] = [
    "/admin",
    "/admin/kinds/mail/limits",
    "/admin/jobs",
    "/admin/jobs?kind=mail&state=failed",
    "/admin/schedules",
    "/admin/accounts",
    "/admin/hosts",
];

async fn administrator(app: &TestApp) -> Person {
    let who = Person::free(app).await;
    set_role(&app.app.domain, &who.email, AccountRole::Administrator).await.unwrap();
    who
}

/// Inserts ten thousand jobs, two thousand in each state.
async fn ten_thousand_jobs(domain: &Domain) {
    let (backend, now) = (domain.db().backend(), domain.now());
    for (at, state) in ["ready", "running", "complete", "failed", "dead"].into_iter().enumerate() {
        let finished = if at < 2 { "NULL" } else { "{now}" };
        let lease = if state == "running" { "{now} * 2" } else { "NULL" };
        let sql = format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, lease_until, worker, \
             error_code, error_message, created_at, finished_at) SELECT {}, \
             CASE n % 3 WHEN 0 THEN 'mail' WHEN 1 THEN 'feed_poll' ELSE 'extraction' END, '{state}' || n, '{{\"n\":1}}', 0, \
             {{now}} - n, '{state}', 1, 1, {lease}, 'w', CASE WHEN {at} > 2 THEN 'internal_error' END, 'It failed.', \
             {{now}}, {finished} FROM {}",
            random_id(backend),
            series(backend, 2_000)
        );
        let sql = sql.replace("{now}", &now.to_string());
        domain.db().write().execute_unprepared(&sql).await.unwrap();
    }
}

#[test]
fn admin_pages_are_visible_to_operators_only() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_ADMIN_TOKEN", "a-long-admin-token").spawn().await;
        let (person, admin) = (Person::free(&app).await, administrator(&app).await);
        let (mut stranger, mut browser) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&person.email).await;
        let elsewhere = stranger.open("/settings/nothing-of-the-kind").await.expect(404).text();
        for page in PAGES {
            assert_eq!(stranger.open(page).await.expect(404).text(), elsewhere, "{page}");
            browser.open(page).await.expect(404);
            app.get_with(page, &[("authorization", "Bearer wrong")]).await.expect(404);
            app.get_with(page, &[("x-api-key", &admin.key)]).await.expect(404);
            app.get_with(page, &[("authorization", "Bearer a-long-admin-token")]).await.expect(200);
        }
        browser.open("/settings").await.expect(200);
        browser.submit("/admin/kinds/mail/pause", &[]).await.expect(404);
        assert!(jobs::paused(&app.app.domain).await.unwrap().is_empty());
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        for page in PAGES {
            browser.open(page).await.expect(200);
        }
        assert!(browser.open("/settings").await.expect(200).text().contains("href=\"/admin\""));
        set_role(&app.app.domain, &admin.email, AccountRole::Person).await.unwrap();
        browser.open("/admin").await.expect(404);
    });
}

#[test]
fn ten_thousand_jobs_are_listed_in_pages_within_seconds() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let admin = administrator(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        ten_thousand_jobs(domain).await;
        let kinds = open_within_seconds(&mut browser, "/admin").await;
        assert!(kinds.contains("<title>Jobs · Administration · Carrel</title>"), "{kinds}");
        assert_eq!(kinds.matches("<svg class=\"spark\"").count(), JobKind::ALL.len());
        assert!(kinds.contains("Send mail") && kinds.contains("oldest"), "{kinds}");
        assert!(kinds.len() < JobKind::ALL.len() * 2_000, "{} bytes", kinds.len());
        let (mut path, mut seen) = ("/admin/jobs?kind=mail&state=failed".to_owned(), Vec::new());
        loop {
            let page = open_within_seconds(&mut browser, &path).await;
            let ids = page.split("name=\"job\" value=\"").skip(1).map(|rest| rest[..36].to_owned());
            seen.extend(ids);
            let Some((before, _)) = page.split_once("\" rel=\"next\"") else { break };
            path = before.rsplit_once("href=\"").unwrap().1.replace("&amp;", "&");
        }
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((count, seen.len()), (666, 666), "each job is listed once");
        for state in ["ready", "running", "complete", "dead"] {
            let path = format!("/admin/jobs?kind=&state={state}");
            let page = open_within_seconds(&mut browser, &path).await;
            assert_eq!(page.matches("name=\"job\" value=\"").count(), 50, "{state}");
        }
    });
}

/// Opens a page that does not take long. On a busy machine, a single answer may be late.
async fn open_within_seconds(browser: &mut Browser<'_>, path: &str) -> String {
    for _ in 0..5 {
        let begin = Instant::now();
        let page = browser.open(path).await.expect(200).text();
        if begin.elapsed() < Duration::from_secs(3) {
            return page;
        }
    }
    panic!("{path} takes longer than three seconds")
}

#[test]
fn jobs_are_retried_and_cancelled_in_bulk_after_confirmation() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let admin = administrator(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        jobs::pause(domain, JobKind::FeedHub, "the test").await.unwrap();
        let mut ids = Vec::new();
        for key in ["a", "b", "c"] {
            let job = NewJob::new(JobKind::FeedHub, key).run_at(domain.now() + 60_000);
            ids.push(jobs::submit(domain.db().write(), domain, job).await.unwrap().id);
        }
        let state = async |at: usize| jobs::get(domain, ids[at]).await.unwrap().unwrap().state;
        let (one, two) = (ids[0].to_string(), ids[1].to_string());
        browser.open("/admin/jobs").await.expect(200);
        let confirmation =
            browser.submit("/admin/jobs", &[("do", "cancel"), ("job", &one)]).await.expect(200).text();
        assert!(confirmation.contains("Cancel jobs?") && confirmation.contains("1 job."), "{confirmation}");
        assert_eq!(state(0).await, JobState::Ready, "the job is cancelled only after confirmation");
        let sure = [("do", "cancel"), ("job", one.as_str()), ("job", two.as_str()), ("sure", "yes")];
        let done = browser.submit("/admin/jobs", &sure).await.expect(303);
        assert_eq!(done.header("location"), "/admin/jobs?kind=&state=&done=2&left=0");
        assert_eq!(
            (state(0).await, state(1).await, state(2).await),
            (JobState::Failed, JobState::Failed, JobState::Ready)
        );
        let page = browser.open(&format!("/admin/jobs/{one}")).await.expect(200).text();
        assert!(page.contains("cancelled") && page.contains("Retry"), "{page}");
        browser
            .submit("/admin/jobs", &[("do", "retry"), ("job", &one), ("kind", "feed_hub")])
            .await
            .expect(303);
        assert_eq!(state(0).await, JobState::Ready);
        let live = browser.open(done.header("location")).await.expect(200).text();
        assert!(live.contains("2 jobs were updated."), "{live}");
        let all = [("do", "retry-all"), ("kind", "feed_hub"), ("state", "failed"), ("sure", "yes")];
        browser.submit("/admin/jobs", &all).await.expect(303);
        assert_eq!(state(1).await, JobState::Ready);
        browser.open("/admin/jobs").await.expect(200);
        let unchosen = [("do", "cancel-all"), ("kind", ""), ("state", ""), ("sure", "yes")];
        browser.submit("/admin/jobs", &unchosen).await.expect(422);
        assert_eq!(state(2).await, JobState::Ready, "an empty selection does not mean all jobs");
        browser.open("/admin/jobs").await.expect(200);
        let elsewhere = browser.submit_from("https://evil.example", "/admin/jobs", &sure).await;
        assert_eq!((elsewhere.status, state(0).await), (403, JobState::Ready));
        browser.open("/admin/jobs/00000000-0000-7000-8000-000000000000").await.expect(404);
    });
}

#[test]
fn jobs_of_a_paused_kind_wait_until_it_is_resumed() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let admin = administrator(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        browser.open("/admin").await.expect(200);
        browser.submit("/admin/kinds/extraction/pause", &[]).await.expect(303);
        let page = browser.open("/admin?paused").await.expect(200).text();
        assert!(page.contains("Paused") && page.contains(&admin.email), "{page}");
        let job = NewJob::new(JobKind::Extraction, "https://a.example/");
        let job = app.app.engine.submit(job).await.unwrap();
        app.tick().await;
        app.tick().await;
        let waiting = jobs::get(domain, job.id).await.unwrap().unwrap();
        assert_eq!((waiting.state, waiting.attempts), (JobState::Ready, 0));
        browser.submit("/admin/kinds/extraction/resume", &[]).await.expect(303);
        app.tick().await;
        app.run_jobs().await;
        let ran = jobs::get(domain, job.id).await.unwrap();
        assert!(ran.is_none_or(|job| job.attempts > 0), "the job was started");
        browser.open("/admin").await.expect(200);
        browser.submit("/admin/kinds/nothing/pause", &[]).await.expect(404);
        browser.open("/admin/kinds/mail/pause").await.expect(404);
    });
}

#[test]
fn limits_of_a_kind_are_set_and_removed_on_its_page() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let admin = administrator(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        let address = "/admin/kinds/mail/limits";
        let page = browser.open(address).await.expect(200).text();
        assert!(page.contains("No limits are set") && page.contains("120 seconds"), "{page}");
        let wrong = [("running", "0"), ("starts", "many"), ("seconds", "30")];
        let page = browser.submit(address, &wrong).await.expect(200).text();
        assert!(page.contains("There are 2 problems") && page.contains("value=\"many\""), "{page}");
        assert_eq!(jobs::limits(domain).await.unwrap(), []);
        let given = [("running", "2"), ("starts", ""), ("seconds", "30")];
        browser.submit(address, &given).await.expect(303);
        let set = jobs::limits(domain).await.unwrap().pop().unwrap();
        assert_eq!((set.most_running, set.starts_a_minute, set.max_run_ms), (Some(2), None, Some(30_000)));
        assert_eq!(set.set_by, admin.email);
        let page = browser.open(address).await.expect(200).text();
        assert!(page.contains("value=\"2\"") && page.contains(&admin.email), "{page}");
        assert!(
            browser
                .open("/admin")
                .await
                .expect(200)
                .text()
                .contains("Limited: at most 2 at once, at most 30 seconds a run")
        );
        browser.submit(address, &[]).await.expect(303);
        assert_eq!(jobs::limits(domain).await.unwrap(), []);
        browser.open("/admin/kinds/nothing/limits").await.expect(404);
    });
}

#[test]
fn admin_token_needs_no_form_token_and_completions_are_plotted() {
    run(async {
        let mut app =
            Setup::on(World::Small).set("CARREL_ADMIN_TOKEN", "a-long-admin-token").idle().spawn().await;
        let domain = app.app.domain.clone();
        let bearer = ("authorization", "Bearer a-long-admin-token");
        let form = ("content-type", "application/x-www-form-urlencoded");
        app.send(Method::POST, "/admin/kinds/mail/pause", &[bearer, form], Some(String::new()))
            .await
            .expect(303);
        assert_eq!(jobs::paused(&domain).await.unwrap()[0].paused_by, "the operator's token");
        let read = app.site.article("/town");
        app.start_workers().await;
        app.read(&read, &[]).await.expect(200);
        app.run_jobs().await;
        app.app.engine.write_completion_counts().await;
        let kinds = operators::kinds(&domain).await.unwrap();
        let extraction = kinds.iter().find(|state| state.kind == JobKind::Extraction).unwrap();
        assert_eq!(extraction.done.last(), Some(&1));
        let page = app.get_with("/admin", &[bearer]).await.expect(200).text();
        assert!(
            page.contains("Read a page, completed over the last hour: from 0 to 1 per minute, at most 1"),
            "{page}"
        );
        let failed = JobFilter { state: Some(JobState::Failed), ..JobFilter::default() };
        assert!(jobs::list(&domain, &failed).await.unwrap().is_empty());
    });
}

#[test]
fn schedules_accounts_and_hosts_are_listed() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let admin = administrator(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&admin.email).await;
        let error = Err(kernel::Error::new(Code::Internal, "The disk is full."));
        jobs::record_cleanup_run(domain, "monitor runs", Duration::from_millis(12), &Ok(345)).await.unwrap();
        jobs::record_cleanup_run(domain, "mail", Duration::from_millis(1), &error).await.unwrap();
        let schedules = browser.open("/admin/schedules").await.expect(200).text();
        for words in ["Monitor runs", "345", "12 ms", "The disk is full.", "none yet", "Next run"] {
            assert!(schedules.contains(words), "{words} is missing in {schedules}");
        }
        let accounts = browser.open("/admin/accounts").await.expect(200).text();
        assert!(accounts.contains(&admin.email) && accounts.contains("Administrator"), "{accounts}");
        let none = browser.open("/admin/accounts?begins=nobody-begins-so").await.expect(200).text();
        assert!(none.contains("No accounts match."), "{none}");
        let sql = format!(
            "INSERT INTO host_pause (host, url_hash, asked_at, paused_until) VALUES ('busy.example', 1, {0}, {0} + 7200000)",
            domain.now()
        );
        domain.db().write().execute_unprepared(&sql).await.unwrap();
        let hosts = browser.open("/admin/hosts").await.expect(200).text();
        assert!(hosts.contains("busy.example") && hosts.contains("in 2 hours"), "{hosts}");
    });
}

#[test]
fn administration_is_in_the_language_of_the_administrator() {
    on_each_world(async |app| {
        let admin = administrator(&app).await;
        let domain = &app.app.domain;
        let error = Err(kernel::Error::internal("no table"));
        jobs::record_cleanup_run(domain, "mail", Duration::from_millis(1), &error).await.unwrap();
        let mut browser = Browser::in_language(&app, &admin, "de").await;
        browser.open("/admin/kinds/mail/limits").await.expect(200);
        let wrong = browser.submit("/admin/kinds/mail/limits", &[("running", "0")]).await.expect(200).text();
        assert!(wrong.contains("Gib für gleichzeitige Aufträge eine ganze Zahl"), "{wrong}");
        browser.submit("/admin/kinds/mail/limits", &[("running", "2"), ("seconds", "30")]).await.expect(303);
        let accounts = browser.open("/admin/accounts").await.expect(200).text();
        let quotas = format!("/admin/accounts/{}", between(&accounts, "href=\"/admin/accounts/", "\""));
        for (path, words) in [
            ("/admin", "Längste Wartezeit"),
            ("/admin", "höchstens 2 gleichzeitig, höchstens 30 Sekunden pro Lauf"),
            ("/admin/jobs", "Alle Zustände"),
            ("/admin/kinds/mail/limits", "Limits von „E-Mail senden“"),
            ("/admin/accounts", "E-Mail-Adresse beginnt mit"),
            ("/admin/hosts", "Kein Server ist pausiert."),
            ("/admin/schedules", "Nächster Lauf"),
            ("/admin/schedules", "Läufe von Wächtern"),
            ("/admin/schedules", "Der Dienst kann zurzeit nicht antworten."),
            (quotas.as_str(), "Speicher der Bibliothek"),
        ] {
            let page = browser.open(path).await.expect(200).text();
            assert!(page.contains("<html lang=\"de\"") && page.contains(words), "{path}: {page}");
            assert!(page.contains(" · Verwaltung · Carrel</title>"), "{path}: {page}");
            assert!(!page.contains("lang=\"en\""), "{path}: {page}");
        }
        let page = browser.open(&quotas).await.expect(200).text();
        let revision = between(&page, "name=\"revision\" value=\"", "\"");
        let set = browser.submit(&quotas, &[("feeds", "60"), ("revision", revision)]).await.expect(303);
        assert!(browser.follow(&set).await.contains("Kontingente gesetzt. Sie gelten sofort."));
    });
}
