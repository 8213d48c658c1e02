//! Why a picture is not shown, in a sentence for the person who looks for it, and for how long that is believed.

use extract::picture::Unfit;

use kernel::clock::{DAY, HOUR, MINUTE, Millis};

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It has more bytes than are fetched.
    TooLarge,
    /// It would take too much memory to show.
    TooManyPixels,
    /// It is a script, a drawing that may hold one, a page, or anything else.
    NotAPicture,
    /// Its address is not one that may be fetched: a private network, or no address.
    NotAllowed,
    /// The site's robots.txt excludes it.
    Excluded,
    /// Its server does not hand it out.
    Refused,
    /// There is nothing at its address.
    Gone,
    /// Its server did not answer, or not in time.
    Unreachable,
    /// Too much is asked of its server, or of us, at the moment.
    Busy,
    /// It is still on its way: nothing that is kept.
    Late,
}

impl Failure {
    const ALL: [Self; 10] = [
        Self::TooLarge,
        Self::TooManyPixels,
        Self::NotAPicture,
        Self::NotAllowed,
        Self::Excluded,
        Self::Refused,
        Self::Gone,
        Self::Unreachable,
        Self::Busy,
        Self::Late,
    ];

    /// The word in rows and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::TooManyPixels => "too_many_pixels",
            Self::NotAPicture => "not_a_picture",
            Self::NotAllowed => "not_allowed",
            Self::Excluded => "excluded",
            Self::Refused => "refused",
            Self::Gone => "gone",
            Self::Unreachable => "unreachable",
            Self::Busy => "busy",
            Self::Late => "late",
        }
    }

    /// The failure of a word; a word of another version is as good as no answer.
    pub(super) fn parse(word: &str) -> Self {
        Self::ALL.into_iter().find(|failure| failure.as_str() == word).unwrap_or(Self::Unreachable)
    }

    /// What a person is told.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::TooLarge => "This picture is larger than 8 MB, so it is not loaded.",
            Self::TooManyPixels => "This picture has more than 50 million pixels, so it is not shown.",
            Self::NotAPicture => "What is at this address is not a picture that can be shown safely.",
            Self::NotAllowed => "The address of this picture may not be opened from here.",
            Self::Excluded => "The site asks programs not to load this picture.",
            Self::Refused => "The site does not give this picture to us.",
            Self::Gone => "This picture is no longer on its site.",
            Self::Unreachable => "The site of this picture does not answer.",
            Self::Busy => "Too many pictures are loaded at the moment. Try again in a minute.",
            Self::Late => "This picture is still on its way. Load the page again in a moment.",
        }
    }

    /// How long nobody asks again, in milliseconds.
    pub(super) const fn holds(self) -> Millis {
        match self {
            Self::TooLarge | Self::TooManyPixels | Self::NotAPicture | Self::NotAllowed => DAY,
            Self::Excluded | Self::Refused | Self::Gone => HOUR,
            Self::Unreachable => 10 * MINUTE,
            Self::Busy | Self::Late => MINUTE,
        }
    }
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Unknown => Self::NotAPicture,
            Unfit::TooManyPixels => Self::TooManyPixels,
        }
    }
}

impl From<&fetch::Error> for Failure {
    fn from(error: &fetch::Error) -> Self {
        use fetch::Error as E;
        match error {
            E::TooLarge { .. } => Self::TooLarge,
            E::InvalidUrl(_) | E::NotAllowed { .. } => Self::NotAllowed,
            E::RobotsDisallowed => Self::Excluded,
            E::Forbidden { .. } | E::LoginRequired | E::Paywalled => Self::Refused,
            E::NotFound { .. } => Self::Gone,
            E::UnsupportedContent { .. } | E::InvalidResponse { .. } => Self::NotAPicture,
            E::Busy { .. } | E::RateLimited { .. } => Self::Busy,
            E::TooManyRedirects
            | E::Unreachable { .. }
            | E::Timeout { .. }
            | E::Tls { .. }
            | E::Status { .. } => Self::Unreachable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_word_of_its_own_and_a_sentence() {
        for failure in Failure::ALL {
            assert_eq!(Failure::parse(failure.as_str()), failure);
            assert!(failure.sentence().ends_with('.') && failure.sentence().len() <= 80);
        }
        assert_eq!(Failure::parse("from_another_version"), Failure::Unreachable);
    }
}
