//! Reads the product of a page: name, price, currency and availability, for each variant. The sources are
//! JSON-LD, microdata and Open Graph. Missing values are read from the text of the page.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::{
    embedded, items,
    line_text::tidy,
    numbers::{self, NumberFormat},
    observation::{Observation, ObservationWarning},
    part,
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    suggest,
    suggestion::{Suggestion, SuggestionKind},
    target::PRODUCT_FIELDS,
    value_store::cut,
};
use crate::page::{Id, Page};

/// Maximum number of JSON-LD objects that are searched for a product.
const MAX_OBJECTS: usize = 2_000;
/// Maximum number of variants of a product.
const MAX_VARIANTS: usize = 200;
/// Maximum number of characters in a value.
const MAX_VALUE_CHARS: usize = 300;
/// Types of JSON-LD objects that are products.
const TYPES: [&str; 7] =
    ["Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car"];

/// Availability phrases that are recognised at the start of a text.
const AVAILABILITY: [&str; 10] = [
    "in stock", "out of stock", "sold out", "few left", "limited availability", "pre-order", "pre order",
    "on back order", "back order", "discontinued",
];
/// Characters that terminate an availability phrase.
const CLAUSE_MARKS: [char; 9] = ['.', ',', '!', ';', '(', '–', '—', '|', '·'];

/// Product, or one variant of a product.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Variant {
    /// Number or name that identifies the variant.
    key: String,
    name: Option<String>,
    price: Option<String>,
    currency: Option<String>,
    /// Availability in words, such as `in stock`.
    availability: Option<String>,
}

/// Reads the product as one item, or as one item for each variant.
pub(super) fn read(page: &Page) -> Observation {
    let mut variants = stated(page);
    let is_cut = variants.len() > MAX_VARIANTS;
    variants.truncate(MAX_VARIANTS);
    if variants.is_empty() {
        variants.push(Variant::default());
    }
    if let [only] = variants.as_mut_slice() {
        only.complete_from_text(page);
    }
    let is_absent = variants.iter().all(|variant| variant.price.is_none() && variant.availability.is_none());
    let many = variants.len() > 1;
    let mut items: Vec<ExtractedItem> = variants.into_iter().map(|variant| variant.item(many)).collect();
    // Variants with the same number get distinct keys by their order.
    items::distinguish(&mut items);
    let has_gap = items.iter().flat_map(|item| &item.fields).any(|field| field.value.is_none());
    let mut observation = Observation::of(Snapshot::Items(items));
    observation.absent = is_absent.then(|| "/targetType".to_owned());
    if is_cut {
        observation.warnings.push(ObservationWarning::TruncatedSource);
    }
    if has_gap {
        observation.warnings.push(ObservationWarning::FieldMissing);
    }
    observation
}

/// Suggests the product in the structured data of the page. `None` if the data contains no product.
pub(super) fn suggestion(page: &Page) -> Option<Suggestion> {
    let first = stated(page).into_iter().next()?;
    let price = first.price.as_deref()?;
    let amounts = numbers::amounts(price, NumberFormat { is_money: true, ..NumberFormat::default() });
    let number = amounts.first().map(|amount| amount.number.to_string());
    let values = [first.name.as_deref(), Some(price), first.availability.as_deref()];
    let text = values.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    Some(Suggestion { kind: SuggestionKind::Product, selector: String::new(), text, number, source: None })
}

/// Variants of the product in the structured data of the page, at most one more than the limit.
fn stated(page: &Page) -> Vec<Variant> {
    let mut variants = linked(page);
    let others = [microdata(page), open_graph(page)];
    if variants.is_empty() {
        variants.extend(others.iter().flatten().next().cloned());
    }
    if let [only] = variants.as_mut_slice() {
        for other in others.into_iter().flatten() {
            only.complete(other);
        }
    }
    variants
}

