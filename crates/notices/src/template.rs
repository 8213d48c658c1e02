//! Templates, in the syntax of Jinja, in which owners of channels write the title and the text of their messages.
//!
//! A template can read the fields of its message, but no files and no other templates. Its steps, output, and input are
//! bounded. Syntax that could double the size of a value (operators that join texts, lists, captured blocks) is
//! rejected before the template is parsed, so that memory is also bounded.

use std::io::{self, Write};

use entities::channel;
use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};
use serde_json::json;

use super::message::{ChangedTexts, Message, MessageContent, NoticeSubject, event_type};
use super::plain_text::{one_line, truncate};
use kernel::{Code, Error, Language, rfc3339};

/// Maximum number of characters in a template.
pub const MAX_TEMPLATE_CHARS: usize = 4_000;
/// Maximum number of characters in the template of a title.
pub const MAX_TITLE_TEMPLATE_CHARS: usize = 500;
/// Fields that a template can read. `address` is the earlier name of `url`.
pub const TEMPLATE_FIELDS: [&str; 15] = [
    "title", "text", "link", "monitor", "url", "address", "before", "after", "change", "value", "time",
    "kind", "messages", "more", "snooze",
];
/// Maximum number of instructions that a template may execute.
const FUEL: u64 = 20_000;
/// Maximum depth of nested blocks and expressions.
const MAX_DEPTH: usize = 50;
/// Maximum number of bytes of a rendered text.
const MAX_OUTPUT_BYTES: usize = 32 * 1024;
/// Maximum number of collected messages that a template can read.
const MAX_MESSAGES: usize = 100;
/// Statements that a template may contain.
const STATEMENTS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];
/// Characters that a tag may not contain, except in string literals.
const REFUSED: [char; 9] = ['~', '+', '*', '[', ']', '{', '}', ',', '\\'];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Line of the error, from 1. `None` if unknown.
    pub line: Option<usize>,
    /// Reason, without a full stop.
    pub reason: String,
}

impl std::fmt::Display for TemplateError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "Line {line}: {}", self.reason),
            None => formatter.write_str(&self.reason),
        }
    }
}

impl TemplateError {
    /// Creates the error of a request that contains this template.
    pub(super) fn at(&self, field: &'static str) -> Error {
        let message = format!("The template cannot be used. {self}.");
        Error::new(Code::InvalidRequest, message).at(field, format!("{self}."))
    }

    fn unknown_field(template: &str, name: &str) -> Self {
        // The word may also occur in a text before the tag.
        let line = template.find(name).map(|at| template[..at].matches('\n').count() + 1);
        let reason = format!("the field “{}” is unknown. {}", truncate(name, 40), known_fields());
        Self { line, reason }
    }
}

/// Error reason for an unknown field of an entry of `messages`.
fn unknown_value() -> String {
    format!("a field is unknown. {}", known_fields())
}

fn known_fields() -> String {
    format!("Known fields: {}", TEMPLATE_FIELDS.join(", "))
}

impl From<minijinja::Error> for TemplateError {
    fn from(error: minijinja::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::OutOfFuel => "the template needs too many steps".to_owned(),
            ErrorKind::WriteFailure => "the text becomes too long".to_owned(),
            ErrorKind::UndefinedError => return Self { line: error.line(), reason: unknown_value() },
            kind => error.detail().map_or_else(|| kind.to_string(), str::to_owned),
        };
        Self { line: error.line(), reason: truncate(&reason, 200) }
    }
}

/// Templates of a channel. `None` for the default text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Templates<'a> {
    pub(super) title: Option<&'a str>,
    pub(super) text: Option<&'a str>,
}

impl<'a> Templates<'a> {
    pub(super) fn of(row: &'a channel::Model) -> Self {
        Self { title: row.title_template.as_deref(), text: row.template.as_deref() }
    }
}

/// Message, with the texts that the templates of its channel rendered.
pub(super) struct TemplatedMessage {
    /// Message, with the title that the template rendered.
    pub(super) message: Message,
    /// True if the template rendered the title.
    pub(super) has_own_title: bool,
    /// Text that the template rendered, or the first error in the templates. `None` for the default text.
    pub(super) text: Option<Result<String, TemplateError>>,
}

