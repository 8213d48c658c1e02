//! Validation of conditions, their combination, and their form as lines of text.

use super::*;
use crate::watch::target::WatchedField;

fn test(kind: TestKind, field: &str, value: &str) -> ValueTest {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    ValueTest::new(kind, given(field), given(value))
}

fn group(join: Join, tests: Vec<ValueTest>) -> ConditionGroup {
    ConditionGroup { join, tests }
}

fn shop() -> Target {
    let field = |name: &str| WatchedField::new(name, ".it");
    Target::Extract { items: None, fields: vec![field("price"), field("stock")] }
}

fn problem(test: ValueTest) -> Option<(String, InvalidReason)> {
    let problems = Condition::of(test).check(&shop());
    problems.into_iter().next().map(|invalid| (invalid.pointer, invalid.problem))
}

#[test]
fn condition_is_unknown_only_if_it_depends_on_unknown_results() {
    let (yes, no) = (Some(true), Some(false));
    for (join, results, expected) in [
        (Join::All, [yes, yes], yes),
        (Join::All, [None, no], no),
        (Join::All, [None, yes], None),
        (Join::Any, [no, no], no),
        (Join::Any, [None, yes], yes),
        (Join::Any, [None, no], None),
    ] {
        assert_eq!(join.of(results), expected, "{join:?} of {results:?}");
    }
}

#[test]
fn tests_are_combined_before_groups() {
    let tests = |negated: bool| {
        let one = test(TestKind::Falls, "price", "");
        vec![one.clone(), ValueTest { is_negated: negated, ..one }]
    };
    let condition = Condition {
        join: Join::Any,
        groups: vec![group(Join::All, tests(true)), group(Join::All, tests(false))],
    };
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(condition.holds(&[yes, no, no, no]), yes, "the second test is negated");
    assert_eq!(condition.holds(&[yes, yes, yes, no]), no);
    assert_eq!(condition.holds(&[yes, yes, yes, None]), None);
}

#[test]
fn test_value_is_validated_by_test_kind() {
    for (kind, value) in [
        (TestKind::Contains, "in stock"),
        (TestKind::Matches, r"v\d+"),
        (TestKind::Above, "-2.5"),
        (TestKind::Falls, ""),
        (TestKind::Falls, "10%"),
        (TestKind::Rises, "0.5"),
        (TestKind::NewLow, "30"),
        (TestKind::LengthBelow, "20"),
        (TestKind::SimilarityBelow, "80"),
        (TestKind::SimilarityBelow, "80%"),
    ] {
        assert_eq!(problem(test(kind, "price", value)), None, "{kind:?} {value}");
    }
    for (kind, value) in [
        (TestKind::Contains, "*"),
        (TestKind::Contains, ""),
        (TestKind::Matches, "("),
        (TestKind::Above, "cheap"),
        (TestKind::Falls, "-5"),
        (TestKind::Falls, "0%"),
        (TestKind::Rises, "20000%"),
        (TestKind::NewLow, "0"),
        (TestKind::NewHigh, "366"),
        (TestKind::LengthAbove, "-1"),
        (TestKind::SimilarityBelow, "101"),
    ] {
        let problem = problem(test(kind, "price", value)).expect(value);
        assert_eq!(problem.0, "/groups/0/tests/0/value", "{kind:?} {value}");
    }
}

