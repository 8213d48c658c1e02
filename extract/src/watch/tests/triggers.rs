//! Which changes are wanted.

use super::super::{Field, Problem, Trigger, TriggerKind};
use super::*;

fn holds(kind: TriggerKind, value: &str, before: &str, after: &str) -> bool {
    let (before, after) = (snapshot(before), snapshot(after));
    let comparison = compared(&before, &after, &Rules::default());
    let trigger = Trigger { kind, value: Some(value.to_owned()), field: None };
    assert_eq!(trigger.check(&whole()), []);
    trigger.holds(&comparison, &before, &after)
}

#[test]
fn a_text_appears_or_disappears() {
    let (sold, back) = ("<p>The lamp is sold out.</p>", "<p>The lamp is In Stock.</p>");
    assert!(holds(TriggerKind::TextAppears, "in stock", sold, back));
    assert!(holds(TriggerKind::TextDisappears, "sold out", sold, back));
    assert!(!holds(TriggerKind::TextAppears, "lamp", sold, back));
    assert!(!holds(TriggerKind::TextDisappears, "in stock", sold, back));
}

#[test]
fn a_number_crosses_its_limit_once() {
    let price = |price: &str| format!("<p>Price: {price} EUR</p>");
    assert!(holds(TriggerKind::Below, "100", &price("120.00"), &price("99.90")));
    assert!(!holds(TriggerKind::Below, "100", &price("99.90"), &price("89.90")), "it was below already");
    assert!(holds(TriggerKind::Above, "1000.5", &price("1,000.00"), &price("1,001.00")));
    assert!(!holds(TriggerKind::Above, "1000", &price("1.200,00"), &price("1.300,00")));
}

#[test]
fn a_share_of_the_words_is_enough_or_not() {
    let before = "<p>One two three four five six seven eight.</p><p>Nine ten.</p>";
    let after = "<p>One two three four five six seven eight.</p><p>Eleven twelve!</p>";
    assert!(holds(TriggerKind::Share, "5", before, after));
    assert!(!holds(TriggerKind::Share, "60", before, after));
}

#[test]
fn nothing_holds_of_no_change() {
    let same = "<p>In stock</p>";
    for kind in [TriggerKind::Any, TriggerKind::TextAppears, TriggerKind::Above, TriggerKind::Share] {
        assert!(!holds(kind, "1", same, same));
    }
}

#[test]
fn a_trigger_that_cannot_hold_is_refused() {
    let problems = |kind: TriggerKind, value: Option<&str>, field: Option<&str>| {
        let trigger = Trigger { kind, value: value.map(str::to_owned), field: field.map(str::to_owned) };
        let target = Target::Extract {
            items: None,
            fields: vec![Field { name: "price".to_owned(), selector: "p".to_owned(), key: false }],
        };
        trigger
            .check(&target)
            .into_iter()
            .map(|invalid| (invalid.pointer, invalid.problem))
            .collect::<Vec<_>>()
    };
    assert_eq!(problems(TriggerKind::Above, None, None), [("/value".to_owned(), Problem::Required)]);
    assert_eq!(
        problems(TriggerKind::Above, Some("cheap"), None),
        [("/value".to_owned(), Problem::Number(""))]
    );
    assert_eq!(problems(TriggerKind::Share, Some("101"), None).len(), 1);
    assert_eq!(problems(TriggerKind::Below, Some("-2.5"), Some("price")), []);
    assert_eq!(
        problems(TriggerKind::Any, None, Some("size")),
        [("/field".to_owned(), Problem::UnknownField)]
    );
}

#[test]
fn json_gives_values_as_texts_or_numbers() {
    let trigger: Trigger = serde_json::from_str(r#"{"kind":"above","value":12.5}"#).unwrap();
    assert_eq!(trigger.value.as_deref(), Some("12.5"));
    assert_eq!(serde_json::from_str::<Trigger>("{}").unwrap(), Trigger::default());
    assert!(serde_json::from_str::<Trigger>(r#"{"value":[1]}"#).is_err());
}
