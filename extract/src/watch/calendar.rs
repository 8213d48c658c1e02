//! Reads the events of an iCalendar file (RFC 5545): title, times, location, status and repetition. Repeated
//! events are not expanded, and properties that change at each download are not read.

use std::fmt::Write as _;

use super::{
    blocks,
    items::{self, MAX_ITEMS},
    observation::{Observation, ObservationWarning, ObserveError},
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::EVENT_FIELDS,
    value_store::{ValueStore, cut, with_hash},
};
use crate::{charset, page::links};

/// Maximum number of characters in an event title.
const MAX_TITLE_CHARS: usize = 120;

/// Reads the events as items.
pub(super) fn read(bytes: &[u8], content_type: Option<&str>) -> Result<Observation, ObserveError> {
    let text = charset::decode(&unfolded(bytes), content_type);
    let mut lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim_end());
    let first = lines.by_ref().find(|line| !line.is_empty());
    if !first.is_some_and(|line| line.eq_ignore_ascii_case("BEGIN:VCALENDAR")) {
        return Err(ObserveError::NotACalendar);
    }
    let mut reader = EventReader::default();
    lines.filter_map(CalendarLine::parse).for_each(|property| reader.read(&property));
    let is_incomplete = !reader.is_closed;
    reader.finish_event();
    let mut store = ValueStore::default();
    let mut items: Vec<ExtractedItem> =
        reader.events.into_iter().map(|event| event.into_item(&mut store)).collect();
    let mut warnings = Vec::new();
    if reader.is_cut || store.is_cut {
        warnings.push(ObservationWarning::TruncatedSource);
    }
    if is_incomplete {
        warnings.push(ObservationWarning::IncompleteSource);
    }
    if items::distinguish(&mut items) {
        warnings.push(ObservationWarning::RepeatedKeys);
    }
    Ok(Observation { title: reader.name, warnings, ..Observation::of(Snapshot::Items(items)) })
}

/// Joins folded lines (RFC 5545, section 3.1). A line may be folded within a character, so bytes are joined.
fn unfolded(bytes: &[u8]) -> Vec<u8> {
    let mut joined: Vec<u8> = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.split_first() {
            Some((b' ' | b'\t', rest)) => {
                while matches!(joined.last(), Some(b'\r' | b'\n')) {
                    joined.pop();
                }
                joined.extend_from_slice(rest);
            }
            _ => joined.extend_from_slice(line),
        }
    }
    joined
}

/// Line of a calendar: `NAME;PARAMETER=VALUE:VALUE`.
struct CalendarLine<'l> {
    name: &'l str,
    parameters: &'l str,
    value: &'l str,
}

impl<'l> CalendarLine<'l> {
    fn parse(line: &'l str) -> Option<Self> {
        let mut is_quoted = false;
        // A colon in quotes belongs to a parameter.
        let colon = line.bytes().position(|byte| {
            is_quoted ^= byte == b'"';
            byte == b':' && !is_quoted
        })?;
        let (head, value) = (&line[..colon], &line[colon + 1..]);
        let (name, parameters) = head.split_once(';').unwrap_or((head, ""));
        Some(Self { name: name.trim(), parameters, value: value.trim() })
    }

    fn parameter(&self, name: &str) -> Option<&'l str> {
        let mut pairs = self.parameters.split(';').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim_matches('"'))
    }

    /// Value of the property as text, with escapes resolved.
    fn text(&self) -> String {
        let mut text = String::with_capacity(self.value.len());
        let mut chars = self.value.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n' | 'N') => text.push('\n'),
                    escaped => text.extend(escaped),
                },
                _ => text.push(c),
            }
        }
        text
    }

    /// Formats the dates and times of the event for readers.
    fn times(&self) -> String {
        let zone = self.parameter("TZID");
        self.value.split(',').map(|value| time(value.trim(), zone)).collect::<Vec<_>>().join(", ")
    }
}

/// Formats a date or time like `2026-05-04 18:00 Europe/Berlin`. A value in another format is returned
/// unchanged.
fn time(value: &str, zone: Option<&str>) -> String {
    let (digits, is_utc) = value.strip_suffix('Z').map_or((value, false), |digits| (digits, true));
    let (date, clock) = digits.split_once('T').map_or((digits, None), |(date, clock)| (date, Some(clock)));
    let has_digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if !has_digits(date, 8) || clock.is_some_and(|clock| !has_digits(clock, 6)) {
        return value.to_owned();
    }
    let zone = if is_utc { Some("UTC") } else { zone };
    let mut text = format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]);
    if let Some(clock) = clock {
        let _ = write!(text, " {}:{}", &clock[..2], &clock[2..4]);
        if &clock[4..] != "00" {
            let _ = write!(text, ":{}", &clock[4..]);
        }
        if let Some(zone) = zone {
            let _ = write!(text, " {zone}");
        }
    }
    text
}