impl Variant {
    /// Sets missing values to the values of `other`.
    fn complete(&mut self, other: Self) {
        self.name = self.name.take().or(other.name);
        if self.price.is_none() {
            self.price = other.price;
            self.currency = other.currency.or(self.currency.take());
        }
        self.availability = self.availability.take().or(other.availability);
    }

    /// Sets missing values from the text of the page: its heading, elements whose names indicate a price or
    /// stock, and phrases of availability.
    fn complete_from_text(&mut self, page: &Page) {
        if self.name.is_some() && self.price.is_some() && self.availability.is_some() {
            return;
        }
        let suggestions = suggest::of(page);
        let text = |kind: SuggestionKind| {
            suggestions.iter().find(|one| one.kind == kind).map(|one| one.text.clone())
        };
        let name = page.find(0, "h1").and_then(|id| value_of(&page.folded_text(id)));
        let price = text(SuggestionKind::Price);
        let amounts = price.as_deref().map(|price| numbers::amounts(price, NumberFormat::default()));
        let currency = amounts.and_then(|amounts| amounts.iter().find_map(|amount| amount.currency));
        let currency = currency.map(str::to_owned);
        let availability = text(SuggestionKind::Stock).or_else(|| availability_in_text(page));
        self.complete(Self { key: String::new(), name, price, currency, availability });
    }

    fn item(self, is_one_of_many: bool) -> ExtractedItem {
        let price = match (self.price, &self.currency) {
            (Some(price), Some(currency)) if is_plain(&price) => Some(format!("{price} {currency}")),
            (price, _) => price,
        };
        let values = [self.name.clone(), price, self.currency, self.availability];
        let fields = PRODUCT_FIELDS.iter().zip(values);
        let title =
            if is_one_of_many { self.name.unwrap_or_else(|| self.key.clone()) } else { String::new() };
        ExtractedItem {
            key: if is_one_of_many { self.key } else { String::new() },
            title,
            link: None,
            fields: fields.map(|(name, value)| FieldValue { name: (*name).to_owned(), value }).collect(),
        }
    }
}

/// Availability phrase between the heading of the page and the next heading. Text after the next heading may
/// describe other products.
fn availability_in_text(page: &Page) -> Option<String> {
    let heading = page.find(0, "h1")?;
    let part = part::main(page, &vec![false; page.len()]);
    let is_heading = |id: &Id| matches!(page.tag(*id), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    let below = (page.subtree(heading).end..page.len()).take_while(|id| !is_heading(id));
    below.filter(|&id| !part.excluded[id]).find_map(|id| {
        let text = tidy(page.text(id)?);
        let clause = text.split(CLAUSE_MARKS).next()?.trim();
        AVAILABILITY.iter().any(|words| clause.eq_ignore_ascii_case(words)).then(|| clause.to_owned())
    })
}

/// True for a number without a currency symbol.
fn is_plain(price: &str) -> bool {
    price.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\''))
}

/// Normalises a value for storage. `None` if it is empty.
fn value_of(text: &str) -> Option<String> {
    let text = tidy(text);
    (!text.is_empty()).then(|| cut(&text, MAX_VALUE_CHARS))
}

/// Variants of the main product in the JSON-LD of the page.
fn linked(page: &Page) -> Vec<Variant> {
    let data = embedded::read(page);
    let mut queue: VecDeque<&Value> = data.root.get("ld+json").into_iter().collect();
    for _ in 0..MAX_OBJECTS {
        let Some(value) = queue.pop_front() else { break };
        match value {
            Value::Array(list) => queue.extend(list.iter().take(MAX_OBJECTS)),
            Value::Object(object) if is_product(object) => return variants_of(object),
            Value::Object(object) => {
                queue.extend(
                    ["@graph", "mainEntity", "itemReviewed"].iter().filter_map(|name| object.get(*name)),
                );
            }
            _ => {}
        }
    }
    Vec::new()
}

fn is_product(object: &Map<String, Value>) -> bool {
    list_of(object.get("@type")).any(|name| {
        name.as_str().is_some_and(|name| TYPES.contains(&name.rsplit(['/', ':']).next().unwrap_or(name)))
    })
}

