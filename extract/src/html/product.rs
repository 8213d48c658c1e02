//! Product data that the extracted text lacks: price, availability and rating. The data is read from JSON-LD
//! and microdata as defined by schema.org (`Product`, `Offer`, `AggregateRating`), for pages of a single
//! product.

use serde_json::Value;

use super::fallback;
use crate::{
    document::{Block, BlockKind},
    page::{Page, PageType, Types},
    render,
};

/// Maximum number of values of the data that are visited.
const MAX_VISITED: usize = 50_000;
/// Maximum number of offers of a product that are read.
const MAX_OFFERS: usize = 100;
/// Maximum number of characters in a number.
const MAX_NUMBER_CHARS: usize = 24;

/// Adds a paragraph with product data below the main heading, if the blocks do not contain the data.
pub(super) fn complete(page: &Page, types: &Types, blocks: &mut Vec<Block>) {
    if blocks.is_empty() || types.best() != PageType::Product {
        return;
    }
    let missing = ProductData::of(page).missing_from(&render::text(blocks));
    if missing.is_empty() {
        return;
    }
    let at = usize::from(blocks.first().is_some_and(|block| block.kind == BlockKind::Heading));
    blocks.insert(at, Block { kind: BlockKind::Paragraph, text: missing.join(" · "), ..Block::default() });
}

/// Data of a product. Empty if the page has several products.
#[derive(Debug, Default)]
struct ProductData {
    /// Prices of all offers, as numbers without currency.
    prices: Vec<String>,
    currency: Option<String>,
    availability: Option<&'static str>,
    rating: Option<String>,
    best: Option<String>,
    ratings: Option<String>,
}

impl ProductData {
    fn of(page: &Page) -> Self {
        let data = fallback::json_ld(page);
        match products(&data)[..] {
            [] => Self::from_microdata(page),
            [thing] => Self::from_json_ld(thing),
            _ => Self::default(),
        }
    }

    /// Reads the data of a product in JSON-LD.
    fn from_json_ld(thing: &Value) -> Self {
        let offers: Vec<&Value> =
            thing.get("offers").map(as_list).unwrap_or_default().into_iter().take(MAX_OFFERS).collect();
        let priced: Vec<&Value> =
            offers.iter().flat_map(|offer| [Some(*offer), specification(offer)]).flatten().collect();
        let prices = priced
            .iter()
            .flat_map(|offer| ["price", "lowPrice", "highPrice"].map(|name| number(offer.get(name)?)));
        let availabilities = offers.iter().map(|offer| availability(offer.get("availability")?.as_str()?));
        let rating = thing.get("aggregateRating").map(as_list).unwrap_or_default().first().copied();
        let of_rating = |name: &str| number(rating?.get(name)?);
        Self {
            prices: prices.flatten().collect(),
            currency: priced.iter().find_map(|offer| currency(offer.get("priceCurrency")?.as_str()?)),
            availability: common_value(availabilities).flatten(),
            rating: of_rating("ratingValue"),
            best: of_rating("bestRating"),
            ratings: of_rating("ratingCount").or_else(|| of_rating("reviewCount")),
        }
    }

