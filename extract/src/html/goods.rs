//! What a page of one thing that is sold states in its data and shows nowhere in the text that is kept: its price, whether it can be
//! had, how it is rated. Read from JSON-LD and from microdata as schema.org names them (`Product`, `Offer`, `AggregateRating`).

use serde_json::Value;

use super::{
    fallback,
    main_part::{PageType, Types},
    tree::Page,
};
use crate::{
    document::{Block, BlockKind},
    render,
};

/// A page that states more things is a list of them.
const MOST_THINGS: usize = 1;
/// Members of data that are looked at.
const MOST_LOOKED_AT: usize = 50_000;
/// A price, a currency or a number of ratings has no more characters.
const MOST_CHARS: usize = 24;

/// Adds one paragraph below the main heading with what the text of the blocks does not say.
pub(super) fn complete(page: &Page, types: &Types, blocks: &mut Vec<Block>) {
    if blocks.is_empty() || types.best() != PageType::Product {
        return;
    }
    let stated = Stated::of_data(page).unwrap_or_else(|| Stated::of_markup(page));
    let missing = stated.missing_in(&render::text(blocks));
    if missing.is_empty() {
        return;
    }
    let at = usize::from(blocks.first().is_some_and(|block| block.kind == BlockKind::Heading));
    blocks.insert(at, Block { kind: BlockKind::Paragraph, text: missing.join(" · "), ..Block::default() });
}

/// What is stated of a thing.
#[derive(Debug, Default)]
struct Stated {
    price: Option<String>,
    currency: Option<String>,
    availability: Option<String>,
    rating: Option<String>,
    best: Option<String>,
    ratings: Option<String>,
}

impl Stated {
    /// From JSON-LD, where it states one thing.
    fn of_data(page: &Page) -> Option<Self> {
        let data = fallback::linked(page);
        let things = products(&data);
        if things.is_empty() || things.len() > MOST_THINGS {
            return None;
        }
        let thing = things.first()?;
        let first = |value: &Value| value.as_array().and_then(|all| all.first()).unwrap_or(value).clone();
        let offer = thing.get("offers").map(first).unwrap_or_default();
        let inner = offer.get("priceSpecification").map(first).unwrap_or_default();
        let rating = thing.get("aggregateRating").map(first).unwrap_or_default();
        let of = |value: &Value, names: &[&str]| names.iter().find_map(|name| word(value.get(*name)?));
        Some(Self {
            price: of(&offer, &["price", "lowPrice"]).or_else(|| of(&inner, &["price"])),
            currency: of(&offer, &["priceCurrency"]).or_else(|| of(&inner, &["priceCurrency"])),
            availability: offer.get("availability").and_then(Value::as_str).map(str::to_owned),
            rating: of(&rating, &["ratingValue"]),
            best: of(&rating, &["bestRating"]),
            ratings: of(&rating, &["ratingCount", "reviewCount"]),
        })
    }

    /// From microdata in attributes, which nobody sees.
    fn of_markup(page: &Page) -> Self {
        let mut stated = Self::default();
        for id in 1..page.len() {
            let Some(name) = page.attribute(id, "itemprop") else { continue };
            let value = || page.value(id, "content").or_else(|| page.value(id, "href"));
            let short = || value().filter(|text| text.chars().count() <= MOST_CHARS).map(str::to_owned);
            match name {
                "price" | "lowPrice" => stated.price = stated.price.take().or_else(short),
                "priceCurrency" => stated.currency = stated.currency.take().or_else(short),
                "availability" => {
                    stated.availability = stated.availability.take().or_else(|| value().map(str::to_owned));
                }
                "ratingValue" => stated.rating = stated.rating.take().or_else(short),
                "bestRating" => stated.best = stated.best.take().or_else(short),
                "ratingCount" | "reviewCount" => stated.ratings = stated.ratings.take().or_else(short),
                _ => {}
            }
        }
        stated
    }

