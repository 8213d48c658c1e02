//! Lists and selectors that match nothing.

use super::*;

fn list(titles: &[&str]) -> ObservedContent {
    let item = |title: &&str| ExtractedItem {
        key: (*title).to_owned(),
        title: (*title).to_owned(),
        link: None,
        fields: vec![FieldValue { name: "price".into(), value: Some("12 €".into()) }],
    };
    ObservedContent::Content(Arc::new(Observation {
        absent: titles.is_empty().then(|| "/items".to_owned()),
        ..Observation::of(Snapshot::Items(titles.iter().map(item).collect()))
    }))
}

fn nothing() -> ObservedContent {
    ObservedContent::Content(Arc::new(Observation {
        absent: Some("/selector".to_owned()),
        ..Observation::of(Snapshot::Blocks(Vec::new()))
    }))
}

async fn row(shop: &Shop<'_>) -> monitor::Model {
    let read = shop.database.domain.db().read();
    monitor::Entity::of_any_owner(shop.monitor).one(read).await.unwrap().unwrap()
}

#[tokio::test]
async fn list_is_empty_after_two_consecutive_empty_checks() {
    for database in TestDatabase::each().await {
        let who = person(&database.domain, Tier::Pro).await;
        let field = WatchedField::new("price", "b");
        let target = Target::Extract { items: Some("li".into()), fields: vec![field] };
        let shop = Shop::of(&database, who, 1, target, Trigger::default()).await;
        let check = async |content: ObservedContent| {
            database.clock.advance(HOUR);
            shop.check(content).await;
            (shop.changes().await.len(), row(&shop).await.last_error_code)
        };
        let error = Some(Code::SelectorNotFound.as_str().to_owned());
        assert_eq!(check(list(&[])).await, (0, error), "a first check without items is an error");
        assert_eq!(check(list(&["Desk"])).await, (0, None));
        assert_eq!(check(list(&[])).await, (0, None), "a single empty check is not reported");
        assert_eq!(check(list(&["Desk"])).await, (0, None), "a list that is complete again is not reported");
        assert_eq!(check(list(&[])).await, (0, None));
        assert_eq!(row(&shop).await.seen_body_hash, 0, "the same body is evaluated again");
        assert_eq!(check(list(&[])).await, (1, None), "the second consecutive empty check is reported");
        assert_eq!(check(list(&[])).await, (1, None), "an empty list is reported once");
        assert_eq!(check(list(&["Desk"])).await, (2, None));
    }
}

#[tokio::test]
async fn missing_page_part_is_an_error_unless_the_trigger_has_a_text() {
    for database in TestDatabase::each().await {
        let who = person(&database.domain, Tier::Pro).await;
        for (number, kind, is_error) in [
            (1, TriggerKind::Any, true),
            (2, TriggerKind::TextAppears, false),
            (3, TriggerKind::TextDisappears, false),
        ] {
            let target = Target::Page { selector: Some("main".into()) };
            let value = (kind != TriggerKind::Any).then(|| "storm".to_owned());
            let shop =
                Shop::of(&database, who, number, target, Trigger { kind, value, ..Trigger::default() }).await;
            database.clock.advance(HOUR);
            shop.check(nothing()).await;
            assert_eq!(row(&shop).await.last_error_code.is_some(), is_error, "{kind:?}");
        }
    }
}
