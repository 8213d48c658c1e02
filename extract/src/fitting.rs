//! What the fitting of the main part's classifier needs; of no use to anyone else.

use url::Url;

use crate::html::{hidden, main_part, parse_page};

pub use crate::html::main_part::Described;

/// The units of a page. None for a page that the limits refuse.
pub fn units(markup: &str, url: Option<&str>) -> Described {
    let Ok(page) = parse_page(markup) else { return Described::default() };
    let address = url.and_then(|url| Url::parse(url).ok());
    let hidden = hidden::find(&page);
    main_part::described(&page, address.as_ref(), &hidden)
}

/// Judges by the trees of a file, as `bench/extraction/fit.py` writes it, from now on. False when it is none, or when
/// another was chosen before.
pub fn load_override(trees: &[u8]) -> bool {
    main_part::load_override(trees)
}