/// Renders the title and the text of a message. Only messages about monitors get a title from a template, so that
/// notices about the account remain recognisable. If the rendered title is empty, the default title is used. Text that
/// comes from users or pages is passed through `escape`, except in the title, which is escaped where it is used.
pub(super) fn apply(
    templates: Templates<'_>,
    message: &Message,
    escape: fn(&str) -> String,
) -> TemplatedMessage {
    let mut templated = TemplatedMessage { message: message.clone(), has_own_title: false, text: None };
    let title = templates.title.filter(|_| message.content.monitor.is_some());
    match title.map(|template| render_title(template, message)) {
        Some(Ok(title)) if !title.is_empty() => {
            templated.message.content.title = title;
            templated.has_own_title = true;
        }
        Some(Err(error)) => {
            templated.text = Some(Err(error));
            return templated;
        }
        Some(Ok(_)) | None => {}
    }
    templated.text = templates.text.map(|template| render(template, &templated.message, escape));
    templated
}

/// Renders the title of a message on one line.
fn render_title(template: &str, message: &Message) -> Result<String, TemplateError> {
    render_fields(template, message, str::to_owned).map(|title| one_line(&title))
}

/// Renders the text of a message.
fn render(template: &str, message: &Message, escape: fn(&str) -> String) -> Result<String, TemplateError> {
    let text = render_fields(template, message, escape)?;
    if text.is_empty() {
        return Err(TemplateError { line: None, reason: "the text is empty".to_owned() });
    }
    Ok(text)
}

fn render_fields(
    template: &str,
    message: &Message,
    escape: fn(&str) -> String,
) -> Result<String, TemplateError> {
    check_tags(template)?;
    let environment = environment();
    let parsed = environment.template_from_str(template)?;
    let mut output = BoundedOutput(Vec::new());
    parsed.render_captured_to(context(message, escape), &mut output)?;
    Ok(String::from_utf8_lossy(&output.0).trim().to_owned())
}

/// Validates the template of a text by rendering examples of a single and a combined message.
///
/// # Errors
/// Returns the first error in the template, with its line.
pub(super) fn check(template: &str) -> Result<(), TemplateError> {
    check_length(template, MAX_TEMPLATE_CHARS)?;
    check_fields(template)?;
    for message in [example(), collected_example()] {
        render(template, &message, str::to_owned)?;
    }
    Ok(())
}

/// Validates the template of a title.
///
/// # Errors
/// Returns the first error in the template, with its line.
pub(super) fn check_title(template: &str) -> Result<(), TemplateError> {
    check_length(template, MAX_TITLE_TEMPLATE_CHARS)?;
    check_fields(template)?;
    render_title(template, &example()).map(drop)
}

/// Rejects unknown fields, even in branches that the examples do not render.
fn check_fields(template: &str) -> Result<(), TemplateError> {
    check_tags(template)?;
    let environment = environment();
    let names = environment.template_from_str(template)?.undeclared_variables(false);
    let unknown = names.iter().filter(|name| !TEMPLATE_FIELDS.contains(&name.as_str())).min();
    unknown.map_or(Ok(()), |name| Err(TemplateError::unknown_field(template, name)))
}

fn check_length(template: &str, most: usize) -> Result<(), TemplateError> {
    if template.chars().count() <= most {
        return Ok(());
    }
    let reason = format!("the template is longer than {most} characters");
    Err(TemplateError { line: None, reason })
}

/// Example message for previews of a template.
pub(super) fn example() -> Message {
    let link = "https://example.org/changes/1".to_owned();
    let content = MessageContent::new("Price fell from 120 € to 90 €", "Price: 120 € → 90 €", link, 0);
    Message {
        kind: entities::notice::NoticeKind::Change,
        content: content.with_monitor("Lamp", "https://example.com/lamp").with_change(&ChangedTexts {
            before: "120 €".to_owned(),
            after: "90 €".to_owned(),
            value: "90 €".to_owned(),
            lines: "- 120 €\n+ 90 €".to_owned(),
        }),
        subject: NoticeSubject::Account,
        collected: Vec::new(),
        more: 0,
        today: None,
        language: Language::English,
    }
}

