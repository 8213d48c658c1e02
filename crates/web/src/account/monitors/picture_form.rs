//! Form that displays a picture of a page.

use super::input::MonitorInput;
use crate::page::form::FormError;

/// Form that displays a picture.
#[derive(Clone, Copy)]
pub(super) struct PictureForm<'a> {
    pub(super) input: &'a MonitorInput,
    /// Address to which the buttons of the parts submit the form. The page scrolls to the preview.
    pub(super) target: &'a str,
    /// True if parts to watch can be chosen. Otherwise, only elements for steps can be chosen.
    pub(super) offers_parts: bool,
    pub(super) form_error: &'a FormError,
}
