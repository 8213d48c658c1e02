//! Conditions over several checks: when they fire, and against which content the next change is compared.

use super::super::{
    Condition, EvaluationInput, ExtractedItem, FieldValue, Trigger, TriggerKind, Truths, Verdict,
    WatchedField,
};
use super::*;

const DAY: i64 = 24 * 60 * 60 * 1_000;

fn shop() -> Target {
    let field = |name: &str| WatchedField::new(name, &format!(".{name}"));
    Target::Extract { items: Some("li".into()), fields: vec![field("price"), field("stock")] }
}

/// Item for one lamp, with a price and a stock text.
fn lamp(price: &str, stock: &str) -> Snapshot {
    Snapshot::Items(vec![item("lamp", price, stock)])
}

fn item(key: &str, price: &str, stock: &str) -> ExtractedItem {
    let field = |name: &str, value: &str| FieldValue {
        name: name.into(),
        value: Some(value.to_owned()).filter(|value| !value.is_empty()),
    };
    ExtractedItem {
        key: key.to_owned(),
        title: key.to_owned(),
        link: Some(format!("https://shop.example/{key}")),
        fields: vec![field("price", price), field("stock", stock)],
    }
}

fn trigger(lines: &str) -> Trigger {
    let condition = Some(Condition::parse(lines).unwrap());
    Trigger { kind: TriggerKind::Condition, condition, ..Trigger::default() }
}

/// Checks one content per day, after the first. Returns a letter for each check: `R` for reported, `r` for the
/// reference of the next change, `-` for neither.
fn checks_of(trigger: &Trigger, target: &Target, contents: &[Snapshot]) -> String {
    let input = |seen, day: i64| EvaluationInput { target, ignore: &[], seen, at: day * DAY, language: None };
    let mut truths: Option<Truths> = None;
    let mut reference = contents[0].clone();
    let mut letters = String::new();
    for (day, seen) in (0..).zip(contents) {
        let Some(known) = &mut truths else {
            truths = Some(Truths::of(trigger, input(seen, day)));
            continue;
        };
        letters.push(match known.observe(&reference, input(seen, day)) {
            Verdict::Fired => {
                reference = seen.clone();
                'R'
            }
            Verdict::Reference(content) => {
                reference = content;
                'r'
            }
            Verdict::NotFired => '-',
        });
        let stored = serde_json::to_string(known).unwrap();
        *known = serde_json::from_str(&stored).unwrap();
    }
    letters
}

fn prices(lines: &str, prices: &[&str]) -> String {
    let trigger = trigger(lines);
    assert_eq!(trigger.check(&shop()), [], "{lines}");
    let contents: Vec<Snapshot> = prices.iter().map(|price| lamp(price, "In stock")).collect();
    checks_of(&trigger, &shop(), &contents)
}

#[test]
fn every_fall_is_reported() {
    assert_eq!(prices("price falls", &["100 €", "90 €", "80 €", "80 €", "95 €", "85 €"]), "RR-rR");
    assert_eq!(prices("price rises", &["100 €", "90 €", "80 €", "95 €", "95 €"]), "rrR-");
    assert_eq!(prices("price falls", &["100 €", "", "90 €"]), "-R", "a missing price is no fall");
    assert_eq!(prices("price falls", &["100 €", "$90", "95 €"]), "-R", "another currency is not compared");
}

#[test]
fn falls_accumulate_until_the_next_report() {
    assert_eq!(prices("price falls by 10%", &["100", "97", "94", "90", "85", "81"]), "--R-R");
    assert_eq!(prices("price falls by 10%", &["100", "150", "136", "135"]), "r-R");
    assert_eq!(prices("price falls by 5", &["100", "96", "95", "91", "90"]), "-R-R");
    assert_eq!(prices("price rises by 10%", &["100", "109.99", "110", "100", "110"]), "-RrR");
}

