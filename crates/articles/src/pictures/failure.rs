//! Reasons why a picture is not displayed. Each reason has a sentence for the reader and a cache lifetime.

use extract::picture::RejectedPicture;

use kernel::Millis;
use kernel::clock::{DAY, HOUR, MINUTE};

/// Reason why a picture is not displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFailure {
    /// The picture is larger than the maximum size of a fetched picture.
    TooLarge,
    /// Decoding the picture would need too much memory.
    TooManyPixels,
    /// The content is not a picture, or its format may contain scripts.
    NotAPicture,
    /// The guard refuses the address because it is invalid or in a private network.
    NotAllowed,
    /// The site's robots.txt excludes the picture.
    Excluded,
    /// The server refuses to deliver the picture.
    Refused,
    /// The server has no content at the address.
    Gone,
    /// The server did not answer in time.
    Unreachable,
    /// Too many requests to the server or to Carrel are in progress.
    Busy,
    /// The picture is still being fetched. This reason is never stored.
    Late,
    /// The picture has no smaller version, so the picture itself is displayed. This reason is stored only for smaller
    /// versions.
    NoSmallerVersion,
}

impl PictureFailure {
    const ALL: [Self; 11] = [
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
        Self::NoSmallerVersion,
    ];

    /// Name in database rows and metrics.
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
            Self::NoSmallerVersion => "no_smaller_version",
        }
    }

    /// Parses a name. A name that this version does not know becomes `Unreachable`.
    pub(super) fn parse(name: &str) -> Self {
        Self::ALL.into_iter().find(|failure| failure.as_str() == name).unwrap_or(Self::Unreachable)
    }

    /// Sentence for the reader.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::TooLarge => "This picture is larger than 8 MB, so it is not loaded.",
            Self::TooManyPixels => "This picture has more than 50 million pixels, so it is not shown.",
            Self::NotAPicture => "This address does not have a picture that can be shown safely.",
            Self::NotAllowed => "The address of this picture is not allowed.",
            Self::Excluded => "The site's robots.txt does not allow this picture to be loaded.",
            Self::Refused => "The site refuses to deliver this picture.",
            Self::Gone => "This picture is no longer on its site.",
            Self::Unreachable => "The site of this picture does not answer.",
            Self::Busy => "Too many pictures are being loaded. Try again in a minute.",
            Self::Late => "This picture is still loading. Reload the page in a moment.",
            Self::NoSmallerVersion => "This picture has no smaller version.",
        }
    }

    /// Cache lifetime of the failure in milliseconds.
    pub(super) const fn cache_duration(self) -> Millis {
        match self {
            Self::TooLarge
            | Self::TooManyPixels
            | Self::NotAPicture
            | Self::NotAllowed
            | Self::NoSmallerVersion => DAY,
            Self::Excluded | Self::Refused | Self::Gone => HOUR,
            Self::Unreachable => 10 * MINUTE,
            Self::Busy | Self::Late => MINUTE,
        }
    }
}

impl From<RejectedPicture> for PictureFailure {
    fn from(unfit: RejectedPicture) -> Self {
        match unfit {
            RejectedPicture::Unknown => Self::NotAPicture,
            RejectedPicture::TooManyPixels => Self::TooManyPixels,
        }
    }
}

impl From<&fetch::Error> for PictureFailure {
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
            | E::Proxy { .. }
            | E::UnknownProxy { .. }
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
    fn every_failure_has_a_unique_name_and_a_sentence() {
        for failure in PictureFailure::ALL {
            assert_eq!(PictureFailure::parse(failure.as_str()), failure);
            assert!(failure.sentence().ends_with('.') && failure.sentence().len() <= 80);
        }
        assert_eq!(PictureFailure::parse("from_another_version"), PictureFailure::Unreachable);
    }
}
