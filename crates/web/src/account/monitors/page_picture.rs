//! Picture of a page on which a person chooses the parts to watch, or elements for steps. Each part is a button over
//! the picture and in the list below it, so choosing a part submits all typed values of the form. The content
//! security policy forbids inline styles, so a stylesheet of the picture positions the buttons.

use std::cmp::Reverse;
use std::collections::HashSet;

use extract::watch::PartKind;
use kernel::{Code, Error};
use maud::{Markup, html};
use monitors::{PageParts, PositionedPart, TargetType};
use poem::http::{HeaderName, header};
use poem::web::Path;
use poem::{IntoResponse, Response, handler};

use super::input::MonitorInput;
use super::new_step::PickPurpose;
use super::picture_form::PictureForm;
use super::step_choice::{chosen_steps, new_step_field, purpose_field};
use super::steps::preview_frame;
use crate::language::text::Text;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::keep_private;

/// Content security policy of the picture and its stylesheet, which load nothing.
const POLICY: &str = "default-src 'none'; sandbox";

/// Returns the path prefix of the picture and its stylesheet.
fn path(key: &str) -> String {
    format!("/monitors/new/pictures/{key}")
}

/// Renders the buttons that request a picture, or the reason why pictures are unavailable.
pub(super) fn picture_field(request: &PageRequest, form: PictureForm<'_>) -> Markup {
    html! {
        div #picture tabindex="-1" {
            @if request.app.domain.policy().renders_pages {
                div.row {
                    @if form.offers_parts {
                        button.secondary type="submit" name="act" value="picture" formnovalidate formaction=(form.target)
                            aria-describedby="picture-rule" { (Text("pick-button")) }
                    }
                    button.secondary type="submit" name="act" value="steps" formnovalidate formaction=(form.target)
                        aria-describedby="picture-rule" { (Text("pick-steps-button")) }
                }
                p.rule #picture-rule { (Text("pick-hint")) }
            } @else { p.soft.small { (Text("pick-no-browser")) } }
            (form.form_error.on_group("picture"))
        }
    }
}

/// Renders the picture with its parts as the preview section of the form.
pub(super) fn picture_section(parts: &PageParts, form: PictureForm<'_>) -> Markup {
    let heading = match form.input.pick {
        PickPurpose::Part => Text("pick-heading"),
        PickPurpose::Step => Text("pick-steps-heading"),
    };
    preview_frame(&heading.get(), &picture(parts, form))
}

/// Renders the picture with its parts, collapsed.
pub(super) fn collapsed_picture(parts: &PageParts, form: PictureForm<'_>) -> Markup {
    html! { details { summary { (Text("pick-another")) } (picture(parts, form)) } }
}

fn picture(parts: &PageParts, form: PictureForm<'_>) -> Markup {
    let path = path(&parts.key);
    let is_for_steps = form.input.pick == PickPurpose::Step;
    let chosen = if is_for_steps {
        HashSet::from([form.input.new_step.selector.as_str()])
    } else {
        form.input.chosen_selectors()
    };
    let numbered = || (1..).zip(&parts.parts);
    html! {
        input type="hidden" name="picture" value=(parts.key);
        (purpose_field(form))
        @if parts.parts.is_empty() { p { (Text("pick-empty")) } } @else if !is_for_steps { p.soft { (Text("pick-words")) } }
        @if parts.is_cut { p.soft { (Text("pick-cut")) } }
        @if is_for_steps { (chosen_steps(form)) } @else { (chosen_parts(parts, form.input, &chosen)) }
        (new_step_field(parts, form))
        link rel="stylesheet" href={ (path) "/style.css" };
        div.page-picture {
            img src={ (path) "/page.jpg" } alt=(Text("pick-alt").get()) width=(parts.width) height=(parts.height);
            // The list has the same buttons for the keyboard and for screen readers.
            @for (number, part) in numbered() {
                button.chosen[chosen.contains(part.selector.as_str())] type="submit" name="part" value=(number) formnovalidate
                    formaction=(form.target) title=(part.text) tabindex="-1" aria-hidden="true" {}
            }
        }
        @if !parts.parts.is_empty() {
            h3 #parts { (Text("pick-parts")) }
            ol.parts aria-labelledby="parts" { @for (number, part) in numbered() { (list_row(number, part, (form, &chosen))) } }
        }
    }
}

