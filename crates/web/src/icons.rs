//! Icons of the interface. They are decorative: the adjacent text has the same meaning and the same colour.

use maud::{Markup, html};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Icon {
    /// An open book.
    Read,
    /// A sun.
    Today,
    /// Arcs from a point, as in the RSS icon.
    Feeds,
    /// Books in a row.
    Library,
    /// An eye.
    Monitors,
    /// Two sliders.
    Settings,
    /// A magnifying glass.
    Search,
    /// A pen above a line.
    Highlight,
}

impl Icon {
    /// Returns the SVG path data.
    const fn path(self) -> &'static str {
        match self {
            Self::Read => {
                "M12 6.5C10 5 7 4.5 3 4.5v13.5c4 0 7 .5 9 2 2-1.5 5-2 9-2V4.5c-4 0-7 .5-9 2zM12 6.5V20"
            }
            Self::Today => {
                "M12 8a4 4 0 1 0 .01 0M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M5 19l1.7-1.7M17.3 6.7 19 5"
            }
            Self::Feeds => "M4 4a16 16 0 0 1 16 16M4 11a9 9 0 0 1 9 9M5.5 17a1.5 1.5 0 1 0 .01 0",
            Self::Library => "M4 4h4v16H4zM8 7h5v13H8zM14.5 5.5l3.6-1 3 14.5-3.6 1z",
            Self::Monitors => "M2 12c3-5 6.3-7 10-7s7 2 10 7c-3 5-6.3 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 .01 0",
            Self::Settings => "M3 8h10M19 8h2M16 5a3 3 0 1 0 .01 0M3 16h2M11 16h10M8 13a3 3 0 1 0 .01 0",
            Self::Search => "M10.5 4a6.5 6.5 0 1 0 .01 0M15.5 15.5 21 21",
            Self::Highlight => "M15 4l5 5-9 9H6v-5zM12.5 6.5l5 5M4 21.5h16",
        }
    }
}

/// Renders a decorative icon, which screen readers skip.
pub(super) fn icon(icon: Icon) -> Markup {
    html! { svg.i viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" { path d=(icon.path()) {} } }
}
