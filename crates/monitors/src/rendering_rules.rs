//! Rules of monitors whose page is rendered: permitted targets, settings, and steps, required workers, and costs.

use super::monitor::{Definition, TargetType};
use super::rendering::Rendering;
use super::request::RequestSettings;
use articles::RENDERING_EXTRACTIONS;
use articles::worker_tools::{PageStep, StepKind};
use extract::watch::{Target, TriggerKind};
use fetch::Url;
use kernel::bounds::{
    MONITOR_STEP_SELECTOR_CHARS, MONITOR_STEP_TEXT_CHARS, MONITOR_STEP_WAIT_MS, MONITOR_STEPS, URL_CHARS,
};
use kernel::{Code, Domain, Error, Result, looks_like_a_secret};

/// Words in selectors of fields for secrets. Only secret texts are typed into them, because other texts are
/// stored unencrypted.
const SECRET_FIELDS: [&str; 4] = ["password", "passwd", "one-time-code", "secret"];

/// Checks that the target and the request of a definition can be rendered, and checks the steps.
///
/// # Errors
/// `invalid_request`, with the field, if a check fails.
pub(super) fn check(definition: &Definition) -> Result<()> {
    let Some(rendering) = &definition.rendering else {
        return match definition.target {
            Target::Visual { .. } => {
                Err(Error::invalid_field("render", "must be true for this type of target"))
            }
            _ => Ok(()),
        };
    };
    if let Target::Visual { selector } = &definition.target {
        check_visual(definition, selector.as_deref())?;
    }
    match TargetType::of(&definition.target) {
        TargetType::Page | TargetType::Extract | TargetType::Product | TargetType::Visual => {}
        TargetType::Sitemap
        | TargetType::Calendar
        | TargetType::File
        | TargetType::Image
        | TargetType::Headers => {
            return Err(Error::invalid_field("render", "does not belong to this type of target"));
        }
    }
    check_request(&definition.request)?;
    if let Some(selector) = &rendering.wait_for {
        check_selector(selector).map_err(|reason| Error::invalid_field("wait_for", reason))?;
    }
    check_steps(&rendering.steps)
}

/// Checks that the browser can apply the settings of a request.
fn check_request(request: &RequestSettings) -> Result<()> {
    if request.post.is_some() {
        let reason = "cannot be used for a page in a browser (render), which is always requested with GET";
        return Err(Error::invalid_at("/request/post", reason));
    }
    if request.proxy.is_some() {
        let reason = "cannot be used for a page in a browser (render), which has its own proxy";
        return Err(Error::invalid_at("/request/proxy", reason));
    }
    Ok(())
}

/// Checks that the rules of a visual monitor can apply to a screenshot, which has no texts.
fn check_visual(definition: &Definition, selector: Option<&str>) -> Result<()> {
    if let Some(selector) = selector {
        check_selector(selector).map_err(|reason| Error::invalid_field("selector", reason))?;
    }
    if !matches!(definition.trigger.kind, TriggerKind::Any | TriggerKind::Share) {
        let reason = "must be any or share for this type of target, because a screenshot has no texts";
        return Err(Error::invalid_field("trigger", reason));
    }
    if !definition.ignore.is_empty() {
        return Err(Error::invalid_field("ignore", "does not belong to this type of target"));
    }
    Ok(())
}

/// Checks that a page that is not rendered has no settings for rendering.
///
/// # Errors
/// `invalid_request`, with the field, if a check fails.
pub(super) fn check_without_browser(rendering: &Rendering) -> Result<()> {
    let reason = "needs the page in a browser (render)";
    if rendering.wait_for.is_some() {
        return Err(Error::invalid_field("wait_for", reason));
    }
    if rendering.dismiss_cookie_notices {
        return Err(Error::invalid_field("dismiss_cookie_notices", reason));
    }
    if rendering.steps.is_empty() { Ok(()) } else { Err(Error::invalid_field("steps", reason)) }
}