/// Collects the events from the properties of a calendar, in the order of the file.
#[derive(Default)]
struct EventReader {
    /// Name of the calendar.
    name: Option<String>,
    events: Vec<CalendarEvent>,
    event: Option<CalendarEvent>,
    /// Number of open components inside the event, such as alarms. Their properties are not read.
    depth: usize,
    /// True after the last line of the calendar.
    is_closed: bool,
    /// True if the calendar has more events than the limit.
    is_cut: bool,
}

impl EventReader {
    fn read(&mut self, property: &CalendarLine<'_>) {
        match property.name.to_ascii_uppercase().as_str() {
            "BEGIN" => self.begin(property.value),
            "END" => self.end(property.value),
            name => match &mut self.event {
                Some(event) if self.depth == 0 => event.read(name, property),
                None if matches!(name, "NAME" | "X-WR-CALNAME") => {
                    self.name.get_or_insert_with(|| property.text());
                }
                _ => {}
            },
        }
    }

    fn begin(&mut self, component: &str) {
        match component.to_ascii_uppercase().as_str() {
            "VCALENDAR" => self.is_closed = false,
            "VEVENT" => {
                // Events are not nested, so the last line of the previous event is missing.
                self.finish_event();
                self.event = Some(CalendarEvent::default());
            }
            _ => self.depth += usize::from(self.event.is_some()),
        }
    }

    fn end(&mut self, component: &str) {
        match component.to_ascii_uppercase().as_str() {
            "VCALENDAR" => self.is_closed = true,
            "VEVENT" => self.finish_event(),
            _ => self.depth = self.depth.saturating_sub(1),
        }
    }

    fn finish_event(&mut self) {
        self.depth = 0;
        let Some(event) = self.event.take() else { return };
        if self.events.len() < MAX_ITEMS {
            self.events.push(event);
        } else {
            self.is_cut = true;
        }
    }
}

/// Properties of an event, as written in the file.
#[derive(Default)]
struct CalendarEvent {
    uid: Option<String>,
    /// Original time of this occurrence, if it is a changed occurrence of a repeated event.
    occurrence: Option<String>,
    title: Option<String>,
    start: Option<String>,
    end: Option<String>,
    duration: Option<String>,
    location: Option<String>,
    status: Option<String>,
    link: Option<String>,
    repeats: Vec<String>,
}

impl CalendarEvent {
    /// Reads a property. `name` is the name of the property in upper case.
    fn read(&mut self, name: &str, property: &CalendarLine<'_>) {
        let set = |field: &mut Option<String>, value: String| {
            field.get_or_insert(value);
        };
        match name {
            "UID" => set(&mut self.uid, property.text()),
            "RECURRENCE-ID" => set(&mut self.occurrence, property.times()),
            "SUMMARY" => set(&mut self.title, property.text()),
            "DTSTART" => set(&mut self.start, property.times()),
            "DTEND" => set(&mut self.end, property.times()),
            "DURATION" => set(&mut self.duration, property.value.to_owned()),
            "LOCATION" => set(&mut self.location, property.text()),
            "STATUS" => set(&mut self.status, property.value.to_ascii_lowercase()),
            "URL" => {
                let link = links::resolve_web(None, property.value).map(blocks::stable_url);
                self.link = self.link.take().or(link);
            }
            "RRULE" => self.repeats.push(property.value.to_owned()),
            "RDATE" => self.repeats.push(format!("also {}", property.times())),
            "EXDATE" => self.repeats.push(format!("except {}", property.times())),
            _ => {}
        }
    }

