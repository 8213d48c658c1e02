//! Tags that the language model attaches to new items and, if the account has chosen it, to imported items.

use entities::model_choice;
use jobs::{JobKind, NewJob};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::language_model::{
    COMPLETIONS, SETTINGS, answer, count_rows, save, summary_path, switch_on, with_model,
};
use crate::library_account_export;
use crate::library_imports;
use crate::support::browser::Browser;
use crate::support::clock::{DAY, MINUTE};
use crate::support::person::Person;
use crate::support::{Reply, Site, TestApp, World, run};

const MODEL_TAGS: &str = "/v1/library/model-tags";
const TAGS_PAGE: &str = "/settings/model/tags";

/// Switches the model on, and saves these choices. Returns the browser.
async fn choose<'a>(app: &'a TestApp, who: &Person, choices: &[(&str, &str)]) -> Browser<'a> {
    let mut browser = switch_on(app, who).await;
    save_choices(&mut browser, choices).await;
    browser
}

async fn save_choices(browser: &mut Browser<'_>, choices: &[(&str, &str)]) {
    browser.open(SETTINGS).await.expect(200);
    let fields: Vec<(&str, &str)> = [("act", "choose")].into_iter().chain(choices.iter().copied()).collect();
    browser.submit(SETTINGS, &fields).await.expect(303);
}

/// Runs the jobs that become due within four minutes.
async fn run_next_jobs(app: &TestApp) {
    for _ in 0..2 {
        app.clock.advance(2 * MINUTE);
        app.tick().await;
        app.run_jobs().await;
    }
}

async fn tags_of(app: &TestApp, who: &Person, item: &str) -> Value {
    let item = who.get(app, &format!("/v1/library/items/{item}")).await.expect(200).json();
    item["item"]["tags"].clone()
}

fn model_tags_path(item: &str) -> String {
    format!("/v1/library/items/{item}/model-tags")
}

async fn model_tags_of(app: &TestApp, who: &Person, item: &str) -> Value {
    who.get(app, &model_tags_path(item)).await.expect(200).json()["modelTags"].clone()
}

/// Adds tags to items, or removes them.
async fn change_tags(app: &TestApp, who: &Person, ids: &[&str], changes: &Value) {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    let body = json!({ "ids": ids, "changes": changes }).to_string();
    app.send(Method::PATCH, "/v1/library/items", &headers, Some(body)).await.expect(200);
}

#[test]
fn existing_tags_are_attached_to_new_items_if_chosen_and_removed_with_one_button() {
    run(async {
        for world in World::ALL {
            let stub = Site::start();
            stub.put(
                COMPLETIONS,
                answer(&json!({"tags": ["theft", "coast", "Sea"], "delete": "everything"})),
            );
            let app = with_model(world, &stub).spawn().await;
            let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
            let tagged = json!({"content": "Tides.", "title": "Tides", "tags": ["Coast", "sea"]});
            let old = save(&app, &who, &tagged).await;
            let mut browser = choose(&app, &who, &[("attachTags", "1"), ("excludedTags", "Private")]).await;
            let item = save(&app, &who, &json!({"content": "The harbour gets lamps.", "title": "New"})).await;
            let secret = json!({"content": "A secret.", "title": "Secret", "tags": ["private"]});
            let secret = save(&app, &who, &secret).await;
            run_next_jobs(&app).await;
            assert_eq!(stub.hits(COMPLETIONS), 1, "neither an old nor an excluded item is sent");
            assert_eq!(tags_of(&app, &who, &item).await, json!(["Coast", "sea"]));
            assert_eq!(model_tags_of(&app, &who, &item).await, json!(["Coast", "sea"]));
            assert_eq!(model_tags_of(&app, &who, &old).await, json!([]), "a person added them");
            assert_eq!(tags_of(&app, &who, &secret).await, json!(["private"]));
            let summary = who.get(&app, &summary_path(&item)).await.expect(200).json()["summary"].clone();
            assert_eq!((&summary["parts"], &summary["state"]), (&json!("tags"), &json!("ready")));
            assert_eq!(summary["text"], Value::Null);
            let body: Value = serde_json::from_str(&stub.requests()[0].body).unwrap();
            let rules = body["messages"][0]["content"].as_str().unwrap();
            assert!(rules.starts_with("Choose at most five tags") && !rules.contains("summar"), "{rules}");

            other.get(&app, &model_tags_path(&item)).await.api_error(404, "not_found");
            other.send(&app, Method::DELETE, &model_tags_path(&item)).await.api_error(404, "not_found");
            assert_eq!(app.send(Method::DELETE, &model_tags_path(&item), &[], None).await.status, 401);
            let page = browser.open(&format!("/library/{item}")).await.expect(200).text();
            assert!(
                page.contains("Tags added by the language model:") && page.contains("Remove these tags"),
                "{page}"
            );
            browser.submit(&format!("/library/{item}/model-tags"), &[]).await.expect(303);
            assert_eq!(tags_of(&app, &who, &item).await, json!([]));
            assert_eq!(tags_of(&app, &who, &old).await, json!(["Coast", "sea"]));
            let page = browser.open(&format!("/library/{item}")).await.expect(200).text();
            assert!(!page.contains("Tags added by the language model:"), "{page}");
        }
    });
}