    /// Reads microdata from attributes. Empty if several different prices indicate several products.
    fn from_microdata(page: &Page) -> Self {
        let stated = |name: &'static str| {
            let named = (1..page.len()).filter(move |&id| page.attribute(id, "itemprop") == Some(name));
            named.filter_map(|id| page.value(id, "content").or_else(|| page.value(id, "href")))
        };
        let first = |name| stated(name).find_map(plain_number);
        let Some(Some(price)) = common_value(stated("price").map(plain_number)) else {
            return Self::default();
        };
        Self {
            prices: vec![price],
            currency: stated("priceCurrency").find_map(currency),
            availability: common_value(stated("availability").map(availability)).flatten(),
            rating: first("ratingValue"),
            best: first("bestRating"),
            ratings: first("ratingCount").or_else(|| first("reviewCount")),
        }
    }

    /// Data that `text` does not contain, formatted for readers.
    fn missing_from(&self, text: &str) -> Vec<String> {
        let price =
            self.price().filter(|[low, high]| !contains_number(text, low) || !contains_number(text, high));
        let price = price.map(|[low, high]| {
            let range = if low == high {
                pad_cents(low)
            } else {
                format!("{}–{}", pad_cents(low), pad_cents(high))
            };
            self.currency.as_ref().map_or_else(|| range.clone(), |currency| format!("{currency} {range}"))
        });
        let lower = text.to_lowercase();
        let availability = self.availability.filter(|words| !lower.contains(&words.to_lowercase()));
        let rating = self.rating.as_ref().filter(|rating| !contains_number(text, rating)).map(|rating| {
            let count = self.ratings.as_ref().map_or_else(String::new, |count| format!(" ({count})"));
            format!("{rating} / {}{count}", self.best.as_deref().unwrap_or("5"))
        });
        [price, availability.map(str::to_owned), rating].into_iter().flatten().collect()
    }

    /// Lowest and highest price of the offers.
    fn price(&self) -> Option<[&str; 2]> {
        let worth = |price: &&String| {
            let (whole, decimals) = split_decimals(price);
            format!("{whole}.{decimals}").parse::<f64>().unwrap_or(0.0)
        };
        let order = |one: &&String, other: &&String| worth(one).total_cmp(&worth(other));
        Some([self.prices.iter().min_by(order)?, self.prices.iter().max_by(order)?])
    }
}

/// Products with offers at any depth of the data.
fn products(data: &[Value]) -> Vec<&Value> {
    let mut matching = Vec::new();
    let mut queue: Vec<&Value> = data.iter().collect();
    let mut visited = 0;
    while let Some(value) = queue.pop() {
        visited += 1;
        if visited > MAX_VISITED {
            return Vec::new();
        }
        match value {
            Value::Array(all) => queue.extend(all.iter().take(MAX_VISITED)),
            Value::Object(_) if is_product(value) && value.get("offers").is_some() => matching.push(value),
            Value::Object(members) => queue.extend(members.values()),
            _ => {}
        }
    }
    matching
}

fn is_product(value: &Value) -> bool {
    let is = |kind: &&Value| matches!(kind.as_str(), Some("Product" | "ProductGroup" | "IndividualProduct"));
    value.get("@type").is_some_and(|kind| as_list(kind).iter().any(is))
}

/// Elements of an array, or the value as the only element.
fn as_list(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |all| all.iter().collect())
}

/// Price specification of an offer, if the price is in a nested object.
fn specification(offer: &Value) -> Option<&Value> {
    as_list(offer.get("priceSpecification")?).first().copied()
}

/// Value that all items have, or `None` if they differ.
fn common_value<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Number above zero, as text. Shops write zero for unknown values.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => plain_number(&number.to_string()),
        value => plain_number(value.as_str()?),
    }
}

fn plain_number(text: &str) -> Option<String> {
    let text = text.trim();
    let is_number = text.len() <= MAX_NUMBER_CHARS
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
        && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    is_number.then(|| text.to_owned())
}

