//! Reasons why the address of this service cannot be used from outside.

/// Reason why a hosted agent cannot use the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFault {
    /// The host belongs to this machine or a private network, or the guard does not allow the port.
    Private,
    /// The address does not use https, or the server at it does not use TLS.
    NoTls,
    /// The certificate is not valid for the address, or its issuer is not trusted.
    Certificate,
    /// The host name does not resolve, or the server does not answer.
    NoAnswer,
    /// Another service answers, or the response is an error page.
    OtherService,
}

impl AddressFault {
    const ALL: [Self; 5] =
        [Self::Private, Self::NoTls, Self::Certificate, Self::NoAnswer, Self::OtherService];

    /// Name in the database.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::NoTls => "no_tls",
            Self::Certificate => "certificate",
            Self::NoAnswer => "no_answer",
            Self::OtherService => "other_service",
        }
    }

    /// Parses the name in the database.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.as_str() == name)
    }

    /// Reason, in one sentence.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Private => "It belongs to this machine or to a private network.",
            Self::NoTls => "It does not use https (TLS).",
            Self::Certificate => "Its certificate is not valid, so no secure connection is possible.",
            Self::NoAnswer => "No server responds there.",
            Self::OtherService => "Another service or an error page responds there.",
        }
    }

    /// Remedy for the operator, in one sentence.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Private => "The operator must set CARREL_BASE_URL to a public name.",
            Self::NoTls => {
                "The operator must put a proxy with a certificate in front of the service and set CARREL_BASE_URL to an https address."
            }
            Self::Certificate => {
                "The operator must install a certificate for this name from an authority that browsers trust, with its intermediate certificates."
            }
            Self::NoAnswer => {
                "The operator must check the DNS record of the name, the port, and the firewall."
            }
            Self::OtherService => {
                "The operator must check which service the name leads to, and that the proxy passes on all paths and the Host header."
            }
        }
    }

    /// Maps a failed fetch of the metadata document to its fault.
    pub(super) fn of(error: &fetch::Error) -> Self {
        use fetch::Error;
        match error {
            Error::InvalidUrl(_) | Error::NotAllowed { .. } => Self::Private,
            Error::Tls { .. } if error.is_without_tls() => Self::NoTls,
            Error::Tls { .. } => Self::Certificate,
            Error::Unreachable { .. }
            | Error::Proxy { .. }
            | Error::UnknownProxy { .. }
            | Error::Timeout { .. }
            | Error::Busy { .. } => Self::NoAnswer,
            Error::NotFound { .. }
            | Error::Forbidden { .. }
            | Error::LoginRequired
            | Error::Paywalled
            | Error::RobotsDisallowed
            | Error::UnsupportedContent { .. }
            | Error::TooLarge { .. }
            | Error::TooManyRedirects
            | Error::Status { .. }
            | Error::RateLimited { .. }
            | Error::InvalidResponse { .. } => Self::OtherService,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_names_round_trip() {
        for fault in AddressFault::ALL {
            assert_eq!(AddressFault::parse(fault.as_str()), Some(fault));
        }
        assert_eq!(AddressFault::parse("reachable"), None);
    }

    #[test]
    fn failed_fetches_are_mapped_to_faults() {
        use fetch::Error;
        let of = |error: Error| AddressFault::of(&error);
        assert_eq!(of(Error::NotAllowed { reason: "x" }), AddressFault::Private);
        assert_eq!(of(Error::Tls { reason: fetch::NO_TLS.to_owned() }), AddressFault::NoTls);
        assert_eq!(of(Error::Tls { reason: "expired".to_owned() }), AddressFault::Certificate);
        assert_eq!(of(Error::Unreachable { reason: "no connection" }), AddressFault::NoAnswer);
        assert_eq!(of(Error::Timeout { reason: "x", answered: false }), AddressFault::NoAnswer);
        assert_eq!(of(Error::NotFound { gone: false }), AddressFault::OtherService);
        assert_eq!(of(Error::Status { status: 502, retry_after: None }), AddressFault::OtherService);
    }
}