#[test]
fn new_low_is_reported_only_below_all_numbers_of_the_period() {
    assert_eq!(prices("price new low in 30 days", &["100", "90", "95", "92", "89", "89"]), "RrrR-");
    // On the sixth day, the low of the first day is too old.
    assert_eq!(prices("price new low in 3 days", &["100", "50", "90", "90", "90", "90", "80"]), "Rr---R");
    assert_eq!(prices("price new high in 30 days", &["100", "110", "105", "111"]), "RrR");
}

#[test]
fn last_price_is_compared_for_a_new_low_regardless_of_its_age() {
    let trigger = trigger("price new low in 3 days");
    let target = shop();
    let input = |seen, day: i64| EvaluationInput {
        target: &target,
        ignore: &[],
        seen,
        at: day * DAY,
        language: None,
    };
    let (first, lower, higher) = (lamp("100", ""), lamp("90", ""), lamp("110", ""));
    let mut truths = Truths::of(&trigger, input(&first, 0));
    assert_eq!(truths.observe(&first, input(&lower, 40)), Verdict::Fired);
    let mut truths = Truths::of(&trigger, input(&first, 0));
    truths.observe(&first, input(&higher, 40));
    let between = lamp("105", "");
    assert_ne!(truths.observe(&first, input(&between, 41)), Verdict::Fired, "it was 100 until yesterday");
}

#[test]
fn number_is_reported_when_it_enters_a_range_or_equals_a_value() {
    assert_eq!(prices("price between 80 and 90", &["100", "90", "85", "79.99", "80"]), "R-rR");
    assert_eq!(prices("price equals 90", &["100", "90.00 €", "91"]), "Rr");
    assert_eq!(prices("not price equals 90", &["90", "90.00", "91"]), "-R");
    assert_eq!(prices("price above 100\nor\nprice below 50", &["60", "101", "70", "49"]), "RrR");
}

fn stocks(lines: &str, stocks: &[&str]) -> String {
    let contents: Vec<Snapshot> = stocks.iter().map(|stock| lamp("10", stock)).collect();
    checks_of(&trigger(lines), &shop(), &contents)
}

#[test]
fn text_tests_check_content_length_and_similarity() {
    assert_eq!(stocks(r"stock matches [1-5] left", &["9 left", "5 left", "4 left", "7 left"]), "R-r");
    assert_eq!(stocks("stock equals in  STOCK", &["sold out", "In stock", "In stock now"]), "Rr");
    assert_eq!(stocks("stock length above 8", &["sold out", "sold  out!", ""]), "Rr");
    assert_eq!(
        stocks("stock similarity below 50%", &["In stock", "In stock!", "sold out", "sold out."]),
        "-R-"
    );
    assert_eq!(stocks("contains stock", &["sold", "in stock"]), "R", "any field");
}

#[test]
fn regular_expression_on_too_much_text_is_unknown() {
    let long = "x".repeat(600_000);
    assert_eq!(stocks("stock matches y", &["x", &long, "y"]), "-R");
}

#[test]
fn tests_of_a_condition_are_combined_for_each_item() {
    let lines = "price below 80\nnot stock contains sold out";
    let contents: Vec<Snapshot> = [
        [("lamp", "90", "in stock"), ("vase", "70", "sold out")],
        [("lamp", "90", "in stock"), ("vase", "60", "sold out")],
        [("lamp", "75", "in stock"), ("vase", "60", "sold out")],
        [("lamp", "75", "in stock"), ("vase", "60", "in stock")],
        [("lamp", "", "in stock"), ("vase", "60", "in stock")],
        [("lamp", "70", "in stock"), ("vase", "60", "in stock")],
    ]
    .iter()
    .map(|items| Snapshot::Items(items.iter().map(|(key, price, stock)| item(key, price, stock)).collect()))
    .collect();
    assert_eq!(checks_of(&trigger(lines), &shop(), &contents), "-RR--");
    let fallen = "price falls\nstock contains in stock";
    let contents =
        [lamp("100", "sold out"), lamp("90", "sold out"), lamp("90", "in stock"), lamp("90", "in stock")];
    assert_eq!(checks_of(&trigger(fallen), &shop(), &contents), "-R-", "it fell before it was in stock");
}

