//! Entry points for the program that trains the main-part classifier. Other code does not use them.

use url::Url;

use crate::html::{disclosures::Disclosures, hidden, main_part, parse_page};

pub use crate::html::main_part::PageDescription;

/// Describes the units of a page. Empty if the page exceeds a limit.
pub fn units(markup: &str, url: Option<&str>) -> PageDescription {
    let Ok(page) = parse_page(markup) else { return PageDescription::default() };
    let address = url.and_then(|url| Url::parse(url).ok());
    let mut hidden = hidden::find(&page);
    Disclosures::open(&page, &mut hidden);
    main_part::described(&page, address.as_ref(), &hidden)
}

/// Replaces the classifier trees in this process by the trees of a file that `bench/extraction/fit.py` wrote.
/// Returns false if the file contains no trees, or if the trees were already replaced.
pub fn load_override(trees: &[u8]) -> bool {
    main_part::load_override(trees)
}
