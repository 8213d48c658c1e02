//! Probable types of a page.

/// Type of a page, as distinguished for the selection of the main part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageType {
    /// Single text, such as a news article, a blog post or an essay.
    Article,
    /// Contributions of several people, one after another.
    Forum,
    /// Single item that is sold or described.
    Product,
    /// Entries of the same kind, such as jobs, results or events.
    Listing,
    /// Category of a shop or library.
    Collection,
    /// Instructions with code and tables.
    Documentation,
    /// Presentation of a service, a company or a person.
    Service,
}

/// Number of page types.
const COUNT: usize = 7;

/// Page types in the order of their classifiers.
const TYPES: [PageType; COUNT] = [
    PageType::Article,
    PageType::Forum,
    PageType::Product,
    PageType::Listing,
    PageType::Collection,
    PageType::Documentation,
    PageType::Service,
];

/// Probability of each type.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Types {
    /// Probabilities in the order of `PageType`. All are 0 if the page could not be classified.
    probabilities: [f32; COUNT],
}

impl Types {
    /// Creates the types from probabilities in the order of `PageType`.
    pub(crate) fn new(probabilities: [f32; COUNT]) -> Self {
        Self { probabilities }
    }

    /// Probabilities in the order of `PageType`.
    pub(crate) fn probabilities(&self) -> [f32; COUNT] {
        self.probabilities
    }

    /// Creates types in which `is` has the probability 1.
    #[cfg(test)]
    pub(crate) fn certain(is: PageType) -> Self {
        Self { probabilities: TYPES.map(|kind| f32::from(u8::from(kind == is))) }
    }

    /// Most probable type. `Article` if the page could not be classified.
    pub(crate) fn best(&self) -> PageType {
        let best =
            TYPES.into_iter().max_by(|one, other| self.share(&[*one]).total_cmp(&self.share(&[*other])));
        best.filter(|best| self.share(&[*best]) > 0.0).unwrap_or(PageType::Article)
    }

    /// Probability that the page has one of these types.
    pub(crate) fn share(&self, of: &[PageType]) -> f32 {
        TYPES
            .iter()
            .zip(self.probabilities)
            .filter(|(kind, _)| of.contains(kind))
            .map(|(_, share)| share)
            .sum()
    }
}