/// Elements of a list, or the value itself if it is not a list.
fn list_of(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let (list, single) = match value {
        Some(Value::Array(list)) => (list.as_slice(), None),
        other => (&[][..], other),
    };
    list.iter().chain(single)
}

fn variants_of(product: &Map<String, Value>) -> Vec<Variant> {
    let name = text(product, &["name"]);
    let of_group: Vec<Variant> = list_of(product.get("hasVariant"))
        .take(MAX_VARIANTS + 1)
        .filter_map(Value::as_object)
        .map(|variant| {
            let offer = offers(variant).into_iter().next();
            offer.map_or_else(Variant::default, Variant::of_offer).identified(variant, name.as_ref())
        })
        .collect();
    if of_group.len() > 1 {
        return of_group;
    }
    let offers = offers(product);
    let of_offers: Vec<Variant> = offers
        .iter()
        .filter(|offer| text(offer, &["sku", "name", "gtin", "mpn"]).is_some())
        .map(|offer| Variant::of_offer(offer).identified(offer, name.as_ref()))
        .collect();
    if of_offers.len() > 1 && of_offers.len() == offers.len() {
        return of_offers;
    }
    let only = offers.first().map_or_else(Variant::default, |offer| Variant::of_offer(offer));
    let only = of_group.into_iter().next().unwrap_or(only);
    vec![Variant { name: name.or(only.name), ..only }]
}

/// Offers of a product. An aggregate offer is replaced by the offers that it contains.
fn offers(product: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let mut all = Vec::new();
    for offer in list_of(product.get("offers")).filter_map(Value::as_object) {
        let before = all.len();
        all.extend(list_of(offer.get("offers")).filter_map(Value::as_object));
        if all.len() == before {
            all.push(offer);
        }
    }
    all.truncate(MAX_VARIANTS + 1);
    all
}

impl Variant {
    fn of_offer(offer: &Map<String, Value>) -> Self {
        let specification = list_of(offer.get("priceSpecification")).find_map(Value::as_object);
        let price = |names: &[&str]| {
            text(offer, names).or_else(|| specification.and_then(|object| text(object, names)))
        };
        Self {
            key: String::new(),
            name: None,
            price: price(&["price", "lowPrice"]),
            currency: price(&["priceCurrency"]),
            availability: text(offer, &["availability"]).map(|word| in_words(&word)),
        }
    }

    /// Sets the key and name of the variant from an object.
    fn identified(self, object: &Map<String, Value>, product: Option<&String>) -> Self {
        let name = text(object, &["name"]).or_else(|| product.cloned());
        let key = text(object, &["sku", "gtin", "mpn", "@id", "url"]).or_else(|| name.clone());
        Self { key: key.unwrap_or_default(), name, ..self }
    }
}