    /// What of it a text does not say.
    fn missing_in(&self, text: &str) -> Vec<String> {
        let mut missing = Vec::new();
        if let Some(price) = self.price.as_deref().filter(|price| is_number(price) && !says(text, price)) {
            // Cents have two digits; data may say 39.0.
            let cents = if price.rsplit_once(['.', ',']).is_some_and(|(_, cents)| cents.len() == 1) {
                "0"
            } else {
                ""
            };
            missing.push(match &self.currency {
                Some(currency) => format!("{currency} {price}{cents}"),
                None => format!("{price}{cents}"),
            });
        }
        if let Some(words) = self.availability.as_deref().and_then(availability)
            && !text.to_lowercase().contains(&words.to_lowercase())
        {
            missing.push(words.to_owned());
        }
        if let Some(rating) = self.rating.as_deref().filter(|rating| is_number(rating) && !says(text, rating))
        {
            let best = self.best.as_deref().filter(|best| is_number(best)).unwrap_or("5");
            let count = self.ratings.as_deref().filter(|count| is_number(count));
            missing.push(match count {
                Some(count) => format!("{rating} / {best} ({count})"),
                None => format!("{rating} / {best}"),
            });
        }
        missing
    }
}

/// The things that are sold, wherever they stand in the data.
fn products(data: &[Value]) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut queue: Vec<&Value> = data.iter().collect();
    let mut looked_at = 0;
    while let Some(value) = queue.pop() {
        looked_at += 1;
        if looked_at > MOST_LOOKED_AT {
            return Vec::new();
        }
        match value {
            Value::Array(all) => queue.extend(all.iter().take(MOST_LOOKED_AT)),
            Value::Object(members) => {
                if is_product(value) && value.get("offers").is_some() {
                    found.push(value);
                } else {
                    queue.extend(members.values());
                }
            }
            _ => {}
        }
    }
    found
}

fn is_product(value: &Value) -> bool {
    let is = |kind: &Value| matches!(kind.as_str(), Some("Product" | "ProductGroup" | "IndividualProduct"));
    value.get("@type").is_some_and(|kind| is(kind) || kind.as_array().is_some_and(|all| all.iter().any(is)))
}

/// A short text or a number.
fn word(value: &Value) -> Option<String> {
    let text = value
        .as_str()
        .map(|text| text.trim().to_owned())
        .or_else(|| value.as_number().map(ToString::to_string))?;
    (1..=MOST_CHARS).contains(&text.chars().count()).then_some(text)
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',')
}

/// Whether a text has a number, in whatever way it writes its thousands and its cents.
fn says(text: &str, number: &str) -> bool {
    let wanted = parts(number);
    let is_part = |c: char| c.is_ascii_digit() || SEPARATORS.contains(&c);
    text.split(|c: char| !is_part(c))
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .any(|part| parts(part) == wanted)
}

/// What parts thousands and cents.
const SEPARATORS: [char; 5] = ['.', ',', '\'', '\u{a0}', '\u{202f}'];

/// The digits of a number before its decimals, and these without zeros at their end. One or two digits behind the last
/// separator are decimals.
fn parts(number: &str) -> (String, String) {
    let number = number.trim_end_matches(SEPARATORS);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match number.rsplit_once(SEPARATORS) {
        Some((whole, decimals)) if decimals.len() <= 2 => {
            (digits(whole), decimals.trim_end_matches('0').to_owned())
        }
        _ => (digits(number), String::new()),
    }
}

/// What schema.org's `ItemAvailability` is called.
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

    fn told(head: &str, text: &str) -> Vec<String> {
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
    fn what_the_data_state_and_the_text_does_not_say_is_told_once() {
        let blocks = told(&linked(SHOE), "A light shoe.");
        assert_eq!(blocks, ["A shoe", "EUR 1089.50 · Out of stock · 4.6 / 5 (23)", "A light shoe."]);
        let seen = "A light shoe for 1.089,50 €. Out of stock. 4,6 of 5 stars.";
        assert_eq!(told(&linked(SHOE), seen), ["A shoe", seen]);
    }

    #[test]
    fn microdata_that_nobody_sees_counts_too() {
        let head = "<meta itemprop=price content=89.00><meta itemprop=priceCurrency content=EUR>\
                    <link itemprop=availability href='https://schema.org/InStock'>";
        assert_eq!(told(head, "A shoe in stock.")[1], "EUR 89.00");
        assert_eq!(told(head, "89 euros, in stock"), ["A shoe", "89 euros, in stock"]);
    }

    #[test]
    fn a_list_of_things_and_strange_values_are_left_alone() {
        let two = format!("[{SHOE},{SHOE}]");
        assert_eq!(told(&linked(&two), "x").len(), 2);
        let strange = r#"{"@type":"Product","offers":{"price":"<b>call us</b>","availability":"soon"},"aggregateRating":[]}"#;
        assert_eq!(told(&linked(strange), "x").len(), 2);
    }
}