/// Checks the steps of a definition, whose secret texts may be sealed.
///
/// # Errors
/// `invalid_request`, with the field, if a check fails.
pub(super) fn check_steps(steps: &[PageStep]) -> Result<()> {
    if steps.len() > MONITOR_STEPS {
        return Err(Error::invalid_field("steps", format!("has more than {MONITOR_STEPS} items")));
    }
    for (index, step) in steps.iter().enumerate() {
        check_step(step)
            .map_err(|(field, reason)| Error::invalid_at(&format!("/steps/{index}/{field}"), reason))?;
    }
    let wait_ms = steps.iter().filter_map(|step| step.wait_ms).fold(0_u32, u32::saturating_add);
    if wait_ms > MONITOR_STEP_WAIT_MS {
        let reason = format!("must wait at most {MONITOR_STEP_WAIT_MS} milliseconds in total");
        return Err(Error::invalid_field("steps", reason));
    }
    Ok(())
}

/// Checks that the steps open only addresses of the site of a monitor.
///
/// # Errors
/// `invalid_request`, with the step, if a check fails.
pub(super) fn check_addresses(target: &Url, steps: &[PageStep]) -> Result<()> {
    for (index, step) in steps.iter().enumerate() {
        let Some(address) = &step.url else { continue };
        let is_of_site = target.join(address).is_ok_and(|address| fetch::is_same_site(target, &address));
        if !is_of_site {
            let reason = "must be an address of the site of the monitor";
            return Err(Error::invalid_at(&format!("/steps/{index}/url"), reason));
        }
    }
    Ok(())
}

/// Rule for a field of a kind of step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldRule {
    Required,
    Possible,
    Foreign,
}

