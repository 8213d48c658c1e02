//! `CARREL_APPS`: enabled protocols for feed apps and e-readers.

use std::str::FromStr;

/// Protocol for feed apps and e-readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppProtocol {
    GoogleReader,
    Fever,
    Opds,
}

/// Enabled protocols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppProtocols(Vec<AppProtocol>);

impl AppProtocols {
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
            _ => Err("must be `off`, or a list of greader, fever and opds separated by commas"),
        });
        named.collect::<Result<_, _>>().map(Self)
    }
}