/// Renders the texts of the chosen parts. Empty if no part is chosen.
fn chosen_parts(parts: &PageParts, input: &MonitorInput, chosen: &HashSet<&str>) -> Markup {
    let is_chosen = |part: &&PositionedPart| chosen.contains(part.selector.as_str());
    let chosen: Vec<&PositionedPart> = parts.parts.iter().filter(is_chosen).collect();
    html! {
        @if !chosen.is_empty() {
            h3 #chosen { (Text("pick-chosen")) }
            ul.chosen-parts aria-labelledby="chosen" { @for part in chosen { li { bdi { (part.text) } } } }
            @if input.target_type() != TargetType::Visual { p.soft { (Text("pick-more")) } }
        }
    }
}

fn list_row(number: u32, part: &PositionedPart, (form, chosen): (PictureForm<'_>, &HashSet<&str>)) -> Markup {
    let is_pressed = if chosen.contains(part.selector.as_str()) { "true" } else { "false" };
    html! {
        li {
            button.link type="submit" name="part" value=(number) formnovalidate formaction=(form.target)
                aria-pressed=(is_pressed) { bdi { (part.text) } }
            @match part.kind {
                PartKind::Text => {},
                PartKind::Button => { " " span.soft.small { (Text("pick-kind-button")) } },
                PartKind::Field | PartKind::SecretField => { " " span.soft.small { (Text("pick-kind-field")) } },
            }
            " " code.soft.small dir="ltr" { (part.selector) }
        }
    }
}

/// Sends a picture to the person who requested it.
#[handler]
pub(crate) async fn show_picture(request: PageRequest, user: User, Path(key): Path<String>) -> PageResult {
    let picture = monitors::page_picture(&request.app.domain, user.account.id, &key).await?;
    Ok(private_file(picture.ok_or_else(missing)?.with_content_type("image/jpeg").into_response()))
}

/// Sends the stylesheet that positions the parts of a picture.
#[handler]
pub(crate) async fn show_picture_style(
    request: PageRequest,
    user: User,
    Path(key): Path<String>,
) -> PageResult {
    let parts = monitors::find_page_parts(&request.app.domain, user.account.id, &key).await?;
    let style = style(&parts.ok_or_else(missing)?);
    Ok(private_file(style.with_content_type("text/css; charset=utf-8").into_response()))
}

fn missing() -> Error {
    Error::new(Code::NotFound, "There is no such picture, or it has expired.")
}

fn private_file(response: Response) -> Response {
    let response = response
        .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
        .with_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .with_header(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    keep_private(response.into_response())
}

/// Returns the stylesheet that positions the parts of a picture. Small parts are stacked above large ones. A part is
/// highlighted on the picture while its entry in the list is focused or hovered.
fn style(page: &PageParts) -> String {
    let mut parts: Vec<(u32, &PositionedPart)> = (1..).zip(&page.parts).collect();
    parts.sort_by_key(|(_, part)| Reverse(u64::from(part.width) * u64::from(part.height)));
    let rule = |(layer, (number, part)): (u32, (u32, &PositionedPart))| {
        let (left, top) = (percent(part.x, page.width), percent(part.y, page.height));
        let (width, height) = (percent(part.width, page.width), percent(part.height, page.height));
        format!(
            ".page-picture>[value=\"{number}\"]{{left:{left};top:{top};width:{width};height:{height};z-index:{layer}}}\n\
             .page-picture:has(~.parts [value=\"{number}\"]:is(:hover,:focus-visible))>[value=\"{number}\"]\
             {{outline:3px solid var(--accent)}}\n"
        )
    };
    (1..).zip(parts).map(rule).collect()
}

/// Formats a share in percent with two decimals.
fn percent(part: u32, whole: u32) -> String {
    let share = u64::from(part) * 10_000 / u64::from(whole.max(1));
    format!("{}.{:02}%", share / 100, share % 100)
}

#[cfg(test)]
mod tests {
    use monitors::{PageStep, StepKind};

    use super::super::new_step::NewStep;
    use super::*;
    use crate::page::form::FormError;

    fn part(text: &str, x: u32, width: u32) -> PositionedPart {
        let (selector, text, kind) = ("#a > b".to_owned(), text.to_owned(), PartKind::Text);
        PositionedPart { selector, text, kind, x, y: 30, width, height: 10 }
    }

    fn form<'a>(input: &'a MonitorInput, form_error: &'a FormError) -> PictureForm<'a> {
        PictureForm { input, target: "/monitors/new#preview", offers_parts: true, form_error }
    }

    fn page(parts: Vec<PositionedPart>) -> PageParts {
        PageParts {
            key: "00".repeat(32),
            url: "https://shop.example/".to_owned(),
            width: 300,
            height: 100,
            parts,
            is_cut: false,
        }
    }

    #[test]
    fn small_parts_are_above_large_parts_and_positions_are_percentages() {
        let style = style(&page(vec![part("Small", 100, 10), part("Large", 0, 300)]));
        assert!(
            style.starts_with(
                ".page-picture>[value=\"2\"]{left:0.00%;top:30.00%;width:100.00%;height:10.00%;z-index:1}"
            ),
            "{style}"
        );
        assert!(
            style.contains(
                ".page-picture>[value=\"1\"]{left:33.33%;top:30.00%;width:3.33%;height:10.00%;z-index:2}"
            ),
            "{style}"
        );
    }

    #[test]
    fn texts_of_the_page_are_escaped() {
        let input = MonitorInput::default();
        let no_error = FormError::default();
        let form = form(&input, &no_error);
        let markup = picture(&page(vec![part("\"><script>alert(1)</script>", 0, 10)]), form).into_string();
        assert!(
            !markup.contains("<script") && markup.contains("title=\"&quot;&gt;&lt;script&gt;"),
            "{markup}"
        );
        assert!(markup.contains("<bdi>&quot;&gt;&lt;script&gt;") && markup.contains("#a &gt; b"), "{markup}");
    }

    #[test]
    fn chosen_parts_are_marked_and_listed_above_the_picture() {
        let mut input = MonitorInput::default();
        input.choose("#x");
        input.choose("#a > b");
        let no_error = FormError::default();
        let form = form(&input, &no_error);
        let other = PositionedPart { selector: "#c".to_owned(), ..part("Other", 0, 10) };
        let markup = picture(&page(vec![part("Price", 0, 10), other]), form).into_string();
        assert!(
            markup.contains(
                "<ul class=\"chosen-parts\" aria-labelledby=\"chosen\"><li><bdi>Price</bdi></li></ul>"
            ),
            "{markup}"
        );
        assert_eq!(markup.matches("aria-pressed=\"true\"").count(), 1, "{markup}");
        assert_eq!(markup.matches("class=\"chosen\"").count(), 1, "{markup}");
    }

    #[test]
    fn selected_element_has_a_step_form_and_steps_have_remove_buttons() {
        let field = PositionedPart { kind: PartKind::Field, ..part("<i>Search", 0, 10) };
        let mut input = MonitorInput::default();
        input.pick = PickPurpose::Step;
        input.new_step = NewStep::on(&field);
        input.rendering.add_step(PageStep::on(StepKind::Click, "#more"));
        let no_error = FormError::default();
        let markup = picture(&page(vec![field]), form(&input, &no_error)).into_string();
        for expected in [
            "name=\"stepSelector\" value=\"#a &gt; b\"",
            "value=\"type\" checked",
            "<bdi>&lt;i&gt;Search</bdi>",
            "<code dir=\"ltr\">click #more</code> <button class=\"link\" type=\"submit\" name=\"removeStep\" value=\"1\"",
            "name=\"pick\" value=\"step\" checked",
            "aria-pressed=\"true\"",
        ] {
            assert!(markup.contains(expected), "{expected}: {markup}");
        }
    }
}