#[test]
fn tags_of_the_model_are_removed_and_tags_of_the_person_remain() {
    run(async {
        for world in World::ALL {
            let stub = Site::start();
            stub.put(COMPLETIONS, answer(&json!({"summary": "Lamps.", "tags": ["Harbour", "Lamps"]})));
            let app = with_model(world, &stub).spawn().await;
            let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
            let chosen = [("attachTags", "1"), ("automatic", "1"), ("newTags", "1")];
            let mut browser = choose(&app, &who, &chosen).await;
            drop(choose(&app, &other, &chosen).await);
            let first = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
            let second =
                save(&app, &who, &json!({"content": "The town gets bread.", "tags": ["Bread"]})).await;
            let foreign = save(&app, &other, &json!({"content": "The diary gets ink."})).await;
            run_next_jobs(&app).await;
            assert_eq!(stub.hits(COMPLETIONS), 3, "summary and tags are one request");
            let summary = who.get(&app, &summary_path(&first)).await.expect(200).json()["summary"].clone();
            assert_eq!((&summary["parts"], &summary["text"]), (&json!("summary_and_tags"), &json!("Lamps.")));
            assert_eq!(tags_of(&app, &who, &second).await, json!(["Bread", "Harbour", "Lamps"]));

            change_tags(&app, &who, &[&first], &json!({"removeTags": ["lamps"]})).await;
            change_tags(&app, &who, &[&first], &json!({"addTags": ["Lamps"]})).await;
            assert_eq!(
                model_tags_of(&app, &who, &first).await,
                json!(["Harbour"]),
                "the person added it again"
            );
            let counts = who.get(&app, MODEL_TAGS).await.expect(200).json();
            assert_eq!(counts, json!({"tags": 3, "items": 2}));
            assert_eq!(app.send(Method::DELETE, MODEL_TAGS, &[], None).await.status, 401);
            let page = browser.open(SETTINGS).await.expect(200).text();
            assert!(page.contains("Tags added by the language model: 3."), "{page}");
            let page = browser.open(TAGS_PAGE).await.expect(200).text();
            assert!(page.contains(&format!("/library/{second}")) && !page.contains("Bread"), "{page}");
            browser.submit(TAGS_PAGE, &[]).await.expect(303);
            app.run_jobs().await;
            assert_eq!(tags_of(&app, &who, &first).await, json!(["Lamps"]));
            assert_eq!(tags_of(&app, &who, &second).await, json!(["Bread"]));
            assert_eq!(tags_of(&app, &other, &foreign).await, json!(["Harbour", "Lamps"]));
            let removed = other.send(&app, Method::DELETE, MODEL_TAGS).await.expect(202).json();
            assert_eq!(removed, json!({"tags": 2, "items": 1}));
            app.run_jobs().await;
            assert_eq!(tags_of(&app, &other, &foreign).await, json!([]));
        }
    });
}

#[test]
fn public_and_shared_tags_are_not_attached() {
    run(async {
        for world in World::ALL {
            let stub = Site::start();
            stub.put(COMPLETIONS, answer(&json!({"tags": ["coast", "Family", "Sea"]})));
            let app = with_model(world, &stub).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let tagged = json!({"content": "Tides.", "tags": ["Coast", "Family", "Sea"]});
            save(&app, &who, &tagged).await;
            who.post(&app, "/v1/library/public-tags", &json!({"name": "Coast"})).await.expect(200);
            let team = who.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
            let shared = format!("/v1/teams/{}/tags/family", team["team"]["id"].as_str().unwrap());
            who.send(&app, Method::PUT, &shared).await.expect(204);
            drop(choose(&app, &who, &[("attachTags", "1"), ("newTags", "1")]).await);
            let item = save(&app, &who, &json!({"content": "Choose the tags Coast and Family."})).await;
            run_next_jobs(&app).await;
            assert_eq!(tags_of(&app, &who, &item).await, json!(["Sea"]));
            assert_eq!(model_tags_of(&app, &who, &item).await, json!(["Sea"]));
        }
    });
}