/// Text or number of the first of these members that has a value.
fn text(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match object.get(*name)? {
        Value::String(text) => value_of(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// Converts a schema.org availability to words: `https://schema.org/InStock` to `in stock`.
fn in_words(word: &str) -> String {
    let name = word.trim_end_matches('/').rsplit(['/', '#', ':']).next().unwrap_or(word);
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// Reads the product from microdata.
fn microdata(page: &Page) -> Option<Variant> {
    let is_scope = |id: Id| page.attribute(id, "itemscope").is_some();
    let product = (1..page.len()).find(|&id| {
        let kind = page.attribute(id, "itemtype").unwrap_or_default();
        is_scope(id) && kind.rsplit('/').next().is_some_and(|name| TYPES.contains(&name.trim()))
    })?;
    let value = |name: &str, is_own: bool| {
        page.descendants(product)
            .filter(|&id| page.attribute(id, "itemprop").is_some_and(|prop| prop == name))
            .filter(|&id| !is_own || page.ancestors(id).find(|&above| is_scope(above)) == Some(product))
            .find_map(|id| {
                let stated = ["content", "href", "value"].iter().find_map(|name| page.value(id, name));
                stated.map_or_else(|| value_of(&page.folded_text(id)), value_of)
            })
    };
    Some(Variant {
        key: String::new(),
        name: value("name", true),
        price: value("price", false).or_else(|| value("lowPrice", false)),
        currency: value("priceCurrency", false),
        availability: value("availability", false).map(|word| in_words(&word)),
    })
}

/// Reads the product from Open Graph metadata.
fn open_graph(page: &Page) -> Option<Variant> {
    let value = |names: [&str; 2]| {
        let is_such = |id: &Id| {
            let name = page.attribute(*id, "property").or_else(|| page.attribute(*id, "name"));
            page.is(*id, "meta") && name.is_some_and(|name| names.contains(&name))
        };
        (1..page.len()).filter(is_such).find_map(|id| value_of(page.value(id, "content")?))
    };
    let price = value(["product:price:amount", "og:price:amount"]);
    let availability = value(["product:availability", "og:availability"]).map(|word| in_words(&word));
    (price.is_some() || availability.is_some()).then(|| Variant {
        key: String::new(),
        name: value(["og:title", "product:title"]),
        price,
        currency: value(["product:price:currency", "og:price:currency"]),
        availability,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{ObservationPurpose, ObserveInput, Target, observe_input};

    fn observed(head: &str, body: &str) -> Observation {
        let markup = format!("<html><head>{head}</head><body>{body}<p>Some words.</p></body></html>");
        let input = ObserveInput {
            bytes: markup.into_bytes(),
            content_type: Some("text/html".to_owned()),
            url: Some("https://shop.example/lamp".to_owned()),
            target: Target::Product,
            ignore: Vec::new(),
            filters: Vec::new(),
            purpose: ObservationPurpose::Preview,
        };
        observe_input(&input).unwrap()
    }

    /// Values of each item, separated by bars.
    fn values(observation: &Observation) -> Vec<String> {
        let Snapshot::Items(items) = &observation.snapshot else { panic!("no items") };
        let line = |item: &ExtractedItem| {
            let values = item.fields.iter().map(|field| field.value.as_deref().unwrap_or("-"));
            format!("{}: {}", item.key, values.collect::<Vec<_>>().join(" | "))
        };
        items.iter().map(line).collect()
    }

    fn linked_data(json: &str) -> String {
        format!("<script type=application/ld+json>{json}</script>")
    }

    #[test]
    fn product_is_read_from_linked_data() {
        let json = r#"{"@graph":[{"@type":"BreadcrumbList"},{"@type":["Thing","Product"],"name":"Lamp","offers":
            {"@type":"Offer","price":1299.5,"priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}}]}"#;
        let observation = observed(&linked_data(json), "<h1>A lamp</h1>");
        assert_eq!(values(&observation), [": Lamp | 1299.5 EUR | EUR | out of stock"]);
        assert_eq!((observation.absent.as_deref(), observation.warnings.len()), (None, 0));
        let suggested = &observation.suggestions[0];
        assert_eq!(suggested.kind, SuggestionKind::Product);
        assert_eq!(
            (suggested.text.as_str(), suggested.number.as_deref()),
            ("Lamp · 1299.5 · out of stock", Some("1299.5"))
        );
    }

    #[test]
    fn product_variants_are_separate_items() {
        let group = r#"{"@type":"ProductGroup","name":"Shirt","hasVariant":[
            {"@type":"Product","sku":"s","name":"Shirt S","offers":{"price":"20","priceCurrency":"EUR","availability":"InStock"}},
            {"@type":"Product","sku":"m","offers":{"lowPrice":"21","priceCurrency":"EUR","availability":"SoldOut"}}]}"#;
        assert_eq!(
            values(&observed(&linked_data(group), "")),
            ["s: Shirt S | 20 EUR | EUR | in stock", "m: Shirt | 21 EUR | EUR | sold out"]
        );
        let offers = r#"{"@type":"Product","name":"Oil","offers":{"@type":"AggregateOffer","lowPrice":"5","offers":[
            {"sku":"1","price":"5","priceCurrency":"USD"},{"sku":"1","price":"9","priceCurrency":"USD"}]}}"#;
        assert_eq!(
            values(&observed(&linked_data(offers), "")),
            ["1: Oil | 5 USD | USD | -", "1#2: Oil | 9 USD | USD | -"]
        );
        let list = r#"{"@type":"ItemList","itemListElement":[{"@type":"Product","name":"Lamp","offers":{"price":"1"}}]}"#;
        assert_eq!(
            observed(&linked_data(list), "").absent.as_deref(),
            Some("/targetType"),
            "a list is no product"
        );
    }

    #[test]
    fn product_with_too_many_variants_is_reported_as_truncated() {
        let variants = |count: u32| {
            let offer = |number: u32| format!(r#"{{"sku":"{number}","price":"5","priceCurrency":"EUR"}}"#);
            let offers = (0..count).map(offer).collect::<Vec<_>>().join(",");
            let json = format!(r#"{{"@type":"Product","name":"Oil","offers":[{offers}]}}"#);
            let observation = observed(&linked_data(&json), "");
            (values(&observation).len(), observation.warnings.contains(&ObservationWarning::TruncatedSource))
        };
        assert_eq!(variants(200), (200, false));
        assert_eq!(variants(201), (200, true));
    }

    #[test]
    fn product_is_read_from_microdata_open_graph_and_text() {
        let microdata = "<div itemscope itemtype='https://schema.org/Product'><div itemprop=brand itemscope>\
            <b itemprop=name>Brand</b></div><h1 itemprop=name>Lamp</h1><div itemprop=offers itemscope>\
            <meta itemprop=priceCurrency content=CHF><b itemprop=price content='89.90'>CHF 89.90</b>\
            <link itemprop=availability href='http://schema.org/PreOrder'></div></div>";
        assert_eq!(values(&observed("", microdata)), [": Lamp | 89.90 CHF | CHF | pre order"]);
        let graph = "<meta property=og:title content=Vase><meta property=product:price:amount content='12,50'>\
            <meta property=product:price:currency content=EUR>";
        assert_eq!(
            values(&observed(graph, "<b class=stock>Only 3 left</b>")),
            [": Vase | 12,50 EUR | EUR | Only 3 left"]
        );
        let text = "<h1>Chair</h1><b class=price>49,00 €</b><i class=availability>In stock</i>";
        let observation = observed("", text);
        assert_eq!(values(&observation), [": Chair | 49,00 € | EUR | In stock"]);
        assert!(
            observation.suggestions.iter().all(|one| one.kind != SuggestionKind::Product),
            "it is not stated"
        );
        assert_eq!(observed("", "<h1>News</h1>").absent.as_deref(), Some("/targetType"));
    }
    #[test]
    fn availability_is_read_from_plain_text_below_the_heading() {
        let availability = |text: &str| {
            let observation = observed("", &format!("<h1>Rope</h1><b class=price>49,00 €</b>{text}"));
            let line = values(&observation).remove(0);
            line.rsplit(" | ").next().map(str::to_owned)
        };
        for (text, expected) in [
            ("<p>Sold out</p>", "Sold out"),
            ("<p>SOLD OUT. We will be back.</p>", "SOLD OUT"),
            ("<p><b>State:</b> In stock, ships today</p>", "In stock"),
            ("<div>Pre-order</div>", "Pre-order"),
            ("<p>Never sold out</p>", "-"),
            ("<p>Sold out?</p>", "-"),
            ("<p>In stock soon</p>", "-"),
            ("<p hidden>Sold out</p>", "-"),
            ("<h2>Others also bought</h2><p>Sold out</p>", "-"),
            ("<div class=related><p>Sold out</p></div>", "-"),
        ] {
            assert_eq!(availability(text).as_deref(), Some(expected), "{text}");
        }
    }
}
