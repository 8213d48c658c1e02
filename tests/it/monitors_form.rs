//! Form of a monitor: its steps and preview, and the settings of extract monitors: which number of a value is
//! used, whether the list may be empty, and the field of the trigger.

use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::monitoring::{get_monitor, page};
use crate::support::on_each_world;
use crate::support::person::Person;

#[test]
fn extract_form_has_every_setting_of_the_api() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/shop", page("x"));
        let typed = [
            ("name", "Shop"),
            ("targetUrl", url.as_str()),
            ("targetType", "extract"),
            ("items", ".product"),
            ("fields", "name* = h2\nprice (least) = .price\nstock = .stock"),
            ("allowEmpty", "1"),
            ("trigger", "below"),
            ("value", "8"),
            ("act", "make"),
        ];
        browser.open("/monitors/new").await.expect(200);
        let unnamed = browser.submit("/monitors/new", &typed).await.expect(422).text();
        let summary = between(&unnamed, "role=\"alert\"", "</div>");
        assert!(
            summary.contains("href=\"#triggerField\"") && summary.contains("name of the value"),
            "{summary}"
        );
        assert!(between(&unnamed, "name=\"allowEmpty\"", ">").contains("checked"), "{unnamed}");
        let odd = [&typed[..], &[("triggerField", "weight")]].concat();
        browser.open("/monitors/new").await.expect(200);
        let odd = browser.submit("/monitors/new", &odd).await.expect(422).text();
        let summary = between(&odd, "role=\"alert\"", "</div>");
        assert!(summary.contains("href=\"#triggerField\"") && summary.contains("Value name"), "{summary}");
        assert!(odd.contains("id=\"triggerField-error\"") && odd.contains("value=\"weight\""), "{odd}");

        let named = [&typed[..], &[("triggerField", "price")]].concat();
        browser.open("/monitors/new").await.expect(200);
        let made = browser.submit("/monitors/new", &named).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        let monitor = json!({"id": at.rsplit('/').next().unwrap()});
        let set = async || {
            let now = get_monitor(&app, &who, &monitor).await;
            (now["fields"][1]["number"].clone(), now["allowEmpty"].clone(), now["trigger"]["field"].clone())
        };
        assert_eq!(set().await, (json!("least"), json!(true), json!("price")));

        let edit = format!("{at}/edit");
        let form = browser.open(&edit).await.expect(200).text();
        assert!(form.contains("name* = h2\nprice (least) = .price\nstock = .stock"), "{form}");
        assert!(form.contains("name=\"triggerField\" type=\"text\" value=\"price\""), "{form}");
        let changed = [
            typed[0],
            typed[1],
            typed[3],
            ("fields", "name* = h2\nprice (greatest) = .price\nstock = .stock"),
            typed[6],
            typed[7],
            ("triggerField", "stock"),
            ("intervalMinutes", "1440"),
            ("act", "save"),
        ];
        browser.submit(&edit, &changed).await.expect(303);
        assert_eq!(set().await, (json!("greatest"), json!(false), json!("stock")));
    });
}

#[test]
fn conditions_are_edited_as_lines() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/shop", page("x"));
        let with = |lines: &'static str, hours: &'static str| {
            [
                ("name", "Shop"),
                ("targetUrl", url.as_str()),
                ("targetType", "extract"),
                ("fields", "price = .price\nstock = .stock"),
                ("trigger", "condition"),
                ("conditions", lines),
                ("repeatHours", hours),
                ("act", "make"),
            ]
        };
        for (lines, hours, field) in [
            ("", "", "conditions"),
            ("price is low", "", "conditions"),
            ("weight falls", "", "conditions"),
            ("price falls", "0", "repeatHours"),
        ] {
            browser.open("/monitors/new").await.expect(200);
            let wrong = browser.submit("/monitors/new", &with(lines, hours)).await.expect(422).text();
            let summary = between(&wrong, "role=\"alert\"", "</div>");
            assert!(summary.contains(&format!("href=\"#{field}\"")), "{lines}: {summary}");
        }
        let lines = "price falls by 10%\nnot stock contains sold out\nor\nprice below 5";
        browser.open("/monitors/new").await.expect(200);
        let made = browser.submit("/monitors/new", &with(lines, "24")).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        let monitor = get_monitor(&app, &who, &json!({"id": at.rsplit('/').next().unwrap()})).await;
        let trigger = &monitor["trigger"];
        assert_eq!((&trigger["kind"], &trigger["repeatHours"]), (&json!("condition"), &json!(24)));
        assert_eq!(trigger["condition"]["groups"][0]["tests"][1]["not"], true);
        let form = browser.open(&format!("{at}/edit")).await.expect(200).text();
        assert!(form.contains(lines), "{form}");
        let details = browser.open(&at).await.expect(200).text();
        let words = "(price falls by 10% and not stock contains sold out) or price below 5";
        assert!(details.contains(words), "{details}");
    });
}

