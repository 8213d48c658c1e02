//! Requests of the monitor operations taken apart: every fault with its pointer, nothing unknown taken.

use domain::Code;
use domain::MonitorId;
use domain::articles::Address;
use domain::keys;
use domain::monitors::{Definition, Edit, NewMonitor, Status, TargetType};
use extract::watch::{Field, Ignore, Target, Trigger};
use serde_json::Value;

use crate::api::error::ApiError;
use crate::app::App;
use crate::http::fields::{Fault, Fields};

/// The longest selector, pattern or ignored text, in characters.
const MOST_TEXT: usize = 500;
/// Fields of an extract, and rules of what is ignored.
const MOST_LISTED: usize = 20;
/// Patterns of a sitemap.
const MOST_PATTERNS: usize = 50;

/// A monitor's id in a path. What is none belongs to no monitor.
pub(super) fn id_of(text: &str) -> Result<MonitorId, ApiError> {
    text.parse::<MonitorId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such monitor."))
}

/// A monitor to be made.
pub(super) fn new_monitor(app: &App, body: &Value) -> Result<NewMonitor, ApiError> {
    let mut fields = Fields::of(body, "")?;
    let name = required(&mut fields, "name", 120)?;
    let (url, definition) = watched(&mut fields)?;
    let interval_minutes = minutes(&mut fields)?;
    let follow = flag(&mut fields, "follow")?.unwrap_or(true);
    fields.finish()?;
    Ok(NewMonitor { name, address: address(app, &url)?, definition, interval_minutes, follow })
}

/// What is to be previewed: the body of a monitor to be made. Its name may be left out.
pub(super) fn previewed(app: &App, body: &Value) -> Result<(Address, Definition), ApiError> {
    let mut fields = Fields::of(body, "")?;
    fields.text("name", 1, 120)?;
    let (url, definition) = watched(&mut fields)?;
    minutes(&mut fields)?;
    flag(&mut fields, "follow")?;
    fields.finish()?;
    Ok((address(app, &url)?, definition))
}

/// What is to change about a monitor.
pub(super) fn edit(body: &Value) -> Result<Edit, Fault> {
    let mut fields = Fields::of(body, "")?;
    let edit = Edit {
        name: fields.text("name", 1, 120)?.map(str::to_owned),
        interval_minutes: minutes(&mut fields)?,
        selector: nullable(&mut fields, "selector")?,
        include: texts(&mut fields, "include")?,
        exclude: texts(&mut fields, "exclude")?,
        items: nullable(&mut fields, "items")?,
        fields: extracted(&mut fields)?,
        ignore: ignored(&mut fields)?,
        trigger: trigger(&mut fields)?,
        ordered: flag(&mut fields, "ordered")?,
        status: status(&mut fields)?,
    };
    fields.finish()?;
    Ok(edit)
}

/// The address and what is watched of it.
fn watched(fields: &mut Fields<'_>) -> Result<(String, Definition), Fault> {
    let url = required(fields, "targetUrl", 4096)?;
    let kind = match fields.text("targetType", 1, 20)? {
        None => TargetType::Page,
        Some(word) => TargetType::parse(word)
            .ok_or_else(|| fields.fault("targetType", "must be page, sitemap or extract"))?,
    };
    let selector = fields.text("selector", 1, MOST_TEXT)?.map(str::to_owned);
    let (include, exclude) = (texts(fields, "include")?, texts(fields, "exclude")?);
    let items = fields.text("items", 1, MOST_TEXT)?.map(str::to_owned);
    let extracted = extracted(fields)?;
    let foreign = |is_sent: bool, name: &str| {
        if is_sent { Err(fields.fault(name, "does not belong to this type of target")) } else { Ok(()) }
    };
    if kind != TargetType::Page {
        foreign(selector.is_some(), "selector")?;
    }
    if kind != TargetType::Sitemap {
        foreign(include.is_some(), "include")?;
        foreign(exclude.is_some(), "exclude")?;
    }
    if kind != TargetType::Extract {
        foreign(items.is_some(), "items")?;
        foreign(extracted.is_some(), "fields")?;
    }
    let target = match kind {
        TargetType::Page => Target::Page { selector },
        TargetType::Sitemap => {
            Target::Sitemap { include: include.unwrap_or_default(), exclude: exclude.unwrap_or_default() }
        }
        TargetType::Extract => {
            let listed = extracted.ok_or_else(|| fields.fault("fields", "is required"))?;
            Target::Extract { items, fields: listed }
        }
    };
    let definition = Definition {
        target,
        ignore: ignored(fields)?.unwrap_or_default(),
        trigger: trigger(fields)?.unwrap_or_default(),
        ordered: flag(fields, "ordered")?.unwrap_or(false),
    };
    Ok((url, definition))
}

fn address(app: &App, url: &str) -> Result<Address, ApiError> {
    if keys::looks_like_a_key(url) {
        let message = "The URL holds an API key. Revoke that key: it may have been seen by others.";
        return Err(ApiError::malformed(Code::InvalidUrl, message, "/targetUrl: holds a credential"));
    }
    Address::parse(url, &app.guard).map_err(|error| {
        let reason = error.message.clone();
        error.at("target_url", reason).into()
    })
}

fn required(fields: &mut Fields<'_>, name: &'static str, most: usize) -> Result<String, Fault> {
    let text = fields.text(name, 1, most)?.ok_or_else(|| fields.fault(name, "is required"))?;
    Ok(text.to_owned())
}

