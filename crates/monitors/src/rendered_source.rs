//! Rendering of the monitored page in the worker's browser.

use articles::of_render_error;
use articles::worker_tools::{
    PagePicture, PageRendering, RenderError, RenderRequest, RenderingWarning, Tools,
};
use fetch::{Bytes, Fetched};

use super::outcome::RunError;

/// Document of a rendered page.
pub(super) struct RenderedSource {
    pub(super) fetched: Fetched,
    /// True if the page was still loading at the deadline, or exceeded a limit.
    pub(super) is_cut: bool,
    /// Screenshot in PNG, if it was requested.
    pub(super) screenshot: Option<Bytes>,
    /// Picture of the parts of the page, if they were requested.
    pub(super) picture: Option<PagePicture>,
    /// Warnings about dismissed notices, skipped steps, and truncated lists.
    pub(super) warnings: Vec<RenderingWarning>,
}

/// Response statuses with which a document is accepted as content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AcceptedStatuses {
    Success,
    /// Also error statuses, except 429.
    Any,
}

/// Renders a page in the browser of this worker.
///
/// # Errors
/// Returns the failure of the run. There is no attempt to read the page without a browser.
pub(super) async fn render(
    tools: &Tools,
    request: &RenderRequest,
    statuses: AcceptedStatuses,
) -> Result<RenderedSource, RunError> {
    let Some(renderer) = &tools.renderer else {
        return Err(failure_of(&RenderError::Browser { reason: "this service has none".to_owned() }));
    };
    let PageRendering { url, status, html, is_cut, captured, cookies, warnings } =
        renderer.render(request).await.map_err(|error| {
            tracing::info!(%error, "monitored page not rendered");
            failure_of(&error)
        })?;
    let fetched = match statuses {
        AcceptedStatuses::Success => Fetched::of_rendered(url, status, html),
        AcceptedStatuses::Any => Fetched::of_rendered_error_page(url, status, html),
    };
    let fetched = Fetched { cookies, ..fetched.map_err(|error| RunError::of(&error))? };
    let is_cut = is_cut || captured.is_screenshot_cut;
    let screenshot = captured.screenshot.map(Bytes::from);
    Ok(RenderedSource { fetched, is_cut, screenshot, picture: captured.parts, warnings })
}

fn failure_of(error: &RenderError) -> RunError {
    let failure = of_render_error(error);
    let reason = Some(failure.message);
    match error {
        RenderError::Refused(error) => RunError { reason, ..RunError::of(error) },
        RenderError::Browser { .. } | RenderError::BrowserLost => RunError::without_browser(),
        RenderError::Absent => RunError::absent(),
        RenderError::Step { step, .. } => {
            let step = step.strip_prefix("step ").map(str::to_owned);
            RunError { reason, step, ..RunError::unusable(failure.code) }
        }
        RenderError::Load { .. } | RenderError::Crashed | RenderError::Unresponsive { .. } => {
            RunError { reason, ..RunError::unusable(failure.code) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Code;

    #[test]
    fn rendering_errors_map_to_error_codes() {
        let reason = || "it does not start".to_owned();
        let broken = [RenderError::Browser { reason: reason() }, RenderError::BrowserLost];
        assert!(broken.iter().all(|error| failure_of(error).code == Code::RendererUnavailable));
        assert_eq!(failure_of(&RenderError::Crashed).code, Code::UnsupportedContent);
        assert_eq!(failure_of(&RenderError::Load { reason: reason() }).code, Code::SourceError);
        let step = RenderError::Step { step: "step 2".to_owned(), reason: "it has no selector".to_owned() };
        let failed = failure_of(&step);
        assert_eq!(failed.code, Code::StepFailed);
        assert_eq!(failed.reason.as_deref(), Some("Step 2 is impossible: it has no selector."));
        assert_eq!(failed.step.as_deref(), Some("2"));
        let refused = RenderError::Refused(fetch::Error::RobotsDisallowed);
        assert_eq!(failure_of(&refused).code, Code::RobotsDisallowed);
    }
}
