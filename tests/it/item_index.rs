//! Index of items for the search by meaning, which a job updates in the background: passages, limits of the plan,
//! excluded tags, consent, and other accounts.

use kernel::tag::Tag;
use kernel::tiers::Tier;
use library::InstalledModelChoices;
use reqwest::Method;
use serde_json::{Value, json};

use crate::language_model::{
    EMBEDDINGS, LightModel, SETTINGS, count_rows, index_items, save, search, start_model,
    start_with_embeddings, switch_on, vectors, with_model, with_model_at,
};
use crate::support::clock::{DAY, MINUTE};
use crate::support::person::Person;
use crate::support::{Reply, Setup, Site, TestApp, World, run};

/// Creates a text with paragraphs of about 1,500 characters, so that each is a passage.
fn long_text(paragraphs: u32) -> String {
    let paragraph = |number| format!("Paragraph {number} of the town. {}", "Bread and boats. ".repeat(87));
    let texts: Vec<String> = (1..=paragraphs).map(paragraph).collect();
    texts.join("\n\n")
}

/// Starts the service with an embedding model and these limits of the smallest plan.
async fn start_with_plan(model: &LightModel, limits: &str) -> TestApp {
    let folder = tempfile::tempdir().unwrap();
    let plans = folder.path().join("plans.toml");
    std::fs::write(&plans, format!("[free]\n{limits}\n")).unwrap();
    let setup: Setup = with_model_at(World::Small, start_model(model.clone()));
    let setup = setup.set("CARREL_MODEL_EMBEDDINGS", "vectors");
    setup.set("CARREL_TIERS_FILE", plans.to_str().unwrap()).spawn().await
}

async fn execute(app: &TestApp, sql: &str) {
    kernel::statement::execute(app.app.domain.db().write(), sql, []).await.unwrap();
}

#[test]
fn passages_of_new_and_changed_items_are_indexed_in_the_background() {
    run(async {
        for world in World::ALL {
            let model = LightModel::default();
            let app = start_with_embeddings(world, model.clone()).await;
            let who = Person::on(&app, Tier::Pro).await;
            let long = save(&app, &who, &json!({"title": "Town", "content": long_text(55)})).await;
            index_items(&app).await;
            assert!(model.take_texts().is_empty(), "nothing is sent without the consent");
            let mut browser = switch_on(&app, &who).await;
            index_items(&app).await;
            let sent = model.take_texts();
            assert_eq!(sent.len(), 50);
            assert!(sent.iter().all(|text| text.starts_with("Town\n") && text.chars().count() <= 2_005));

            let lamps = save(&app, &who, &json!({"title": "Streets", "content": "Street lamps."})).await;
            index_items(&app).await;
            assert!(model.take_texts().is_empty(), "texts that are stored together are sent together");
            app.clock.advance(MINUTE);
            index_items(&app).await;
            assert_eq!(model.take_texts(), ["Streets\nStreet lamps.\n"]);
            let result = search(&app, &who, "illumination").await;
            assert_eq!(result["itemIds"], json!([lamps, long]));
            assert_eq!((&result["compared"], &result["unindexed"]), (&json!(2), &json!(0)));
            assert_eq!(result["warnings"], json!(["Items indexed only in part: 1."]));
            assert_eq!(model.take_texts(), ["illumination"], "a search sends only its query");
            let page = browser.open("/library/meaning").await.expect(200).text();
            assert!(page.contains("Compared items: 2 of 2. Compared only in part: 1."), "{page}");

            execute(&app, "UPDATE library_item SET content_hash = 'changed' WHERE title = 'Streets'").await;
            app.clock.advance(DAY);
            index_items(&app).await;
            assert_eq!(model.take_texts(), ["Streets\nStreet lamps.\n"]);
            execute(&app, "UPDATE item_embedding SET model = 'former'").await;
            app.clock.advance(DAY);
            index_items(&app).await;
            assert_eq!(model.take_texts().len(), 51, "another model gets all texts");
            assert_eq!(count_rows(&app, "item_embedding").await, 2);
        }
    });
}