/// ISO 4217 code in upper case.
fn currency(text: &str) -> Option<String> {
    let text = text.trim();
    (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .then(|| text.to_ascii_uppercase())
}

/// Pads one decimal digit to two. For example, `39.0` becomes `39.00`.
fn pad_cents(price: &str) -> String {
    let short = price.rsplit_once(['.', ',']).is_some_and(|(_, cents)| cents.len() == 1);
    format!("{price}{}", if short { "0" } else { "" })
}

/// True if the text contains the number with any thousands and decimal separators.
fn contains_number(text: &str, number: &str) -> bool {
    let expected = split_decimals(number);
    let is_part = |c: char| c.is_ascii_digit() || SEPARATORS.contains(&c);
    text.split(|c: char| !is_part(c))
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .any(|part| split_decimals(part) == expected)
}

/// Separators of thousands and decimals.
const SEPARATORS: [char; 5] = ['.', ',', '\'', '\u{a0}', '\u{202f}'];

/// Integer digits and decimals of a number. One or two digits after the last separator are decimals. Trailing
/// zeros of the decimals are dropped.
fn split_decimals(number: &str) -> (String, String) {
    let number = number.trim_end_matches(SEPARATORS);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match number.rsplit_once(SEPARATORS) {
        Some((whole, decimals)) if decimals.len() <= 2 => {
            (digits(whole), decimals.trim_end_matches('0').to_owned())
        }
        _ => (digits(number), String::new()),
    }
}

/// Converts the URL of a schema.org `ItemAvailability` value to a text for readers.
fn availability(address: &str) -> Option<&'static str> {
    Some(match address.rsplit('/').next()? {
        "InStock" | "InStoreOnly" | "OnlineOnly" => "In stock",
        "LimitedAvailability" => "Few left",
        "OutOfStock" | "SoldOut" => "Out of stock",
        "PreOrder" | "PreSale" => "Pre-order",
        "BackOrder" => "On back order",
        "Discontinued" => "Discontinued",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::parse_page;

    fn completed_texts(head: &str, text: &str) -> Vec<String> {
        let page =
            parse_page(&format!("<html><head>{head}</head><body><p>{text}</p></body></html>")).unwrap();
        let types = Types::certain(PageType::Product);
        let paragraph = Block { kind: BlockKind::Paragraph, text: text.to_owned(), ..Block::default() };
        let heading = Block { kind: BlockKind::Heading, text: "A shoe".to_owned(), ..Block::default() };
        let mut blocks = vec![heading, paragraph];
        complete(&page, &types, &mut blocks);
        blocks.into_iter().map(|block| block.text).collect()
    }

    fn linked(data: &str) -> String {
        format!("<script type='application/ld+json'>{data}</script>")
    }

    const SHOE: &str = r#"{"@graph":[{"@type":"Product","name":"Shoe","offers":[{"price":1089.5,"priceCurrency":"EUR",
        "availability":"https://schema.org/OutOfStock"}],"aggregateRating":{"ratingValue":"4.6","ratingCount":23}}]}"#;

    #[test]
    fn product_data_is_added_if_the_text_lacks_it() {
        let blocks = completed_texts(&linked(SHOE), "A light shoe.");
        assert_eq!(blocks, ["A shoe", "EUR 1089.50 · Out of stock · 4.6 / 5 (23)", "A light shoe."]);
        let seen = "A light shoe for 1.089,50 €. Out of stock. 4,6 of 5 stars.";
        assert_eq!(completed_texts(&linked(SHOE), seen), ["A shoe", seen]);
    }

    #[test]
    fn product_data_is_read_from_microdata_attributes() {
        let head = "<meta itemprop=price content=89.00><meta itemprop=priceCurrency content=EUR>\
                    <link itemprop=availability href='https://schema.org/InStock'>";
        assert_eq!(completed_texts(head, "A shoe in stock.")[1], "EUR 89.00");
        assert_eq!(completed_texts(head, "89 euros, in stock"), ["A shoe", "89 euros, in stock"]);
    }

    #[test]
    fn several_offers_become_a_price_range() {
        let of = |offers: &str| {
            completed_texts(&linked(&format!(r#"{{"@type":["Product"],"offers":{offers}}}"#)), "A shoe.")
        };
        let range = r#"{"@type":"AggregateOffer","lowPrice":"9.5","highPrice":12,"priceCurrency":"eur"}"#;
        assert_eq!(of(range)[1], "EUR 9.50–12");
        let two = r#"[{"price":"20","availability":"InStock"},{"price":"8.00","availability":"SoldOut"},{"price":0}]"#;
        assert_eq!(of(two)[1], "8.00–20", "values that differ between offers are left out");
        let nothing = r#"{"price":"0.00","priceCurrency":"<b>"}"#;
        assert_eq!(of(nothing).len(), 2);
    }

    #[test]
    fn several_products_and_invalid_values_are_ignored() {
        let listing = "<meta itemprop=price content=1><meta itemprop=price content=2>";
        assert_eq!(completed_texts(listing, "x").len(), 2);
        let two = format!("[{SHOE},{SHOE}]");
        assert_eq!(completed_texts(&linked(&two), "x").len(), 2);
        let both = format!("{}<meta itemprop=price content=7>", linked(&two));
        assert_eq!(completed_texts(&both, "x").len(), 2);
        let strange = r#"{"@type":"Product","offers":{"price":"<b>call us</b>","availability":"soon"},"aggregateRating":[]}"#;
        assert_eq!(completed_texts(&linked(strange), "x").len(), 2);
    }
}