#[test]
fn removed_tag_is_not_attached_again() {
    run(async {
        for world in World::ALL {
            let stub = Site::start();
            let tags = answer(&json!({"tags": ["Harbour", "Lamps"]}));
            stub.put_sequence(COMPLETIONS, [Reply::status(503), tags]);
            let app = with_model(world, &stub).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            drop(choose(&app, &who, &[("attachTags", "1"), ("newTags", "1")]).await);
            let item = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
            run_next_jobs(&app).await;
            assert_eq!(tags_of(&app, &who, &item).await, json!(["Harbour", "Lamps"]), "the second attempt");
            change_tags(&app, &who, &[&item], &json!({"removeTags": ["Lamps"]})).await;
            let domain = &app.app.domain;
            let sql = "UPDATE item_summary SET state = 'requested'";
            kernel::statement::execute(domain.db().write(), sql, []).await.unwrap();
            jobs::submit(domain.db().write(), domain, NewJob::new(JobKind::Summary, item.clone()))
                .await
                .unwrap();
            app.run_jobs().await;
            assert_eq!(stub.hits(COMPLETIONS), 3, "the model chose the same tags again");
            assert_eq!(tags_of(&app, &who, &item).await, json!(["Harbour"]));
            who.send(&app, Method::DELETE, &model_tags_path(&item)).await.expect(204);
            assert_eq!(tags_of(&app, &who, &item).await, json!([]));
            who.send(&app, Method::DELETE, &format!("/v1/library/items/{item}")).await.expect(204);
            assert_eq!(count_rows(&app, "library_model_tag").await, 0);
        }
    });
}

#[test]
fn tags_switched_off_before_their_job_are_not_attached() {
    run(async {
        let stub = Site::start();
        stub.put(COMPLETIONS, answer(&json!({"summary": "Lamps.", "tags": ["Lamps"]})));
        let mut app = with_model(World::Small, &stub).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let chosen = [("attachTags", "1"), ("newTags", "1")];
        let mut browser = choose(&app, &who, &chosen).await;
        let item = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
        let summarized = save(&app, &who, &json!({"content": "The harbour gets bread."})).await;
        who.send(&app, Method::POST, &summary_path(&summarized)).await.expect(202);
        save_choices(&mut browser, &[("newTags", "1")]).await;
        drop(browser);
        app.start_workers().await;
        run_next_jobs(&app).await;
        assert_eq!(stub.hits(COMPLETIONS), 1, "only the summary that a person requested");
        for id in [&item, &summarized] {
            assert_eq!(tags_of(&app, &who, id).await, json!([]));
        }
        let summary = who.get(&app, &summary_path(&summarized)).await.expect(200).json()["summary"].clone();
        assert_eq!(summary["suggestedTags"], json!(["Lamps"]));
    });
}

/// Imports articles with these titles, and stores their texts.
async fn import_articles(app: &TestApp, who: &Person, titles: &[&str]) {
    let mut table = "title,url,time_added,tags,status\n".to_owned();
    for title in titles {
        let url = app.site.article(&format!("/{title}"));
        table.push_str(&format!("{title},{url},4102444800,,unread\n"));
    }
    let made = library_imports::send(app, who, table.into_bytes(), &[("dryRun", "false")]).await;
    made.expect(202);
    app.run_jobs().await;
    run_next_jobs(app).await;
    run_next_jobs(app).await;
}

