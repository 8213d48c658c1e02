//! Picture of the beginning of a page, with the positions of its elements that have text.

use serde::Deserialize;

/// Quality of the picture, in percent.
pub(crate) const QUALITY: u32 = 60;
/// Scale of the picture.
pub(crate) const SCALE: f64 = 0.75;

/// Limits of the parts of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartLimits {
    /// Maximum number of parts.
    pub max_count: usize,
    /// Maximum height of the picture, in pixels of the page.
    pub max_height: u32,
}

/// Position of an element, in pixels of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct PartBox {
    /// Number of the element. The element has it in its attribute `data-carrel-part`.
    pub number: u32,
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// Picture of the beginning of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePicture {
    /// Picture in JPEG.
    pub jpeg: Vec<u8>,
    /// Width of the displayed part of the page, in pixels of the page.
    pub width: u32,
    /// Height of the displayed part of the page, in pixels of the page.
    pub height: u32,
    /// Elements with text, in document order.
    pub boxes: Vec<PartBox>,
    /// True if the page is taller, or has more elements, than the limits allow.
    pub is_cut: bool,
}

/// Parts, as the script returns them.
#[derive(Deserialize)]
pub(crate) struct PageLayout {
    boxes: Vec<PartBox>,
    width: u32,
    height: u32,
    cut: bool,
}

impl PageLayout {
    /// Width and height of the picture, within the limits.
    pub(crate) fn size(&self, max_width: u32, limits: PartLimits) -> (u32, u32) {
        (self.width.clamp(1, max_width), self.height.clamp(1, limits.max_height.max(1)))
    }

    /// Adds the picture, and drops parts that are not on it.
    pub(crate) fn with_picture(
        self,
        jpeg: Vec<u8>,
        (width, height): (u32, u32),
        limits: PartLimits,
    ) -> PagePicture {
        let fits = |part: &PartBox| {
            part.width > 0
                && part.height > 0
                && part.x.saturating_add(part.width) <= width
                && part.y.saturating_add(part.height) <= height
        };
        let boxes: Vec<PartBox> = self.boxes.into_iter().filter(fits).take(limits.max_count).collect();
        PagePicture { jpeg, width, height, boxes, is_cut: self.cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_outside_of_the_picture_or_above_the_limit_are_dropped() {
        let json = r#"{"boxes":[{"number":1,"x":0,"y":0,"width":10,"height":10},{"number":2,"x":95,"y":0,"width":10,"height":10},
            {"number":3,"x":0,"y":4294967295,"width":1,"height":10},{"number":4,"x":0,"y":0,"width":0,"height":10},
            {"number":5,"x":1,"y":1,"width":10,"height":10},{"number":6,"x":2,"y":2,"width":10,"height":10}],
            "width":100,"height":4294967295,"cut":false}"#;
        let layout: PageLayout = serde_json::from_str(json).unwrap();
        let limits = PartLimits { max_count: 2, max_height: 50 };
        let size = layout.size(80, limits);
        assert_eq!(size, (80, 50));
        let picture = layout.with_picture(vec![7], size, limits);
        assert_eq!(picture.boxes.iter().map(|part| part.number).collect::<Vec<_>>(), [1, 5]);
        assert_eq!((picture.width, picture.height, picture.is_cut), (80, 50, false));
    }
}
