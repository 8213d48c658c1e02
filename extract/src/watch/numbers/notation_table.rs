//! Table of numbers in the notations that people use.

use super::super::target::NumberChoice;
use super::*;

/// Formats the number and the currency that are selected from a text.
fn read(text: &str, number_format: NumberFormat) -> String {
    match chosen(&amounts(text, number_format), NumberChoice::First) {
        None => "none".to_owned(),
        Some(amount) => match amount.currency {
            Some(currency) => format!("{} {currency}", amount.number),
            None => amount.number.to_string(),
        },
    }
}

/// Asserts the result of each row in a table. A row consists of a text and the expected amount.
fn assert_read(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, read(text, NumberFormat::default()), expected))
        .filter(|(_, result, expected)| result != *expected)
        .map(|(text, result, expected)| format!("{text:?}: {result} instead of {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const PRICES: &[(&str, &str)] = &[
    ("999 €", "999 EUR"),
    ("1.299,00 EUR", "1299 EUR"),
    ("$1,299.99", "1299.99 USD"),
    ("US$ 1,299", "1299 USD"),
    ("£1,299", "1299 GBP"),
    ("￥12,800", "12800 JPY"),
    ("12,800円（税込）", "12800 JPY"),
    ("CNY 1299", "1299 CNY"),
    ("1'299.– CHF", "1299 CHF"),
    ("Fr. 1’299.50", "1299.5 CHF"),
    ("₹1,29,900", "129900 INR"),
    ("Rs. 1,29,900/-", "129900 RS"),
    ("Rs.1,299", "1299 RS"),
    ("12 990 ₽", "12990 RUB"),
    ("12 990 руб.", "12990 RUB"),
    ("12 990 р.", "12990 RUB"),
    ("₩129,000", "129000 KRW"),
    ("129,000원", "129000 KRW"),
    ("12.990 TL", "12990 TRY"),
    ("12.990,00 ₺", "12990 TRY"),
    ("1 299 грн", "1299 UAH"),
    ("₪1,299", "1299 ILS"),
    ("฿1,299", "1299 THB"),
    ("1.299.000 ₫", "1299000 VND"),
    ("1.299.000đ", "1299000 VND"),
    ("129.000 đ", "129000 VND"),
    ("1 299 kr", "1299 KR"),
    ("1 299kr", "1299 KR"),
    ("kr. 1.299,95", "1299.95 KR"),
    ("1 299,99 zł", "1299.99 PLN"),
    ("12 990 Kč", "12990 CZK"),
    ("1.299,- Kč", "1299 CZK"),
    ("14.990 Ft", "14990 HUF"),
    ("14 990 Ft", "14990 HUF"),
    ("14990Ft", "14990 HUF"),
    ("1.299 lei", "1299 RON"),
    ("1.299,99 Lei", "1299.99 RON"),
    ("12,90 лв.", "12.9 BGN"),
    ("1.299 дин", "1299 RSD"),
    ("C$ 1,299.00", "1299 CAD"),
    ("CA$1,299.00", "1299 CAD"),
    ("A$1,299.00", "1299 AUD"),
    ("AU$ 45", "45 AUD"),
    ("NZ$1,299", "1299 NZD"),
    ("S$1,299.00", "1299 SGD"),
    ("HK$1,299", "1299 HKD"),
    ("NT$12,990", "12990 TWD"),
    ("R$ 1.299,00", "1299 BRL"),
    ("R$1.299", "1299 BRL"),
    ("MX$1,299.00", "1299 MXN"),
    ("AR$ 129.999", "129999 ARS"),
    ("CLP 129.990", "129990 CLP"),
    ("S/ 1,299.00", "1299 PEN"),
    ("S/1,299.00", "1299 PEN"),
    ("Rp1.499.000", "1499000 IDR"),
    ("Rp 1.299", "1299 IDR"),
    ("RM 1,299.00", "1299 MYR"),
    ("₱1,299.00", "1299 PHP"),
    ("৳ 1,299", "1299 BDT"),
    ("AED 1,299.00", "1299 AED"),
    ("Dhs. 1,299", "1299 AED"),
    ("1,299 د.إ", "1299 AED"),
    ("١٬٢٩٩ ر.س", "1299 SAR"),
    ("SR 1,299", "1299 SAR"),
    ("KWD 12.500", "12.5 KWD"),
    ("OMR 1.250", "1.25 OMR"),
    ("EGP 12,999", "12999 EGP"),
    ("۱۲۹۹ تومان", "1299 IRT"),
    ("₦129,900", "129900 NGN"),
    ("KSh 1,299", "1299 KES"),
    ("12 990 ₸", "12990 KZT"),
    ("129.90 ₾", "129.9 GEL"),
    ("ZAR 1 299.00", "1299 ZAR"),
    ("R1 299.00", "1299"),
    ("R1,299.00", "1299"),
    ("税込12,800円", "12800 JPY"),
    ("価格12,800円税込10%", "12800 JPY"),
    ("约1299元", "1299 CNY"),
    ("ราคา1,299บาท", "1299 THB"),
    ("UGX 129,000", "129000 UGX"),
    ("TSh 129,000", "129000 TZS"),
    ("DZD 12.990", "12990 DZD"),
    ("Birr 1,299", "1299 ETB"),
    ("1 299 000 сум", "1299000 UZS"),
    ("RD$1,299.00", "1299 DOP"),
    ("J$1,299.00", "1299 JMD"),
    ("RWF 12,990", "12990 RWF"),
    ("IQD 129,000", "129000 IQD"),
    ("XAF 12 990", "12990 XAF"),
    ("NPR 12,990", "12990 NPR"),
    ("BMW R1200 GS 12.999 €", "12999 EUR"),
    ("12.990 din.", "12990 RSD"),
    ("12.990 ден.", "12990 MKD"),
    ("12.990 Lekë", "12990 ALL"),
    ("Q1,299.00", "1299"),
    ("RRP 129.99 now 89.99", "89.99"),
    ("UVP 129,99 € 89,99 €", "89.99 EUR"),
    ("Was: USD 129, now USD 89", "89 USD"),
    ("Save $200 $1,299", "1299 USD"),
    ("$1,299 (save $200)", "1299 USD"),
    ("was 149 €, now 12 €/kg", "12 EUR"),
    ("statt 149 €", "149 EUR"),
];

#[test]
fn prices_in_sixty_currencies_are_read() {
    assert_read(PRICES);
}

#[test]
fn digits_of_other_scripts_and_multipliers_are_parsed() {
    assert_read(&[
        ("１２，８００円", "12800 JPY"),
        ("١٢٩٩", "1299"),
        ("۱۲۹۹", "1299"),
        ("१,२९९ ₹", "1299 INR"),
        ("๑,๒๙๙ บาท", "1299 THB"),
        ("1万2800円", "12800 JPY"),
        ("1.2万元", "12000 CNY"),
        ("3億5000万円", "350000000 JPY"),
        ("12만 9,000원", "129000 KRW"),
        ("1,23,456", "123456"),
        ("₹1,29,900.00", "129900 INR"),
        ("₹99,900.00", "99900 INR"),
        ("₹1.5 lakh", "150000 INR"),
        ("2 crore", "20000000"),
        ("₹1.35 Cr", "13500000 INR"),
        ("12 Cr", "12"),
        ("Rp 1,5 juta", "1500000 IDR"),
        ("Rp 950 ribu", "950000 IDR"),
        ("$1.2M", "1200000 USD"),
        ("£1.25m", "1250000 GBP"),
        ("12k", "12000"),
        ("2,5 Mio. €", "2500000 EUR"),
        ("1,2 Mrd. €", "1200000000 EUR"),
        ("12 тыс. руб.", "12000 RUB"),
        ("99¢", "0.99"),
        ("5¢", "0.05"),
    ]);
}

#[test]
fn raised_decimals_and_inner_currency_symbols_are_read() {
    assert_read(&[
        ("89⁹⁹ €", "89.99 EUR"),
        ("1.299⁹⁹ €", "1299.99 EUR"),
        ("1.45⁹", "1.459"),
        ("$3.59⁹", "3.599 USD"),
        ("£1·45", "1.45 GBP"),
        ("1 299€99", "1299.99 EUR"),
        ("19€99", "19.99 EUR"),
        ("19,90€", "19.9 EUR"),
        ("120 €¹", "120 EUR"),
        ("1.299,–", "1299"),
        ("49,- €", "49 EUR"),
        ("49,90,- €", "49.9 EUR"),
        ("2 499:-", "2499"),
    ]);
}

#[test]
fn prices_next_to_struck_out_prices_ranges_and_units_are_read() {
    assert_read(&[
        ("~~129,00 €~~ 89,00 €", "89 EUR"),
        ("89 € ~~129 €~~", "89 EUR"),
        ("~~129 €~~", "129 EUR"),
        ("from 89 to 129 €", "89 EUR"),
        ("89–129 €", "89 EUR"),
        ("24 x 49,90 €", "49.9 EUR"),
        ("2 for $5", "5 USD"),
        ("19,90 €/kg 1,99 €", "1.99 EUR"),
        ("1,99 € (19,90 €/kg)", "1.99 EUR"),
        ("(2,58 €/100 g) 1,29 €", "1.29 EUR"),
        ("1.459 €/l", "1.459 EUR"),
        ("1,799 € / Liter", "1.799 EUR"),
        ("$3.599/gal", "3.599 USD"),
        ("0,299 €/kWh", "0.299 EUR"),
        ("1.299 €/m²", "1299 EUR"),
        ("iPhone 15 899 €", "899 EUR"),
        ("Prix 15 899 €", "15899 EUR"),
        ("MacBook 14 1 899 €", "1899 EUR"),
        ("- 5 °C", "-5"),
        ("Temperature: − 12 °C", "-12"),
        ("- 5 apples", "5"),
    ]);
}

#[test]
fn ambiguous_number_is_read_near_last_number_or_limit() {
    let near = |last: Option<&str>, limit: Option<&str>| NumberFormat {
        last: last.and_then(Number::plain),
        limit: limit.and_then(Number::plain),
        ..NumberFormat::default()
    };
    for (text, last, limit, expected) in [
        ("1,799 €", None, None, "1799 EUR"),
        ("1,799 €", None, Some("1.7"), "1.799 EUR"),
        ("1,799 €", Some("1.749"), Some("1000"), "1.799 EUR"),
        ("1,799 €", Some("1699"), Some("1.7"), "1799 EUR"),
        ("1.299", None, Some("1000"), "1299"),
        ("1.299 €", Some("999"), None, "1299 EUR"),
        ("14.990 Ft", Some("15"), Some("15"), "14990 HUF"),
        ("Galaxy 24 799 €", Some("820"), None, "799 EUR"),
        ("Galaxy 24 799 €", Some("25000"), None, "24799 EUR"),
    ] {
        assert_eq!(read(text, near(last, limit)), expected, "{text} {last:?} {limit:?}");
    }
}

#[test]
fn number_is_ambiguous_if_known_properties_disagree() {
    let is_ambiguous = |text: &str, limit: Option<&str>, language: Option<&str>| {
        let number_format = NumberFormat {
            limit: limit.and_then(Number::plain),
            usual_separator: language.and_then(DecimalSeparator::of_language),
            ..NumberFormat::default()
        };
        amounts(text, number_format).iter().any(|amount| amount.is_ambiguous)
    };
    assert!(is_ambiguous("1,799 €", Some("1.7"), Some("en")));
    assert!(is_ambiguous("1,799 €", None, None));
    assert!(is_ambiguous("1.299", None, Some("en")), "a single fact is not enough");
    assert!(!is_ambiguous("1,799 €", Some("1500"), Some("en")));
    assert!(!is_ambiguous("1.299 €", None, Some("de")));
    for text in ["14.990 Ft", "1.459 €/l", "KWD 12.500", "1.299,00 €", "89 €", "1.299.000"] {
        assert!(!is_ambiguous(text, None, None), "{text}");
    }
}