#[test]
fn count_tests_compare_the_number_of_items() {
    let items = |count: usize| {
        let keys: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        Snapshot::Items(keys.iter().map(|key| item(key, "1", "")).collect())
    };
    let contents: Vec<Snapshot> = [0, 2, 3, 4, 0, 3].into_iter().map(items).collect();
    assert_eq!(checks_of(&trigger("count above 2"), &shop(), &contents), "-R-rR");
    assert_eq!(checks_of(&trigger("count below 1"), &shop(), &contents), "rrrRr");
    let page = |texts: &[&str]| {
        snapshot(&texts.iter().map(|text| format!("<p>{text}</p>")).collect::<Vec<_>>().concat())
    };
    let contents = [page(&["One."]), page(&["One.", "Two."]), page(&["One.", "Two.", "Three."])];
    assert_eq!(checks_of(&trigger("count above 4"), &whole(), &contents), "-R", "with the heading and text");
}

#[test]
fn true_condition_is_reported_again_after_the_repeat_time() {
    let repeated = Trigger { repeat_hours: Some(48), ..trigger("price below 80") };
    let contents: Vec<Snapshot> =
        ["90", "70", "70", "71", "70", "90", "70"].iter().map(|price| lamp(price, "")).collect();
    assert_eq!(checks_of(&repeated, &shop(), &contents), "R-R-rR");
    let target = shop();
    let input = |seen| EvaluationInput { target: &target, ignore: &[], seen, at: 0, language: None };
    let (low, high) = (lamp("70", ""), lamp("90", ""));
    assert!(Truths::of(&repeated, input(&low)).may_repeat());
    assert!(!Truths::of(&repeated, input(&high)).may_repeat());
    assert!(!Truths::of(&trigger("price below 80"), input(&low)).may_repeat());
}

#[test]
fn stored_state_of_an_older_version_is_parsed() {
    let stored = r#"{"trigger":{"kind":"below","value":"100"},"things":{"lamp\u001fprice":{"holds":false,
        "held_when_told":false,"seen_at":0,"is_judged":true,"currency":"EUR","sign":"comma","number":"120"}},"judged_at":0}"#;
    let mut truths: Truths = serde_json::from_str(stored).unwrap();
    let below = Trigger { kind: TriggerKind::Below, value: Some("100".into()), ..Trigger::default() };
    assert!(truths.are_of(&below));
    let target = shop();
    let input = |seen| EvaluationInput { target: &target, ignore: &[], seen, at: DAY, language: None };
    let (before, dollars, euros) = (lamp("120 €", ""), lamp("$90", ""), lamp("90,00 €", ""));
    assert_eq!(truths.observe(&before, input(&dollars)), Verdict::NotFired);
    assert_eq!(truths.observe(&before, input(&euros)), Verdict::Fired);
}

#[test]
fn invalid_use_of_a_condition_is_rejected() {
    let pointers = |trigger: Trigger| -> Vec<String> {
        trigger.check(&shop()).into_iter().map(|invalid| invalid.pointer).collect()
    };
    let valid = trigger("price below 80\nor\nstock contains in stock");
    assert_eq!(pointers(valid.clone()), [""; 0]);
    assert_eq!(pointers(Trigger { repeat_hours: Some(24), ..valid.clone() }), [""; 0]);
    assert_eq!(pointers(Trigger { repeat_hours: Some(0), ..valid.clone() }), ["/repeat_hours"]);
    assert_eq!(pointers(Trigger { condition: None, ..valid.clone() }), ["/condition"]);
    assert_eq!(pointers(Trigger { value: Some("1".into()), ..valid.clone() }), ["/value"]);
    assert_eq!(pointers(Trigger { kind: TriggerKind::Any, ..valid }), ["/condition"]);
    assert_eq!(pointers(Trigger { repeat_hours: Some(1), ..Trigger::default() }), ["/repeat_hours"]);
    assert_eq!(
        pointers(trigger("price below 80\nor\nprice below cheap")),
        ["/condition/groups/1/tests/0/value"]
    );
}