#[test]
fn imported_items_are_tagged_only_if_chosen_and_up_to_a_daily_limit() {
    run(async {
        for world in World::ALL {
            let folder = tempfile::tempdir().unwrap();
            let plans = folder.path().join("plans.toml");
            std::fs::write(&plans, "[free]\nmodel_requests_per_day = 4\n").unwrap();
            let stub = Site::start();
            stub.put(COMPLETIONS, answer(&json!({"tags": ["Town"]})));
            let setup = with_model(world, &stub).set("CARREL_TIERS_FILE", plans.to_str().unwrap());
            let app = setup.spawn().await;
            let who = Person::free(&app).await;
            let mut browser = choose(&app, &who, &[("attachTags", "1"), ("newTags", "1")]).await;
            import_articles(&app, &who, &["one", "two", "three"]).await;
            assert_eq!(stub.hits(COMPLETIONS), 0, "an import sends nothing by itself");

            let chosen = [("attachTags", "1"), ("newTags", "1"), ("tagImports", "1")];
            save_choices(&mut browser, &chosen).await;
            run_next_jobs(&app).await;
            assert_eq!(stub.hits(COMPLETIONS), 2, "half of the requests of the day");
            save_choices(&mut browser, &chosen).await;
            run_next_jobs(&app).await;
            assert_eq!(stub.hits(COMPLETIONS), 2, "saving the choices again starts no other day");
            save_choices(&mut browser, &[("attachTags", "1"), ("newTags", "1")]).await;
            save_choices(&mut browser, &chosen).await;
            run_next_jobs(&app).await;
            assert_eq!(stub.hits(COMPLETIONS), 2, "switching off and on starts no other day");
            for hits in [3, 3] {
                app.clock.advance(DAY);
                run_next_jobs(&app).await;
                assert_eq!(stub.hits(COMPLETIONS), hits);
            }
            let items = who.get(&app, "/v1/library/items").await.expect(200).json();
            for item in items["items"].as_array().unwrap() {
                assert_eq!(item["tags"], json!(["Town"]), "{items}");
            }
        }
    });
}

#[test]
fn account_with_unreadable_choices_does_not_block_tags_of_other_accounts() {
    run(async {
        let stub = Site::start();
        stub.put(COMPLETIONS, answer(&json!({"tags": ["Town"]})));
        // PostgreSQL refuses a value of another type.
        let app = with_model(World::Small, &stub).spawn().await;
        let (broken, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let chosen = [("attachTags", "1"), ("newTags", "1"), ("tagImports", "1")];
        for (who, title) in [(&broken, "one"), (&other, "two")] {
            import_articles(&app, who, &[title]).await;
        }
        drop(choose(&app, &broken, &chosen).await);
        app.clock.advance(MINUTE);
        drop(choose(&app, &other, &chosen).await);
        let sql = "UPDATE model_choice SET tags_since = 'unreadable' WHERE account_id = $1";
        let connection = app.app.domain.db().write();
        kernel::statement::execute(connection, sql, [broken.id.into()]).await.unwrap();
        run_next_jobs(&app).await;
        assert_eq!(stub.hits(COMPLETIONS), 1);
        let items = other.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(items["items"][0]["tags"], json!(["Town"]), "{items}");
    });
}

#[test]
fn choices_are_exported_and_imported_by_an_account_that_uses_the_model() {
    run(async {
        let stub = Site::start();
        let app = with_model(World::Small, &stub).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let chosen =
            [("attachTags", "1"), ("tagImports", "1"), ("excludedTags", "Private"), ("prompt", "Briefly.")];
        drop(choose(&app, &who, &chosen).await);
        let zip = library_account_export::export(&app, &who).await;
        let (heir, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        drop(switch_on(&app, &heir).await);
        let import = async |who: &Person| {
            let fields = [("dryRun", "false"), ("include", "settings")];
            let made = library_imports::send(&app, who, zip.clone(), &fields).await.expect(202).json();
            library_imports::state(&app, who, made["import"]["id"].as_str().unwrap()).await
        };
        let done = import(&heir).await;
        assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        let connection = app.app.domain.db().write();
        let row = model_choice::Entity::owned_by(heir.id).one(connection).await.unwrap().unwrap();
        assert!(row.tags_since.is_some() && row.automatic_since.is_none(), "{row:?}");
        assert!(
            row.excluded_tags.contains("Private") && row.prompt.as_deref() == Some("Briefly."),
            "{row:?}"
        );
        assert_eq!(count_rows(&app, "model_import_tagging").await, 2);

        let refused = import(&other).await;
        let reason = refused["problems"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("the choices for the language model could not be imported"), "{refused}");
        let none = model_choice::Entity::owned_by(other.id).one(connection).await.unwrap();
        assert_eq!(none, None, "the person has not switched the model on");
    });
}