/// Invalid field of a step, with the reason.
type InvalidField = (&'static str, String);

impl FieldRule {
    /// Rules for the selector and the text of a kind of step.
    const fn of(kind: StepKind) -> (Self, Self) {
        match kind {
            StepKind::Type | StepKind::Select => (Self::Required, Self::Required),
            StepKind::Click
            | StepKind::Check
            | StepKind::Uncheck
            | StepKind::Hover
            | StepKind::WaitGone
            | StepKind::Remove => (Self::Required, Self::Foreign),
            StepKind::WaitText => (Self::Possible, Self::Required),
            StepKind::Press | StepKind::Scroll | StepKind::ScrollEnd | StepKind::Wait => {
                (Self::Possible, Self::Foreign)
            }
            StepKind::Back | StepKind::Open => (Self::Foreign, Self::Foreign),
        }
    }

    /// Rule for a field that is required if the kind of step needs it, and otherwise not allowed.
    const fn required_if(is_needed: bool) -> Self {
        if is_needed { Self::Required } else { Self::Foreign }
    }

    fn check(self, field: &'static str, is_present: bool) -> std::result::Result<(), InvalidField> {
        match (self, is_present) {
            (Self::Required, false) => Err((field, "is missing".to_owned())),
            (Self::Foreign, true) => Err((field, "does not belong to this kind of step".to_owned())),
            (Self::Required, true) | (Self::Possible, _) | (Self::Foreign, false) => Ok(()),
        }
    }
}

/// Checks a step. The error is the invalid field, with the reason.
pub(super) fn check_step(step: &PageStep) -> std::result::Result<(), InvalidField> {
    let (selector_rule, text_rule) = FieldRule::of(step.kind);
    let selector = step.selector.as_deref();
    selector_rule.check("selector", selector.is_some())?;
    if let Some(selector) = selector {
        check_selector(selector).map_err(|reason| ("selector", reason))?;
    }
    FieldRule::required_if(step.kind == StepKind::Press).check("key", step.key.is_some())?;
    FieldRule::required_if(step.kind == StepKind::Open).check("url", step.url.is_some())?;
    if let Some(address) = &step.url {
        check_address(address).map_err(|reason| ("url", reason))?;
    }
    if step.optional && (selector.is_none() || step.kind.is_wait()) {
        let reason = "belongs only to steps that act on an element";
        return Err(("optional", reason.to_owned()));
    }
    check_step_text(step, text_rule)?;
    match (step.kind, step.wait_ms) {
        (StepKind::Wait, Some(_)) if selector.is_some() => {
            Err(("wait_ms", "does not belong to a wait for an element".to_owned()))
        }
        (StepKind::Wait, None) if selector.is_some() => Ok(()),
        (StepKind::Wait, None | Some(0)) => Err(("wait_ms", "must be at least 1".to_owned())),
        (StepKind::Wait, Some(_)) => Ok(()),
        (_, wait_ms) => FieldRule::Foreign.check("wait_ms", wait_ms.is_some()),
    }
}

/// Checks the text of a step. A secret text may be sealed, so that the step has none.
fn check_step_text(step: &PageStep, rule: FieldRule) -> std::result::Result<(), InvalidField> {
    FieldRule::Foreign.check("secret", step.secret && step.kind != StepKind::Type)?;
    if !step.secret {
        rule.check("text", step.text.is_some())?;
        let is_for_secrets = |selector: &String| {
            let selector = selector.to_ascii_lowercase();
            SECRET_FIELDS.iter().any(|word| selector.contains(word))
        };
        if step.kind == StepKind::Type && step.selector.as_ref().is_some_and(is_for_secrets) {
            let reason =
                "must not name a field for secrets, unless the text is secret: others are stored as they are";
            return Err(("selector", reason.to_owned()));
        }
    }
    let Some(text) = &step.text else { return Ok(()) };
    let is_awaited = step.kind == StepKind::WaitText;
    if step.secret && text.is_empty() || is_awaited && text.trim().is_empty() {
        return Err(("text", "must not be empty".to_owned()));
    }
    if text.chars().count() > MONITOR_STEP_TEXT_CHARS || text.contains('\0') {
        return Err(("text", format!("longer than {MONITOR_STEP_TEXT_CHARS}")));
    }
    if !step.secret && looks_like_a_secret(text) {
        return Err(("text", "must not be an API key or token, unless it is secret".to_owned()));
    }
    Ok(())
}

/// Checks an address that a step opens, which may be relative. The error is the reason.
fn check_address(address: &str) -> std::result::Result<(), String> {
    if address.trim().is_empty() || address.chars().count() > URL_CHARS {
        return Err(format!("must be an address of at most {URL_CHARS} characters"));
    }
    if address.chars().any(char::is_control) {
        return Err("must be one line".to_owned());
    }
    if looks_like_a_secret(address) {
        return Err("must not contain an API key or token".to_owned());
    }
    // The host of a relative address is that of the monitor.
    let url = Url::parse("https://relative.invalid/").and_then(|base| base.join(address));
    let is_web = url.is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
    });
    if is_web {
        Ok(())
    } else {
        Err("must be an address of a page, without user name and password".to_owned())
    }
}

/// Checks that a text is a CSS selector on one line. The error is the reason.
pub(super) fn check_selector(selector: &str) -> std::result::Result<(), String> {
    let length = selector.chars().count();
    if selector.trim().is_empty() || length > MONITOR_STEP_SELECTOR_CHARS {
        return Err(format!("must be a CSS selector of at most {MONITOR_STEP_SELECTOR_CHARS} characters"));
    }
    if selector.chars().any(char::is_control) {
        return Err("must be one line".to_owned());
    }
    Ok(())
}

/// Checks that this service can render the page of a definition.
///
/// # Errors
/// `renderer_unavailable` if the service has no browser.
pub(super) fn check_browser(domain: &Domain, definition: &Definition) -> Result<()> {
    if definition.rendering.is_none() || domain.policy().renders_pages {
        return Ok(());
    }
    let message = "This service has no browser to render pages. Its operator can install Chromium \
                   (apt-get install chromium), or name one with CARREL_RENDERER.";
    Err(Error::new(Code::RendererUnavailable, message)
        .at("render", "needs a browser, which this service lacks"))
}

/// Returns true if only workers with a browser execute runs of the definition. If the service has no browser, any
/// worker executes them, to record the failure.
pub(super) fn needs_browser(domain: &Domain, definition: &Definition) -> bool {
    definition.rendering.is_some() && domain.policy().renders_pages
}

