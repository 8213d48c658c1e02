//! Entry points for fitting the main-part classifier; not for any other use.

use url::Url;

use crate::html::{disclosures::Disclosures, hidden, main_part, parse_page};

pub use crate::html::main_part::PageDescription;

/// Units of a page. Empty if the limits refuse the page.
pub fn units(markup: &str, url: Option<&str>) -> PageDescription {
    let Ok(page) = parse_page(markup) else { return PageDescription::default() };
    let address = url.and_then(|url| Url::parse(url).ok());
    let mut hidden = hidden::find(&page);
    Disclosures::open(&page, &mut hidden);
    main_part::described(&page, address.as_ref(), &hidden)
}

/// Uses the classifier trees of a file that `bench/extraction/fit.py` wrote. False if the file contains no
/// trees, or if trees are already in use.
pub fn load_override(trees: &[u8]) -> bool {
    main_part::load_override(trees)
}