fn minutes(fields: &mut Fields<'_>) -> Result<Option<u32>, Fault> {
    let minutes = fields.integer("intervalMinutes", 1, 43_200)?;
    Ok(minutes.and_then(|minutes| u32::try_from(minutes).ok()))
}

/// A text that may be set to nothing: null, or empty in a form.
#[expect(clippy::option_option, reason = "it is left alone, set to nothing, or set")]
fn nullable(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Option<String>>, Fault> {
    let text =
        fields.text(name, 0, MOST_TEXT)?.map(|text| Some(text.to_owned()).filter(|text| !text.is_empty()));
    Ok(text.or_else(|| fields.is_null(name).then_some(None)))
}

fn flag(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<bool>, Fault> {
    match fields.value(name) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(Value::String(text)) if text == "true" || text == "1" => Ok(Some(true)),
        Some(Value::String(text)) if text == "false" || text == "0" => Ok(Some(false)),
        Some(_) => Err(fields.fault(name, "must be true or false")),
    }
}

fn status(fields: &mut Fields<'_>) -> Result<Option<Status>, Fault> {
    match fields.text("status", 1, 20)? {
        None => Ok(None),
        Some("active") => Ok(Some(Status::Active)),
        Some("paused") => Ok(Some(Status::Paused)),
        Some(_) => Err(fields.fault("status", "must be active or paused")),
    }
}

/// A list of texts; a form may send a single one.
fn texts(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Vec<String>>, Fault> {
    let values = match fields.value(name) {
        None => return Ok(None),
        Some(Value::Array(values)) => values.as_slice(),
        Some(single) => std::slice::from_ref(single),
    };
    if values.len() > MOST_PATTERNS {
        return Err(fields.fault(name, format!("has more than {MOST_PATTERNS} items")));
    }
    let texts: Option<Vec<String>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    texts.map(Some).ok_or_else(|| fields.fault(name, "must be a list of texts"))
}

/// A part that is an object or a list of objects: in a form it is the text of one.
fn nested(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Value>, Fault> {
    match fields.value(name) {
        None => Ok(None),
        Some(Value::String(text)) => {
            let read = serde_json::from_str(text);
            read.map(Some).map_err(|_| fields.fault(name, "must be JSON"))
        }
        Some(value) => Ok(Some(value.clone())),
    }
}

fn listed(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Vec<Value>>, Fault> {
    match nested(fields, name)? {
        None => Ok(None),
        Some(Value::Array(values)) if values.len() <= MOST_LISTED => Ok(Some(values)),
        Some(Value::Array(_)) => Err(fields.fault(name, format!("has more than {MOST_LISTED} items"))),
        Some(_) => Err(fields.fault(name, "must be a list of objects")),
    }
}

fn extracted(fields: &mut Fields<'_>) -> Result<Option<Vec<Field>>, Fault> {
    let Some(values) = listed(fields, "fields")? else { return Ok(None) };
    let pointer = fields.pointer("fields");
    let field = |(at, value): (usize, &Value)| -> Result<Field, Fault> {
        let mut own = Fields::of(value, format!("{pointer}/{at}"))?;
        let field = Field {
            name: required(&mut own, "name", 80)?,
            selector: own.text("selector", 0, MOST_TEXT)?.unwrap_or_default().to_owned(),
            key: flag(&mut own, "key")?.unwrap_or(false),
        };
        own.finish()?;
        Ok(field)
    };
    values.iter().enumerate().map(field).collect::<Result<_, Fault>>().map(Some)
}

fn ignored(fields: &mut Fields<'_>) -> Result<Option<Vec<Ignore>>, Fault> {
    let Some(values) = listed(fields, "ignore")? else { return Ok(None) };
    let pointer = fields.pointer("ignore");
    let rule = |(at, value): (usize, &Value)| -> Result<Ignore, Fault> {
        let place = format!("{pointer}/{at}");
        let mut own = Fields::of(value, place.clone())?;
        let text = own.text("text", 1, MOST_TEXT)?.map(|text| Ignore::Text(text.to_owned()));
        let regex = own.text("regex", 1, MOST_TEXT)?.map(|text| Ignore::Regex(text.to_owned()));
        let selector = own.text("selector", 1, MOST_TEXT)?.map(|text| Ignore::Selector(text.to_owned()));
        own.finish()?;
        let mut rules = [text, regex, selector].into_iter().flatten();
        let reason = "must have exactly one of text, regex and selector".to_owned();
        match rules.next().filter(|_| rules.next().is_none()) {
            Some(rule) => Ok(rule),
            None => Err(Fault { pointer: place, reason }),
        }
    };
    values.iter().enumerate().map(rule).collect::<Result<_, Fault>>().map(Some)
}

fn trigger(fields: &mut Fields<'_>) -> Result<Option<Trigger>, Fault> {
    let Some(value) = nested(fields, "trigger")? else { return Ok(None) };
    let mut own = Fields::of(&value, fields.pointer("trigger"))?;
    own.text("kind", 1, 40)?.ok_or_else(|| own.fault("kind", "is required"))?;
    match own.value("value") {
        None | Some(Value::String(_) | Value::Number(_)) => {}
        Some(_) => return Err(own.fault("value", "must be a text or a number")),
    }
    own.text("field", 1, 80)?;
    let wrong = own.fault("kind", "must be any, text_appears, text_disappears, above, below or share");
    own.finish()?;
    serde_json::from_value(value).map(Some).map_err(|_| wrong)
}