/// Returns the number of fresh extractions that a check costs if the owner requests it.
pub(super) fn fresh_extractions(definition: &Definition) -> u32 {
    if definition.rendering.is_some() { 1 + RENDERING_EXTRACTIONS } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{CustomHeader, Post, PostMethod};
    use articles::worker_tools::StepKey;
    use extract::watch::Ignore;

    #[test]
    fn rendering_is_refused_for_files() {
        let rendered =
            |target: Target| Definition { rendering: Some(Rendering::default()), ..Definition::of(target) };
        assert!(check(&rendered(Target::Product)).is_ok());
        assert!(check(&Definition::of(Target::File)).is_ok());
        let visual = |selector: Option<&str>| Target::Visual { selector: selector.map(str::to_owned) };
        assert!(check(&rendered(visual(Some("#map")))).is_ok());
        assert!(check(&rendered(visual(Some("#map\n#list")))).is_err());
        assert!(check(&Definition::of(visual(None))).is_err(), "a screenshot needs a browser");
        for target in [Target::File, Target::Image, Target::Calendar] {
            assert_eq!(check(&rendered(target)).unwrap_err().code, Code::InvalidRequest);
        }
    }

    #[test]
    fn rendered_page_accepts_headers_and_cookies_but_no_body_or_proxy() {
        let with = |request: RequestSettings| {
            check(&Definition {
                rendering: Some(Rendering::default()),
                request,
                ..Definition::of(Target::Product)
            })
        };
        let header = CustomHeader { name: "X-Region".to_owned(), value: "north".to_owned() };
        let sent = RequestSettings {
            headers: vec![header],
            user_agent: Some("Harbour/1".to_owned()),
            any_status: true,
            cookies: true,
            ..RequestSettings::default()
        };
        assert!(with(sent).is_ok());
        let post =
            Post { method: PostMethod::Post, content_type: "text/plain".to_owned(), body: String::new() };
        for (request, field) in [
            (RequestSettings { post: Some(post), ..RequestSettings::default() }, "/request/post"),
            (
                RequestSettings { proxy: Some("north".to_owned()), ..RequestSettings::default() },
                "/request/proxy",
            ),
        ] {
            let error = with(request).unwrap_err();
            assert_eq!(
                error.field().map(|field| field.path.pointer(str::to_owned)),
                Some(field.to_owned()),
                "{error}"
            );
        }
    }

    #[test]
    fn visual_monitor_accepts_only_rules_that_apply_to_a_screenshot() {
        let visual = Definition {
            rendering: Some(Rendering::default()),
            ..Definition::of(Target::Visual { selector: None })
        };
        for kind in [TriggerKind::TextAppears, TriggerKind::Added, TriggerKind::Above, TriggerKind::Share] {
            let mut triggered = visual.clone();
            triggered.trigger.kind = kind;
            assert_eq!(check(&triggered).is_ok(), kind == TriggerKind::Share, "{kind:?}");
        }
        let ignoring = Definition { ignore: vec![Ignore::Selector(".clock".to_owned())], ..visual };
        assert_eq!(check(&ignoring).unwrap_err().code, Code::InvalidRequest);
    }

    #[test]
    fn steps_with_wrong_fields_or_unmarked_secrets_are_refused() {
        let step = |kind, selector: Option<&str>, text: Option<&str>, wait_ms| PageStep {
            selector: selector.map(str::to_owned),
            text: text.map(str::to_owned),
            wait_ms,
            ..PageStep::new(kind)
        };
        let secret = |step: PageStep| PageStep { secret: true, ..step };
        let valid = [
            step(StepKind::Click, Some("#more"), None, None),
            step(StepKind::Type, Some("#q"), Some(""), None),
            step(StepKind::Scroll, None, None, None),
            step(StepKind::Wait, None, None, Some(10_000)),
            step(StepKind::Wait, Some("#list"), None, None),
            secret(step(StepKind::Type, Some("input[type=password]"), Some("lamp"), None)),
            secret(step(StepKind::Type, Some("#password"), None, None)),
        ];
        assert!(check_steps(&valid).is_ok());
        let long = "x".repeat(501);
        for (step, field) in [
            (step(StepKind::Click, None, None, None), "selector"),
            (step(StepKind::Click, Some("#a\n"), None, None), "selector"),
            (step(StepKind::Click, Some("#a"), Some("x"), None), "text"),
            (step(StepKind::Type, Some("#a"), None, None), "text"),
            (step(StepKind::Type, Some("#a"), Some(&long), None), "text"),
            (step(StepKind::Type, Some("input[type=PASSWORD]"), Some("x"), None), "selector"),
            (secret(step(StepKind::Click, Some("#a"), None, None)), "secret"),
            (secret(step(StepKind::Type, Some("#a"), Some(""), None)), "text"),
            (secret(step(StepKind::Type, Some("#a"), Some(&long), None)), "text"),
            (step(StepKind::Wait, Some("#a"), None, Some(1)), "wait_ms"),
            (step(StepKind::Wait, None, None, None), "wait_ms"),
            (step(StepKind::Scroll, None, None, Some(1)), "wait_ms"),
        ] {
            assert_eq!(check_step(&step).unwrap_err().0, field, "{step:?}");
        }
        assert!(check_steps(&vec![valid[3].clone(); 2]).is_err(), "waits are limited in total");
        assert!(check_steps(&vec![valid[0].clone(); 11]).is_err());
    }

    #[test]
    fn each_kind_of_step_accepts_only_its_own_fields() {
        let on = |kind| PageStep::on(kind, "#a");
        let bare = PageStep::new;
        let with_text = |step: PageStep| PageStep { text: Some("boats".to_owned()), ..step };
        let press = PageStep { key: Some(StepKey::Enter), ..bare(StepKind::Press) };
        let open = |url: &str| PageStep { url: Some(url.to_owned()), ..bare(StepKind::Open) };
        let optional = |step: PageStep| PageStep { optional: true, ..step };
        let valid = [
            with_text(on(StepKind::Select)),
            on(StepKind::Check),
            optional(on(StepKind::Uncheck)),
            on(StepKind::Hover),
            press.clone(),
            PageStep { selector: Some("#a".to_owned()), ..press.clone() },
            bare(StepKind::ScrollEnd),
            with_text(bare(StepKind::WaitText)),
        ];
        assert!(check_steps(&valid).is_ok());
        let valid =
            [on(StepKind::WaitGone), bare(StepKind::Back), open("/page?b=1"), optional(on(StepKind::Remove))];
        assert!(check_steps(&valid).is_ok());
        for (step, field) in [
            (on(StepKind::Select), "text"),
            (bare(StepKind::Check), "selector"),
            (with_text(on(StepKind::Hover)), "text"),
            (bare(StepKind::Press), "key"),
            (PageStep { key: Some(StepKey::Tab), ..on(StepKind::Click) }, "key"),
            (bare(StepKind::WaitText), "text"),
            (PageStep { text: Some(" ".to_owned()), ..bare(StepKind::WaitText) }, "text"),
            (bare(StepKind::WaitGone), "selector"),
            (on(StepKind::Back), "selector"),
            (bare(StepKind::Open), "url"),
            (open("javascript:alert(1)"), "url"),
            (open("https://ada:lamp@a.example/"), "url"),
            (open("/a\nb"), "url"),
            (PageStep { url: Some("/page".to_owned()), ..on(StepKind::Click) }, "url"),
            (optional(on(StepKind::Wait)), "optional"),
            (optional(press), "optional"),
        ] {
            assert_eq!(check_step(&step).unwrap_err().0, field, "{step:?}");
        }
        let target = Url::parse("https://shop.example/boats").unwrap();
        for (address, is_of_site) in [
            ("page", true),
            ("https://www.shop.example/", true),
            ("https://other.example/", false),
            ("//other.example/", false),
        ] {
            assert_eq!(check_addresses(&target, &[open(address)]).is_ok(), is_of_site, "{address}");
        }
    }

    #[test]
    fn rendered_run_costs_at_least_three_credits() {
        let page = Definition::of(Target::Page { selector: None });
        assert_eq!(page.cost(), 1);
        assert_eq!(Definition { rendering: Some(Rendering::default()), ..page }.cost(), 3);
    }
}