fn collected_example() -> Message {
    let Message { content, kind, .. } = example();
    Message {
        kind: entities::notice::NoticeKind::Digest,
        collected: vec![(kind, content.clone()), (kind, content)],
        more: 1,
        ..example()
    }
}

fn environment<'a>() -> Environment<'a> {
    let mut environment = Environment::empty();
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_DEPTH);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_filter("upper", |text: &str| text.to_uppercase());
    environment.add_filter("lower", |text: &str| text.to_lowercase());
    environment.add_filter("trim", |text: &str| text.trim().to_owned());
    environment.add_filter("truncate", |text: &str, most: usize| truncate(text, most));
    environment.add_filter("length", |value: Value| value.len().unwrap_or_default());
    environment.add_filter("default", |value: Value, other: Value| {
        let is_missing = value.is_undefined() || value.is_none() || value.as_str() == Some("");
        if is_missing { other } else { value }
    });
    environment
}

/// Fields of a message that a template can read.
fn context(message: &Message, escape: fn(&str) -> String) -> serde_json::Value {
    let fields = |content: &MessageContent| {
        let url = content.source_url().map(escape).unwrap_or_default();
        let changed = |text: fn(&ChangedTexts) -> &str| {
            content.changed.as_ref().map(|changed| escape(text(changed))).unwrap_or_default()
        };
        json!({
            "title": escape(&content.title),
            "text": escape(&content.text),
            "link": content.link,
            "monitor": content.source_name().map(escape).unwrap_or_default(),
            "url": url,
            "address": url,
            "before": changed(|changed| &changed.before),
            "after": changed(|changed| &changed.after),
            "value": changed(|changed| &changed.value),
            "change": changed(|changed| &changed.lines),
            "time": rfc3339(content.at),
        })
    };
    let mut context = fields(&message.content);
    context["kind"] = event_type(message.kind).into();
    context["more"] = message.more.into();
    context["snooze"] = message.content.snooze_link.clone().unwrap_or_default().into();
    context["messages"] =
        message.collected.iter().take(MAX_MESSAGES).map(|(_, content)| fields(content)).collect();
    context
}

/// Output that is limited to [`MAX_OUTPUT_BYTES`].
struct BoundedOutput(Vec<u8>);

impl Write for BoundedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Rejects statements and operators that could use an unlimited amount of memory.
fn check_tags(template: &str) -> Result<(), TemplateError> {
    let mut at = 0;
    while let Some(offset) = template[at..].find('{') {
        let start = at + offset;
        let fault = |reason: String| {
            let line = template[..start].matches('\n').count() + 1;
            TemplateError { line: Some(line), reason }
        };
        let tag = &template[start..];
        let length = if let Some(comment) = tag.strip_prefix("{#") {
            comment
                .find("#}")
                .map(|end| end + 4)
                .ok_or_else(|| fault("the comment is not closed".to_owned()))?
        } else if let Some(expression) = tag.strip_prefix("{{") {
            tag_length(expression, "}}").map_err(fault)?
        } else if let Some(statement) = tag.strip_prefix("{%") {
            let words = statement.trim_start_matches('-').trim_start();
            let word: String = words.chars().take_while(char::is_ascii_alphanumeric).collect();
            if !STATEMENTS.contains(&word.as_str()) {
                return Err(fault(format!("the statement “{}” is not supported", truncate(&word, 40))));
            }
            tag_length(statement, "%}").map_err(fault)?
        } else {
            1
        };
        at = start + length;
    }
    Ok(())
}

/// Length of a tag in bytes, including both delimiters. `text` starts after the opening delimiter.
fn tag_length(text: &str, end: &str) -> Result<usize, String> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (_, '\\') => return Err("the character \\ is not supported".to_owned()),
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, _) if text[at..].starts_with(end) => {
                if text[..at].contains("recursive") {
                    return Err("“recursive” is not supported".to_owned());
                }
                return Ok(at + 2 + end.len());
            }
            (None, letter) if REFUSED.contains(&letter) => {
                return Err(format!("the character {letter} is not supported in tags"));
            }
            _ => {}
        }
    }
    Err("the tag is not closed".to_owned())
}

#[cfg(test)]
mod tests;