    fn into_item(self, store: &mut ValueStore) -> ExtractedItem {
        let end = self.end.or_else(|| self.duration.map(|duration| format!("{duration} after the start")));
        let repeats = self.repeats.join(", ");
        let values = [self.title, self.start, end, self.location, self.status, Some(repeats)];
        let values: Vec<Option<String>> =
            values.into_iter().map(|value| value.and_then(|text| store.value(&text))).collect();
        let stated = |at: usize| values.get(at).and_then(Option::as_deref).unwrap_or_default();
        let title = if stated(0).is_empty() { stated(1) } else { stated(0) };
        let title = cut(title, MAX_TITLE_CHARS);
        let uid = self.uid.unwrap_or_else(|| format!("{} {}", stated(0), stated(1)));
        let key = match self.occurrence {
            Some(occurrence) => format!("{uid} / {occurrence}"),
            None => uid,
        };
        let fields = EVENT_FIELDS.iter().zip(values);
        ExtractedItem {
            key: with_hash(&key),
            title,
            link: self.link,
            fields: fields.map(|(name, value)| FieldValue { name: (*name).to_owned(), value }).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(events: &[&str]) -> String {
        let events = events.iter().map(|event| format!("BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n"));
        format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n", events.collect::<Vec<_>>().concat())
    }

    /// Key and values of each event, separated by bars.
    fn events(text: &str) -> Vec<String> {
        let observation = read(text.as_bytes(), Some("text/calendar")).unwrap();
        let Snapshot::Items(items) = observation.snapshot else { panic!("items") };
        let line = |item: ExtractedItem| {
            let values = item.fields.iter().map(|field| field.value.as_deref().unwrap_or("-"));
            format!("{}: {}", item.key, values.collect::<Vec<_>>().join(" | "))
        };
        items.into_iter().map(line).collect()
    }

    #[test]
    fn events_have_uid_times_title_and_location() {
        let text = calendar(&[
            "UID:1\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY;LANGUAGE=en:Concert\\, with\\nchoir\r\n\
             DTSTART;TZID=\"Europe/Berlin\":20260504T180000\r\nDTEND;TZID=Europe/Berlin:20260504T200030\r\n\
             LOCATION:Town\r\n  hall\r\nSTATUS:CONFIRMED",
            "uid:2\r\nSummary:Holiday\r\nDTSTART;VALUE=DATE:20260501\r\nDURATION:P1D",
            "SUMMARY:Nameless\r\nDTSTART:20260502T070000Z\r\nDTSTART:20260503T070000Z",
        ]);
        assert_eq!(
            events(&text),
            [
                "1: Concert, with choir | 2026-05-04 18:00 Europe/Berlin | 2026-05-04 20:00:30 Europe/Berlin | \
                 Town hall | confirmed | -",
                "2: Holiday | 2026-05-01 | P1D after the start | - | - | -",
                "Nameless 2026-05-02 07:00 UTC: Nameless | 2026-05-02 07:00 UTC | - | - | - | -",
            ]
        );
    }

    #[test]
    fn recurrence_is_a_value_and_changed_occurrence_is_an_item() {
        let text = calendar(&[
            "UID:a\r\nSUMMARY:Market\r\nRRULE:FREQ=WEEKLY;BYDAY=SA\r\nEXDATE:20260509T080000Z,20260516T080000Z",
            "UID:a\r\nRECURRENCE-ID:20260523T080000Z\r\nSUMMARY:Market\r\nDTSTART:20260524T080000Z",
        ]);
        let lines = events(&text);
        assert_eq!(
            lines[0],
            "a: Market | - | - | - | - | FREQ=WEEKLY;BYDAY=SA, except 2026-05-09 08:00 UTC, 2026-05-16 08:00 UTC"
        );
        assert_eq!(lines[1], "a / 2026-05-23 08:00 UTC: Market | 2026-05-24 08:00 UTC | - | - | - | -");
    }

    #[test]
    fn properties_of_alarms_and_other_components_are_not_read() {
        let alarm = "UID:1\r\nBEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM\r\nSUMMARY:Talk";
        let text = calendar(&[alarm]).replace(
            "VERSION:2.0",
            "X-WR-CALNAME:Club\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\nDTSTART:1970\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n\
             BEGIN:VTODO\r\nUID:9\r\nSUMMARY:Task\r\nEND:VTODO",
        );
        assert_eq!(events(&text), ["1: Talk | - | - | - | - | -"]);
        assert_eq!(read(text.as_bytes(), None).unwrap().title.as_deref(), Some("Club"));
    }

    #[test]
    fn line_folded_within_a_character_is_joined() {
        let mut bytes = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Caf\xc3".to_vec();
        bytes.extend_from_slice(b"\r\n \xa9 at\n\t noon\nEND:VEVENT\nEND:VCALENDAR");
        let Snapshot::Items(items) = read(&bytes, None).unwrap().snapshot else { panic!("items") };
        assert_eq!(items[0].title, "Café at noon");
    }

    #[test]
    fn repeated_uid_and_incomplete_calendar_cause_warnings() {
        let text = calendar(&["UID:1\r\nSUMMARY:One", "UID:1\r\nSUMMARY:Two"]);
        let observation = read(text.as_bytes(), None).unwrap();
        assert_eq!(observation.warnings, [ObservationWarning::RepeatedKeys]);
        assert_eq!(events(&text)[1], "1#2: Two | - | - | - | - | -");
        let cut = &text[..text.len() - 20];
        assert!(read(cut.as_bytes(), None).unwrap().warnings.contains(&ObservationWarning::IncompleteSource));
        let open = text.replace("END:VEVENT\r\nBEGIN:VEVENT", "BEGIN:VEVENT");
        assert_eq!(events(&open).len(), 2, "an event without an end is read");
    }

    #[test]
    fn events_beyond_the_limit_cause_a_warning() {
        let many: Vec<String> = (0..=MAX_ITEMS).map(|number| format!("UID:{number}")).collect();
        let text = calendar(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let observation = read(text.as_bytes(), None).unwrap();
        assert_eq!(
            (observation.snapshot.len(), observation.warnings.as_slice()),
            (MAX_ITEMS, &[ObservationWarning::TruncatedSource][..])
        );
    }

    #[test]
    fn empty_calendar_is_accepted_and_html_is_rejected() {
        assert_eq!(events("\u{feff}BEGIN:VCALENDAR\nEND:VCALENDAR\n"), [""; 0]);
        let page = "<html><body><pre>\nBEGIN:VCALENDAR\nEND:VCALENDAR\n</pre></body></html>";
        for text in ["", "BEGIN:VCARD", page] {
            assert_eq!(
                read(text.as_bytes(), Some("text/calendar")),
                Err(ObserveError::NotACalendar),
                "{text}"
            );
        }
    }
}