#[test]
fn invalid_fields_and_ranges_are_rejected() {
    let range = |up_to: Option<&str>| ValueTest {
        up_to: up_to.map(str::to_owned),
        ..test(TestKind::Between, "price", "10")
    };
    let pointer =
        |test: ValueTest| problem(test).map(|(pointer, _)| pointer.replace("/groups/0/tests/0", ""));
    assert_eq!(pointer(range(Some("10"))), None);
    for wrong in [None, Some("9.99"), Some("many")] {
        assert_eq!(pointer(range(wrong)).as_deref(), Some("/up_to"), "{wrong:?}");
    }
    let unused = ValueTest { up_to: Some("1".into()), ..test(TestKind::Above, "price", "1") };
    assert_eq!(pointer(unused).as_deref(), Some("/up_to"));
    assert_eq!(pointer(test(TestKind::Above, "size", "1")).as_deref(), Some("/field"));
    assert_eq!(pointer(test(TestKind::Above, "", "1")).as_deref(), Some(""), "which of the two fields?");
    assert_eq!(pointer(test(TestKind::Contains, "", "sold")), None);
    assert_eq!(pointer(test(TestKind::CountAbove, "price", "1")).as_deref(), Some("/field"));
    assert_eq!(pointer(test(TestKind::CountAbove, "", "1")), None);
    let page = Target::Page { selector: None };
    assert!(!Condition::of(test(TestKind::Falls, "", "")).check(&page).is_empty());
    assert!(Condition::of(test(TestKind::Contains, "", "storm")).check(&page).is_empty());
}

#[test]
fn size_of_a_condition_is_limited() {
    let count = |groups: usize, tests: usize| {
        let tests = vec![test(TestKind::Falls, "price", ""); tests];
        let groups = vec![group(Join::All, tests); groups];
        Condition { join: Join::Any, groups }.check(&shop()).len()
    };
    assert_eq!((count(5, 2), count(1, 10)), (0, 0));
    assert!(count(6, 1) > 0 && count(1, 11) > 0 && count(0, 0) > 0 && count(1, 0) > 0);
}

#[test]
fn condition_lines_are_parsed_and_formatted() {
    let text =
        "price falls by 10%\nnot stock contains sold out\nor\nprice between 5 and 9.50\nor\ncount above 3";
    let condition = Condition::parse(text).unwrap();
    assert_eq!(condition.join, Join::Any);
    assert_eq!(condition.groups.len(), 3);
    assert_eq!(condition.groups[0].tests[0], test(TestKind::Falls, "price", "10%"));
    assert!(condition.groups[0].tests[1].is_negated);
    assert_eq!(condition.groups[1].tests[0].up_to.as_deref(), Some("9.50"));
    assert_eq!(condition.lines().as_deref(), Some(text));
    assert_eq!(
        condition.to_string(),
        "(price falls by 10% and not stock contains sold out) or price between 5 and 9.50 or count above 3"
    );
    for (kind, _) in lines::PHRASES {
        let value = if kind == TestKind::Falls { "" } else { "7" };
        let written = test(kind, "my price", value).to_string();
        assert_eq!(ValueTest::parse(&written), Some(test(kind, "my price", value)), "{written}");
    }
    assert_eq!(Condition::parse("price falls\n\nprice is low"), Err(3));
}

#[test]
fn condition_that_lines_cannot_express_has_no_line_form() {
    let fall = || test(TestKind::Falls, "price", "");
    let either = || group(Join::Any, vec![fall(), fall()]);
    let both = Condition { join: Join::All, groups: vec![either(), either()] };
    assert_eq!(both.lines(), None);
    assert_eq!(both.to_string(), "(price falls or price falls) and (price falls or price falls)");
    let one = Condition { join: Join::All, groups: vec![either()] };
    assert_eq!(one.lines().as_deref(), Some("price falls\nor\nprice falls"));
    let ambiguous = Condition::of(test(TestKind::Below, "length", "5"));
    assert_eq!(ambiguous.lines(), None, "it would be parsed as the length of any text");
}

#[test]
fn stored_condition_uses_api_names() {
    let stored = r#"{"join":"any","groups":[{"join":"all","tests":[{"test":"new_low","field":"price","value":"30","not":true}]}]}"#;
    let condition: Condition = serde_json::from_str(stored).unwrap();
    assert!(condition.groups[0].tests[0].is_negated);
    assert_eq!(serde_json::to_string(&condition).unwrap(), stored);
}
