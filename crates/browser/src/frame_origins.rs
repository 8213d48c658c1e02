//! Frames of a page, and whether each document has the page's origin. An unknown frame counts as a frame of another
//! origin.

use std::collections::HashMap;

/// Maximum number of recorded frames of a page. Further frames are unknown.
const MAX_FRAMES: usize = 1_000;

/// Origins of the frames of a page.
#[derive(Debug, Default)]
pub(crate) struct FrameOrigins {
    /// By frame id: true if the document of the frame has the page's origin.
    is_own: HashMap<String, bool>,
}

impl FrameOrigins {
    /// Origins of a page that has only its main frame.
    pub(crate) fn of_main_frame(id: &str) -> Self {
        Self { is_own: HashMap::from([(id.to_owned(), true)]) }
    }

    /// Records a new frame. Its empty document has the origin of its parent. A frame that moved to another process is
    /// not new.
    pub(crate) fn attach(&mut self, id: &str, parent: &str) {
        if !self.is_own.contains_key(id) {
            self.set(id, self.is_own(parent));
        }
    }

    /// Records whether the document of a frame has the page's origin.
    pub(crate) fn set(&mut self, id: &str, is_own: bool) {
        if let Some(known) = self.is_own.get_mut(id) {
            *known = is_own;
        } else if self.is_own.len() < MAX_FRAMES {
            self.is_own.insert(id.to_owned(), is_own);
        }
    }

    pub(crate) fn remove(&mut self, id: &str) {
        self.is_own.remove(id);
    }

    /// True if the document of a frame has the page's origin.
    pub(crate) fn is_own(&self, id: &str) -> bool {
        self.is_own.get(id).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_frame_has_the_origin_of_its_parent() {
        let mut origins = FrameOrigins::of_main_frame("main");
        origins.attach("own", "main");
        origins.attach("other", "main");
        origins.set("other", false);
        origins.attach("inside", "other");
        origins.attach("lost", "unknown");
        origins.attach("other", "main");
        for (id, expected) in [
            ("main", true),
            ("own", true),
            ("other", false),
            ("inside", false),
            ("lost", false),
            ("unknown", false),
        ] {
            assert_eq!(origins.is_own(id), expected, "{id}");
        }
        origins.set("inside", true);
        assert!(origins.is_own("inside"), "a document of the own origin within another");
    }

    #[test]
    fn frames_beyond_the_maximum_are_unknown() {
        let mut origins = FrameOrigins::of_main_frame("main");
        for index in 1..=MAX_FRAMES {
            origins.attach(&index.to_string(), "main");
        }
        assert!(origins.is_own("1") && !origins.is_own(&MAX_FRAMES.to_string()));
        origins.remove("1");
        origins.attach("new", "main");
        assert!(origins.is_own("new") && !origins.is_own("1"));
    }
}
