//! What the fitting of the main part's judge needs; of no use to anyone else.

use url::Url;

use crate::html::{hidden, main_part, parse_marked};

/// A page as the fitting sees it.
#[derive(Debug, Default, serde::Serialize)]
pub struct Described {
    /// Text, features and groups of kin of each unit, in the order of the page.
    pub units: Vec<(String, Vec<f32>, [usize; 2])>,
    /// Features of the page as a whole.
    pub page: Vec<f32>,
}

/// The units of a page. None for a page that the gates refuse.
pub fn units(markup: &str, url: Option<&str>) -> Described {
    let Ok((page, opinion)) = parse_marked(markup) else { return Described::default() };
    let address = url.and_then(|url| Url::parse(url).ok());
    let hidden = hidden::find(&page);
    main_part::described(&page, address.as_ref(), &hidden, &opinion)
}

/// Judges by the trees of a file, as `bench/extraction/fit.py` writes it, from now on. False when it is none, or when
/// another was chosen before.
pub fn try_out(trees: &[u8]) -> bool {
    main_part::try_out(trees)
}
