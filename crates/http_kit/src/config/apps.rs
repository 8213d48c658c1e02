//! `CARREL_APPS`: enabled protocols for feed apps and e-readers.

use std::str::FromStr;

/// Protocol for feed apps and e-readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppProtocol {
    GoogleReader,
    Fever,
    NextcloudNews,
    Opds,
    Wallabag,
    Readeck,
    Instapaper,
    KoreaderSync,
    Kobo,
}

impl AppProtocol {
    const ALL: [Self; 9] = [
        Self::GoogleReader,
        Self::Fever,
        Self::NextcloudNews,
        Self::Opds,
        Self::Wallabag,
        Self::Readeck,
        Self::Instapaper,
        Self::KoreaderSync,
        Self::Kobo,
    ];

    /// Returns the name in `CARREL_APPS`.
    const fn name(self) -> &'static str {
        match self {
            Self::GoogleReader => "greader",
            Self::Fever => "fever",
            Self::NextcloudNews => "nextcloud",
            Self::Opds => "opds",
            Self::Wallabag => "wallabag",
            Self::Readeck => "readeck",
            Self::Instapaper => "instapaper",
            Self::KoreaderSync => "kosync",
            Self::Kobo => "kobo",
        }
    }
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
        Self(AppProtocol::ALL.to_vec())
    }
}

impl FromStr for AppProtocols {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "off" {
            return Ok(Self(Vec::new()));
        }
        let named = text.split(',').map(|name| {
            let protocol = AppProtocol::ALL.into_iter().find(|protocol| protocol.name() == name.trim());
            protocol.ok_or(
                "must be `off`, or a list of greader, fever, nextcloud, opds, wallabag, readeck, instapaper, \
                 kosync and kobo separated by commas",
            )
        });
        named.collect::<Result<_, _>>().map(Self)
    }
}
