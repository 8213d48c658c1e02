//! Choice between the served page and its rendering, as read jobs and library items store it.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// Choice between the served page and its rendering in a browser.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Render {
    /// The page is rendered if its text needs scripts.
    #[default]
    #[sea_orm(string_value = "auto")]
    Auto,
    /// The served page is read, without running its scripts.
    #[sea_orm(string_value = "never")]
    Never,
    /// The page is rendered.
    #[sea_orm(string_value = "always")]
    Always,
    /// The page is rendered, and its cookie notices are dismissed.
    #[sea_orm(string_value = "without_cookie_notices")]
    WithoutCookieNotices,
}

impl Render {
    /// All values, in declaration order.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Never, Self::Always, Self::WithoutCookieNotices];

    /// Returns the string value.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Never => "never",
            Self::Always => "always",
            Self::WithoutCookieNotices => "without_cookie_notices",
        }
    }

    /// True if only a rendering of the page is accepted.
    pub const fn is_required(self) -> bool {
        matches!(self, Self::Always | Self::WithoutCookieNotices)
    }

    /// Parses a string value.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == word)
    }
}