#[test]
fn form_has_three_steps_and_a_preview_that_is_never_collapsed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let form = browser.open("/monitors/new").await.expect(200).text();
        assert_steps(&form, "Press Preview to see");
        assert_precede(&form, &["2. When", "name=\"act\" value=\"make\""]);
        let typed = [("name", "Harbour"), ("targetUrl", url.as_str()), ("targetType", "page")];
        let with = |act: &'static str| [&typed[..], &[("intervalMinutes", "1440"), ("act", act)]].concat();
        let previewed = browser.submit("/monitors/new", &with("preview")).await.expect(200).text();
        assert_steps(&previewed, "What will be watched");
        assert_precede(&previewed, &["id=\"preview\"", "The ferry leaves at nine.", "2. When"]);

        // The page has no target for the fragment of the preview, so that the summary of the errors gets the
        // focus.
        let wrong = [("targetUrl", ""), ("targetType", "page"), ("act", "preview")];
        let wrong = browser.submit("/monitors/new", &wrong).await.expect(422).text();
        assert_steps(&wrong, "Press Preview to see");
        assert!(!wrong.contains("id=\"preview\"") && wrong.contains("autofocus"), "{wrong}");

        let made = browser.submit("/monitors/new", &with("make")).await.expect(303);
        let edit = format!("{}/edit", made.header("location").split('?').next().unwrap());
        let form = browser.open(&edit).await.expect(200).text();
        assert_steps(&form, "Press Preview on past changes");
        // The Enter key presses the first button.
        assert_precede(&form, &["name=\"act\" value=\"save\"", "name=\"act\" value=\"preview\""]);
        let previewed = browser.submit(&edit, &with("preview")).await.expect(200).text();
        assert_steps(&previewed, "of the last 0 changes");
        assert_precede(&previewed, &["id=\"preview\"", "of the last 0 changes", "2. When"]);
    });
}

/// Asserts that the steps contain their fields in order, and that the preview contains the text `preview`,
/// follows the first step, and is not in a collapsed part.
fn assert_steps(form: &str, preview: &str) {
    let order = [
        "<h2 id=\"step-1\">1. What to watch</h2>",
        "name=\"targetUrl\"",
        "name=\"selector\"",
        "name=\"userAgent\"",
        preview,
        "<h2 id=\"step-2\">2. When</h2>",
        "name=\"trigger\"",
        "name=\"ignore\"",
        "name=\"intervalMinutes\"",
        "name=\"weekdays\"",
        "<h2 id=\"step-3\">3. How you are notified</h2>",
        "name=\"follow\"",
        "name=\"muteFrom\"",
        "name=\"tags\"",
        "name=\"name\"",
    ];
    assert_precede(form, &order);
    let (before, _) = form.split_once(preview).unwrap();
    let count = |words: &str| before.matches(words).count();
    assert_eq!(count("<details"), count("</details>"), "the preview is in a collapsed part: {form}");
    assert_eq!(count("<section"), count("</section>") + 1, "the preview is a section of the form: {form}");
}

/// Asserts that the first occurrences of these texts are in this order.
fn assert_precede(page: &str, words: &[&str]) {
    let position = |words: &&str| page.find(words).unwrap_or_else(|| panic!("{words} in {page}"));
    let positions: Vec<usize> = words.iter().map(position).collect();
    assert!(positions.is_sorted(), "{words:?} at {positions:?} in {page}");
}
