//! Content of a page that was left out of its copy.

use serde::{Deserialize, Serialize};

/// Numbers of elements and files that were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omissions {
    /// Pictures that were not loaded, have an unknown format, or exceed a limit.
    pub pictures: u32,
    pub fonts: u32,
    pub styles: u32,
    /// Audio and video.
    pub media: u32,
    /// Frames of other sites, and embedded objects.
    pub frames: u32,
    /// True if the page or its files reached a limit while they were loaded.
    pub is_cut: bool,
}

impl Omissions {
    /// Returns a statement about the omissions, for people who open the copy. `None` if nothing was left out.
    pub fn statement(self) -> Option<String> {
        let parts = [
            (self.pictures, "picture", "pictures"),
            (self.fonts, "font", "fonts"),
            (self.styles, "style sheet", "style sheets"),
            (self.media, "audio or video", "audios or videos"),
            (self.frames, "frame or object", "frames or objects"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect();
        let mut statements = Vec::new();
        if !parts.is_empty() {
            statements.push(format!("Left out: {}.", parts.join(", ")));
        }
        if self.is_cut {
            statements.push("The page may be incomplete, because it reached a limit.".to_owned());
        }
        (!statements.is_empty()).then(|| statements.join(" "))
    }
}
