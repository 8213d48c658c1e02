//! Browser that renders pages whose text needs scripts.
//!
//! Chromium runs headless as an unprivileged user in its own sandbox and is driven through a pipe. Every page is
//! loaded in a fresh browser context and through the guarded proxy of `fetch`, the browser's only way to the
//! network. The result is HTML, which `extract` parses in a child process like every other page.
//!
//! The client of the `DevTools` protocol is our own: about a dozen commands are needed, and the published crates
//! generate some 60,000 lines for them.

mod error;
mod events;
mod frame_origins;
mod loaded_files;
mod memory;
mod notice_dismissal;
mod notice_rules;
mod page;
mod page_cookies;
mod page_picture;
mod page_step;
mod pipe;
mod process;
mod profile;
mod program;
mod renderer;
mod rendering_warning;
mod request_settings;
mod secret_mask;

pub use error::RenderError;
pub use loaded_files::{CapturedPage, PageFile};
pub use page::{
    CapturedFiles, Captures, MAX_SCREENSHOT_HEIGHT, PageRendering, RenderRequest, ScreenshotArea,
};
pub use page_picture::{PagePicture, PartBox, PartLimits};
pub use page_step::{PageStep, StepKey, StepKind};
pub use program::find_program;
pub use renderer::{Renderer, RendererSettings};
pub use rendering_warning::RenderingWarning;
pub use request_settings::PageRequestSettings;