#[test]
fn items_with_excluded_tags_are_not_indexed() {
    run(async {
        for world in World::ALL {
            let model = LightModel::default();
            let app = start_with_embeddings(world, model.clone()).await;
            let who = Person::on(&app, Tier::Pro).await;
            let mut browser = switch_on(&app, &who).await;
            save(&app, &who, &json!({"title": "Diary", "content": "Letters.", "tags": ["private"]})).await;
            app.clock.advance(1_000);
            save(&app, &who, &json!({"title": "Bakery", "content": "Bread."})).await;
            index_items(&app).await;
            assert_eq!(model.take_texts(), ["Bakery\nBread.\n", "Diary\nLetters.\n"]);
            browser.open(SETTINGS).await.expect(200);
            browser.submit(SETTINGS, &[("act", "choose"), ("excludedTags", "Private")]).await.expect(303);
            app.clock.advance(MINUTE);
            index_items(&app).await;
            assert_eq!(count_rows(&app, "item_embedding").await, 1, "the vectors are deleted");
            let result = search(&app, &who, "illumination").await;
            assert_eq!(result["warnings"], json!(["Indexed 1 of 2 items."]));
            assert_eq!(model.take_texts(), ["illumination"]);
            let due = format!("model_item_index WHERE due_at <= {}", app.app.domain.now());
            assert_eq!(count_rows(&app, &due).await, 0, "the search starts no update");
        }
    });
}

#[test]
fn renamed_tag_stays_excluded() {
    run(async {
        for world in World::ALL {
            let model = LightModel::default();
            let app = start_with_embeddings(world, model.clone()).await;
            let domain = &app.app.domain;
            let who = Person::on(&app, Tier::Pro).await;
            let mut browser = switch_on(&app, &who).await;
            browser.open(SETTINGS).await.expect(200);
            browser.submit(SETTINGS, &[("act", "choose"), ("excludedTags", "Private")]).await.expect(303);
            save(&app, &who, &json!({"title": "Diary", "content": "Letters.", "tags": ["private"]})).await;
            save(&app, &who, &json!({"title": "Bakery", "content": "Bread."})).await;
            let is_excluded = async |tags: Value| {
                let row = format!("model_choice WHERE excluded_tags = '{tags}'");
                count_rows(&app, &row).await == 1
            };
            let (private, secret) = (Tag::of("Private").unwrap(), Tag::of("Secret").unwrap());
            let transaction = domain.db().begin().await.unwrap();
            let choices = domain.installed::<InstalledModelChoices>().unwrap();
            choices.0.begin_rename(&transaction, who.id, &private, &secret).await.unwrap();
            transaction.commit().await.unwrap();
            assert!(is_excluded(json!([private, secret])).await, "some items have each of the tags");

            library::rename_tag(domain, who.id, "private", "Secret").await.unwrap();
            assert!(is_excluded(json!([secret])).await);
            app.clock.advance(MINUTE);
            index_items(&app).await;
            assert_eq!(model.take_texts(), ["Bakery\nBread.\n"]);
            library::rename_tag(domain, who.id, "secret", "SECRET").await.unwrap();
            assert!(is_excluded(json!([Tag::of("SECRET")])).await);
            library::rename_tag(domain, who.id, "unknown", "Other").await.unwrap();
            library::delete_tag(domain, who.id, "secret").await.unwrap();
            assert!(is_excluded(json!([Tag::of("SECRET")])).await, "the tag may be added again");
        }
    });
}

