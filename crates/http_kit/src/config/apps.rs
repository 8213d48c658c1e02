//! `CARREL_APPS`: which protocols of feed apps and e-readers are answered.

use std::str::FromStr;

/// A protocol that apps speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppProtocol {
    /// The Google Reader API.
    GoogleReader,
    /// Fever.
    Fever,
    /// OPDS.
    Opds,
}

/// The protocols that are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppProtocols(Vec<AppProtocol>);

impl AppProtocols {
    /// Whether a protocol is answered.
    pub fn has(&self, protocol: AppProtocol) -> bool {
        self.0.contains(&protocol)
    }
}

impl Default for AppProtocols {
    fn default() -> Self {
        Self(vec![AppProtocol::GoogleReader, AppProtocol::Fever, AppProtocol::Opds])
    }
}

impl FromStr for AppProtocols {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "off" {
            return Ok(Self(Vec::new()));
        }
        let named = text.split(',').map(|name| match name.trim() {
            "greader" => Ok(AppProtocol::GoogleReader),
            "fever" => Ok(AppProtocol::Fever),
            "opds" => Ok(AppProtocol::Opds),
            _ => Err("must be `off` or some of greader, fever and opds, parted by commas"),
        });
        named.collect::<Result<_, _>>().map(Self)
    }
}
