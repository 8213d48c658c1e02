//! Rendering of a page for `carrel read`, in a browser on this machine.

use std::path::PathBuf;
use std::time::Duration;

use ::extract::page_copy;
use ::extract::{Document, ExtractionOutcome, ExtractionSource, Input, Warning};
use anyhow::Context;
use articles::worker_tools::{
    CapturedFiles, Captures, MAX_SCREENSHOT_HEIGHT, RenderRequest, Renderer, RendererSettings,
};
use clap::{Args, ValueEnum};
use fetch::{Fetched, Fetcher};

use super::large_stack;
use http_kit::config::Settings;
use kernel::{Clock, SystemClock};

/// Time after which the document is used in its current state.
const DEADLINE: Duration = Duration::from_secs(25);
/// Advice if a page needs a browser and none is installed.
pub(super) const MISSING: &str = "the page shows its text only to browsers that run scripts: install Chromium (`apt-get install chromium`)";

/// Option that determines whether a page is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RenderArgument {
    /// If the page shows its text only to browsers that run scripts.
    Auto,
    /// Never.
    Never,
    /// Every web page.
    Always,
    /// Every web page, and its cookie notices are rejected or hidden, never accepted.
    WithoutCookieNotices,
}

impl RenderArgument {
    /// Returns whether a page is rendered after it was read as served.
    pub(super) fn renders(self, served: &ExtractionOutcome) -> bool {
        match (self, served) {
            (Self::Auto, served) => needs_scripts(served),
            (Self::Always | Self::WithoutCookieNotices, ExtractionOutcome::Document(document)) => {
                is_web_page(document)
            }
            (Self::Always | Self::WithoutCookieNotices, ExtractionOutcome::NoText { .. }) => true,
            (Self::Never | Self::Always | Self::WithoutCookieNotices, _) => false,
        }
    }
}

/// Returns true if the page shows its text only to browsers that run scripts.
pub(super) fn needs_scripts(served: &ExtractionOutcome) -> bool {
    let warnings = match served {
        ExtractionOutcome::Document(document) => &document.warnings,
        ExtractionOutcome::NoText { warnings, .. } => warnings,
        ExtractionOutcome::Unsupported { .. } | ExtractionOutcome::TooComplex { .. } => return false,
    };
    warnings.contains(&Warning::JavascriptRequired)
}

fn is_web_page(document: &Document) -> bool {
    matches!(document.source, ExtractionSource::Html | ExtractionSource::StructuredData)
}

/// Rendered page.
pub(super) struct RenderedInput {
    pub(super) input: Input,
    /// True if text may be missing.
    pub(super) is_cut: bool,
}

/// Files that are written for a rendered page.
#[derive(Debug, Args)]
pub(super) struct CaptureFiles {
    /// Write a copy of the page as a browser (Chromium) displays it, as one HTML file without scripts.
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Write a screenshot of the whole page, as PNG, made by a browser (Chromium).
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Write the page as a browser (Chromium) prints it, as PDF.
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
}

impl CaptureFiles {
    /// Returns true if no file is written.
    pub(super) fn is_empty(&self) -> bool {
        self.archive.is_none() && self.screenshot.is_none() && self.pdf.is_none()
    }

    fn captures(&self) -> Captures {
        Captures {
            screenshot: self.screenshot.is_some(),
            pdf: self.pdf.is_some(),
            page: self.archive.is_some(),
        }
    }

    fn write(&self, url: &str, captured: CapturedFiles) -> anyhow::Result<()> {
        let archive = captured.page.map(|page| {
            let source = articles::page_source(url, page, SystemClock.now());
            large_stack::run(|| page_copy::create(&source))
        });
        let archive = archive.transpose()?.transpose().map_err(anyhow::Error::msg)?;
        if let Some(statement) = archive.as_ref().and_then(|copy| copy.omissions.statement()) {
            eprintln!("{statement}");
        }
        let archive = archive.map(|copy| copy.html.into_bytes());
        let files =
            [(&self.archive, archive), (&self.screenshot, captured.screenshot), (&self.pdf, captured.pdf)];
        for (path, file) in files {
            if let (Some(path), Some(file)) = (path, file) {
                std::fs::write(path, file)
                    .with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        if captured.is_screenshot_cut {
            eprintln!("the screenshot has only the first {MAX_SCREENSHOT_HEIGHT} pixels of the page");
        }
        Ok(())
    }
}

/// Renders the page at `url`, and writes the requested files.
///
/// # Errors
/// If no browser is installed, the page cannot be rendered, or a file cannot be written.
pub(super) async fn render(
    settings: &Settings,
    url: &str,
    (choice, files): (RenderArgument, &CaptureFiles),
) -> anyhow::Result<RenderedInput> {
    let program = settings.renderer.program().context(MISSING)?;
    let fetcher = Fetcher::new(http_kit::app::fetch_policy(settings))?;
    let renderer = Renderer::new(RendererSettings::new(program), fetcher);
    let request = RenderRequest {
        captures: files.captures(),
        dismiss_cookie_notices: choice == RenderArgument::WithoutCookieNotices,
        ..RenderRequest::page(url, DEADLINE)
    };
    let rendered = renderer.render(&request).await;
    renderer.shutdown().await;
    let rendered = rendered?;
    for warning in &rendered.warnings {
        eprintln!("warning: {warning}");
    }
    files.write(rendered.url.as_str(), rendered.captured)?;
    let is_cut = rendered.is_cut;
    let page = Fetched::of_rendered(rendered.url, rendered.status, rendered.html)?;
    let input =
        Input { bytes: page.body.to_vec(), content_type: page.content_type, url: Some(page.url.into()) };
    Ok(RenderedInput { input, is_cut })
}