#[test]
fn newest_items_are_indexed_up_to_the_passage_limit_of_the_plan() {
    run(async {
        let model = LightModel::default();
        let app = start_with_plan(&model, "indexed_passages = 2").await;
        let who = Person::free(&app).await;
        let mut browser = switch_on(&app, &who).await;
        let sent_titles = || {
            let mut texts = model.take_texts();
            texts.sort_unstable();
            texts.iter().map(|text| text.lines().next().unwrap().to_owned()).collect::<Vec<String>>()
        };
        for title in ["A", "B", "C"] {
            save(&app, &who, &json!({"title": title, "content": "Words."})).await;
            app.clock.advance(1_000);
        }
        index_items(&app).await;
        assert_eq!(sent_titles(), ["B", "C"]);
        let result = search(&app, &who, "illumination").await;
        let full = "The plan allows no further passages, so the oldest items are not indexed.";
        assert_eq!(result["warnings"], json!(["Indexed 2 of 3 items.", full]));
        assert_eq!(sent_titles(), ["illumination"], "the oldest item is not sent");
        let page = browser.open("/library/meaning").await.expect(200).text();
        assert!(page.contains("Your plan allows 2 passages."), "{page}");

        save(&app, &who, &json!({"title": "D", "content": "Words."})).await;
        app.clock.advance(MINUTE);
        index_items(&app).await;
        assert_eq!(sent_titles(), ["D"]);
        assert_eq!(count_rows(&app, "item_embedding").await, 2);
        let result = search(&app, &who, "illumination").await;
        assert_eq!(result["warnings"], json!(["Indexed 2 of 4 items.", full]));
    });
}

#[test]
fn indexing_continues_on_the_next_day_if_the_daily_requests_are_used_up() {
    run(async {
        let model = LightModel::default();
        let app = start_with_plan(&model, "model_requests_per_day = 1").await;
        let who = Person::free(&app).await;
        let mut browser = switch_on(&app, &who).await;
        who.save_texts(&app, 17).await;
        index_items(&app).await;
        assert_eq!(model.take_texts().len(), 16);
        // Requests of the person are counted separately.
        let result = search(&app, &who, "illumination").await;
        assert_eq!((&result["state"], &result["reason"]), (&json!("ready"), &json!("rate_limited")));
        assert_eq!(result["warnings"], json!(["Indexed 16 of 17 items."]));
        let page = browser.open("/library/meaning").await.expect(200).text();
        assert!(page.contains("all requests for today are used up"), "{page}");
        app.clock.advance(DAY);
        index_items(&app).await;
        assert_eq!(count_rows(&app, "item_embedding").await, 17);
    });
}

#[test]
fn large_library_does_not_delay_another_account() {
    run(async {
        let model = LightModel::default();
        let app = start_with_embeddings(World::Small, model.clone()).await;
        let (large, small) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        for number in 1..=6 {
            let text = long_text(50);
            save(&app, &large, &json!({"title": format!("Town {number}"), "content": text})).await;
        }
        save(&app, &small, &json!({"title": "Streets", "content": "Street lamps."})).await;
        for who in [&large, &small] {
            switch_on(&app, who).await;
            app.clock.advance(1_000);
        }
        index_items(&app).await;
        let sent = model.take_texts();
        assert_eq!(sent.len(), 5 * 50 + 1, "a run starts no item after 20 requests");
        assert!(sent.iter().any(|text| text.starts_with("Streets\n")));
        index_items(&app).await;
        assert_eq!(model.take_texts().len(), 50);
    });
}

#[test]
fn request_stores_nothing_if_consent_is_withdrawn_meanwhile() {
    run(async {
        let stub = Site::start();
        let app = with_model(World::Small, &stub).set("CARREL_MODEL_EMBEDDINGS", "vectors").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, &json!({"content": "Lamps of the town."})).await;
        let mut browser = switch_on(&app, &who).await;
        stub.put(EMBEDDINGS, vectors(&[[1.0, 0.0]]));
        let gate = stub.hold(EMBEDDINGS);
        app.tick().await;
        gate.wait_for_requests(1).await;
        browser.submit(SETTINGS, &[("act", "off")]).await.expect(303);
        gate.open();
        app.run_jobs().await;
        for table in ["item_embedding", "model_item_index"] {
            assert_eq!(count_rows(&app, table).await, 0, "{table}");
        }
    });
}

#[test]
fn wrong_key_of_the_model_marks_no_item_as_refused() {
    run(async {
        let stub = Site::start();
        let app = with_model(World::Small, &stub).set("CARREL_MODEL_EMBEDDINGS", "vectors").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let item = save(&app, &who, &json!({"title": "Streets", "content": "Street lamps."})).await;
        switch_on(&app, &who).await;
        stub.put(EMBEDDINGS, Reply::status(401));
        index_items(&app).await;
        assert_eq!((stub.hits(EMBEDDINGS), count_rows(&app, "item_embedding").await), (2, 0));
        index_items(&app).await;
        assert_eq!(stub.hits(EMBEDDINGS), 2, "the account waits");
        stub.put(EMBEDDINGS, vectors(&[[1.0, 0.0]]));
        app.clock.advance(MINUTE);
        index_items(&app).await;
        assert_eq!(count_rows(&app, "item_embedding").await, 1);
        who.send(&app, Method::DELETE, &format!("/v1/library/items/{item}")).await.expect(204);
        assert_eq!(count_rows(&app, "item_embedding").await, 0);
    });
}

