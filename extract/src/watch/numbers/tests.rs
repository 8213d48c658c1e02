//! Numbers in the notation of different locales.

use super::super::target::NumberChoice;
use super::*;

fn read(text: &str) -> Vec<String> {
    read_as(text, NumberFormat::default())
}

fn read_as(text: &str, custom: NumberFormat) -> Vec<String> {
    let show = |amount: &Amount| match amount.currency {
        Some(currency) => format!("{} {currency}", amount.number),
        None => amount.number.to_string(),
    };
    amounts(text, custom).iter().map(show).collect()
}

fn chosen_of(text: &str, choice: NumberChoice) -> String {
    chosen(&amounts(text, NumberFormat::default()), choice).unwrap().number.to_string()
}

#[test]
fn prices_are_read_in_common_notations() {
    for (text, expected) in [
        ("999 €", "999 EUR"),
        ("1.299 €", "1299 EUR"),
        ("1.299,00 €", "1299 EUR"),
        ("1,299.50 USD", "1299.5 USD"),
        ("1 299,00 kr", "1299 KR"),
        ("1\u{a0}299,50\u{202f}€", "1299.5 EUR"),
        ("CHF 1'299.–", "1299 CHF"),
        ("Fr. 1’299.50", "1299.5 CHF"),
        ("$89", "89 USD"),
        ("EUR120", "120 EUR"),
        ("12,90€", "12.9 EUR"),
        ("12.345.678 €", "12345678 EUR"),
        ("-$5.25", "-5.25 USD"),
        ("0.125", "0.125"),
        ("1234.567", "1234.567"),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
}

#[test]
fn dates_versions_and_names_are_not_numbers() {
    for text in ["12.05.2026", "v1.2.3", "4f3a", "01T23", "192.168.1.10", "sold out"] {
        assert_eq!(read(text), [""; 0], "{text}");
    }
}

#[test]
fn ambiguous_separator_is_resolved_by_known_format() {
    let observed = |separator| NumberFormat { observed: Some(separator), ..NumberFormat::default() };
    let language =
        |tag| NumberFormat { usual_separator: DecimalSeparator::of_language(tag), ..NumberFormat::default() };
    assert_eq!(read("1.299"), ["1.299"], "an ambiguous separator is retained if the format is unknown");
    assert_eq!(read_as("1.299", observed(DecimalSeparator::Comma)), ["1299"]);
    assert_eq!(
        read_as("1.299 €", observed(DecimalSeparator::Point)),
        ["1.299 EUR"],
        "a point is the decimal separator, as for fuel prices"
    );
    assert_eq!(read_as("1.299", language("de-DE")), ["1299"]);
    assert_eq!(read_as("1.299", language("en")), ["1.299"]);
    assert_eq!(read_as("1,299", language("en")), ["1299"]);
    assert_eq!(read_as("1.299", NumberFormat { is_money: true, ..NumberFormat::default() }), ["1299"]);
    assert_eq!(
        amounts("1.299,00", NumberFormat::default())[0].decimal_separator,
        Some(DecimalSeparator::Comma)
    );
    assert_eq!(amounts("1.299 €", NumberFormat::default())[0].decimal_separator, None);
}

#[test]
fn number_choice_selects_one_of_several_numbers() {
    let was = "was 129 € now 89 €";
    assert_eq!(chosen_of(was, NumberChoice::First), "89", "the price that is to be paid");
    assert_eq!(chosen_of("129 € now 89 €", NumberChoice::First), "129");
    assert_eq!(chosen_of(was, NumberChoice::Greatest), "129");
    assert_eq!(chosen_of(was, NumberChoice::Last), "89");
    assert_eq!(chosen_of(was, NumberChoice::Least), "89");
    let range = "from 89 to 129 €";
    assert_eq!(chosen_of(range, NumberChoice::Least), "89");
    assert_eq!(chosen_of(range, NumberChoice::Greatest), "129");
    assert_eq!(chosen_of("2 pieces for 15 €", NumberChoice::First), "15", "money before bare numbers");
}

#[test]
fn numbers_with_different_scale_are_compared_and_subtracted() {
    let number = |text| only(text, NumberFormat::default()).unwrap();
    assert!(number("9,5") < number("9.51"));
    assert_eq!(number("10.0"), Number::plain("10").unwrap());
    assert_eq!(Number::difference(number("9.5"), number("11")).as_deref(), Some("+1.5"));
    assert_eq!(Number::difference(number("11"), number("9.5")).as_deref(), Some("−1.5"));
    assert_eq!(Number::difference(number("1,0"), number("1")), None);
}

#[test]
fn fall_is_compared_with_exact_decimals() {
    let fell = |before: &str, now: &str, step: Option<&str>| {
        let number = |text: &str| Number::plain(text).unwrap();
        number(now).fell_from(number(before), step.map(|step| MinimumStep::parse(step).unwrap()))
    };
    assert!(fell("1.10", "0.99", Some("10%")) && !fell("1.10", "0.991", Some("10%")));
    assert!(fell("3", "2.9999", None) && !fell("3", "3.0", None) && !fell("3", "4", None));
    assert!(fell("3", "2.5", Some("0.5")) && !fell("3", "2.51", Some("0.5")));
    assert!(fell("-10", "-11", Some("10%")) && !fell("-10", "-9", Some("1%")));
    assert!(fell("0", "-1", Some("50%")), "any fall from zero is infinitely large");
    assert!(!fell("999999999999999999", "999999999999999998", Some("10000%")));
    for text in ["", "0", "0%", "-1", "x%", "5 %%"] {
        assert!(MinimumStep::parse(text).is_none(), "{text}");
    }
}

#[test]
fn number_with_too_many_groups_is_ignored() {
    assert!(read(&format!("1{}", " 234".repeat(200_000))).is_empty());
    assert_eq!(read("1 234 567,5 and 1,5 234"), ["1234567.5", "1.5", "234"]);
}
