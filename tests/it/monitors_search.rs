//! Search in the changes of all monitors of an account.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

async fn search(app: &TestApp, who: &Person, query: &str) -> Value {
    who.get(app, &format!("/v1/monitors/changes?{query}")).await.expect(200).json()
}

fn names(answer: &Value) -> Vec<&str> {
    answer["changes"].as_array().unwrap().iter().map(|change| change["monitor"].as_str().unwrap()).collect()
}

#[test]
fn changes_of_all_monitors_are_searched() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        for (name, path, words) in [
            ("Harbour", "/harbour", "The STORM closed the harbour."),
            ("Market", "/market", "The market opens at nine."),
        ] {
            let url = app.site.put(path, page("Nothing new."));
            let monitor = create_monitor(&app, &who, &json!({"name": name, "targetUrl": url})).await;
            advance_minute(&app).await;
            app.site.put(path, page(words));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        }
        assert_eq!(names(&search(&app, &who, "").await), ["Market", "Harbour"]);
        assert_eq!(names(&search(&app, &who, "text=storm").await), ["Harbour"]);
        assert_eq!(names(&search(&app, &who, "text=MARKET%20nine").await), ["Market"]);
        assert_eq!(names(&search(&app, &who, "text=storm%20nine").await), [""; 0]);
        let first = search(&app, &who, "limit=1").await;
        assert_eq!(names(&first), ["Market"]);
        let cursor = first["nextCursor"].as_str().unwrap();
        let second = search(&app, &who, &format!("limit=1&cursor={cursor}")).await;
        assert_eq!(names(&second), ["Harbour"]);
        who.get(&app, &format!("/v1/monitors/changes?text=x&cursor={cursor}")).await.expect(422);
        assert_eq!(names(&search(&app, &other, "").await), [""; 0]);

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let text = browser.open("/monitors/changes?q=storm").await.expect(200).text();
        assert!(text.contains("<bdi>Harbour</bdi>") && !text.contains("<bdi>Market</bdi>"), "{text}");
    });
}