#[test]
fn text_on_which_the_model_always_fails_excludes_only_its_item() {
    run(async {
        let stub = Site::start();
        let app = with_model(World::Small, &stub).set("CARREL_MODEL_EMBEDDINGS", "vectors").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        for title in ["Streets", "Bakery"] {
            save(&app, &who, &json!({"title": title, "content": "Words."})).await;
            app.clock.advance(1_000);
        }
        switch_on(&app, &who).await;
        stub.put(EMBEDDINGS, Reply::status(500));
        index_items(&app).await;
        assert_eq!(count_rows(&app, "item_embedding").await, 0, "the model may be out of order");
        execute(&app, "UPDATE model_item_index SET failures = 5").await;
        app.clock.advance(MINUTE);
        let vector = || vectors(&[[1.0, 0.0]]);
        // Both texts, a probe, the first text, a probe, and the second text.
        let replies = [Reply::status(500), vector(), Reply::status(500), vector(), vector()];
        stub.put_sequence(EMBEDDINGS, replies);
        index_items(&app).await;
        assert_eq!(count_rows(&app, "item_embedding").await, 2);
        let result = search(&app, &who, "illumination").await;
        assert_eq!((&result["compared"], &result["unindexed"]), (&json!(1), &json!(1)));
        assert_eq!(result["reason"], Value::Null);
    });
}

#[test]
fn items_of_an_older_consent_are_indexed_after_the_next_search() {
    run(async {
        for world in World::ALL {
            let model = LightModel::default();
            let app = start_with_embeddings(world, model.clone()).await;
            let who = Person::on(&app, Tier::Pro).await;
            switch_on(&app, &who).await;
            // An earlier version did not write this row.
            execute(&app, "DELETE FROM model_item_index").await;
            save(&app, &who, &json!({"title": "Streets", "content": "Street lamps."})).await;
            app.clock.advance(DAY);
            index_items(&app).await;
            assert!(model.take_texts().is_empty());
            let first = search(&app, &who, "illumination").await;
            assert_eq!((&first["compared"], &first["unindexed"]), (&json!(0), &json!(1)));
            assert_eq!(model.take_texts(), ["illumination", "Streets\nStreet lamps.\n"]);
            let second = search(&app, &who, "illumination").await;
            assert_eq!((&second["compared"], &second["reason"]), (&json!(1), &Value::Null));
        }
    });
}

#[test]
fn vectors_of_another_length_are_computed_again_after_the_next_search() {
    run(async {
        for world in World::ALL {
            let model = LightModel::default();
            let app = start_with_embeddings(world, model.clone()).await;
            let who = Person::on(&app, Tier::Pro).await;
            save(&app, &who, &json!({"title": "Streets", "content": "Street lamps."})).await;
            switch_on(&app, &who).await;
            index_items(&app).await;
            // The model server returned vectors with four components before.
            let previous: Vec<u8> = vec![4, 0, 0, 0, 127, 0, 0, 0];
            let sql = "UPDATE item_embedding SET vector = $1";
            kernel::statement::execute(app.app.domain.db().write(), sql, [previous.into()]).await.unwrap();
            let first = search(&app, &who, "illumination").await;
            assert_eq!((&first["compared"], &first["unindexed"]), (&json!(0), &json!(1)));
            let second = search(&app, &who, "illumination").await;
            assert_eq!((&second["compared"], &second["unindexed"]), (&json!(1), &json!(0)));
            model.take_texts();
            index_items(&app).await;
            search(&app, &who, "illumination").await;
            assert_eq!(model.take_texts(), ["illumination"], "comparable vectors are retained");
        }
    });
}
