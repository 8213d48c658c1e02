//! Times of further delivery attempts and of daily digests, and local days.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

use super::channel::Digest;
use kernel::Millis;
use kernel::clock::{DAY, HOUR, LocalDay, MINUTE, SECOND};

/// Delays between attempts. There are eight attempts within 24 hours.
const PAUSES: [Millis; 7] = [30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 7 * HOUR, 10 * HOUR];
/// Maximum delay that a receiver may request.
const LONGEST_PAUSE: Millis = DAY;
/// Upper bound of the time by which clocks are set forward, in minutes.
const LONGEST_GAP: i64 = 25 * 60;

/// Returns the delay after the attempt with this number, which is at least the delay that the receiver requests. `None`
/// after the last attempt.
pub(super) fn pause(tries: i32, retry_after: Option<Millis>) -> Option<Millis> {
    let index = usize::try_from(tries).ok()?.checked_sub(1)?;
    let pause = PAUSES.get(index)?;
    Some((*pause).max(retry_after.unwrap_or(0).min(LONGEST_PAUSE)))
}

/// Parses the IANA name of a time zone.
pub(super) fn zone(name: &str) -> Option<Tz> {
    name.parse().ok()
}

/// Local day of a time.
pub(super) fn local_day(now: Millis, zone_name: &str) -> LocalDay {
    let tz = zone(zone_name).unwrap_or(Tz::UTC);
    let present = DateTime::<Utc>::from_timestamp_millis(now).unwrap_or(DateTime::UNIX_EPOCH);
    let date = present.with_timezone(&tz).date_naive();
    let days = date.signed_duration_since(DateTime::UNIX_EPOCH.date_naive()).num_days();
    let begins_at = instant(tz, date, Digest { minute: 0 });
    LocalDay { number: i32::try_from(days).unwrap_or_default(), begins_at }
}

/// Returns the time and the local date of the next digest after `now`. If the local time does not exist because clocks
/// are set forward, the next existing time is used. If the local time occurs twice, its first occurrence is used.
pub(super) fn next_digest(now: Millis, digest: Digest, zone_name: &str) -> (Millis, NaiveDate) {
    let tz = zone(zone_name).unwrap_or(Tz::UTC);
    let present = DateTime::<Utc>::from_timestamp_millis(now).unwrap_or(DateTime::UNIX_EPOCH);
    let today = present.with_timezone(&tz).date_naive();
    let mut date = today.checked_sub_days(Days::new(1)).unwrap_or(today);
    loop {
        let at = instant(tz, date, digest);
        if at > now {
            return (at, date);
        }
        let Some(next) = date.succ_opt() else { return (now + DAY, date) };
        date = next;
    }
}

fn instant(tz: Tz, date: NaiveDate, digest: Digest) -> Millis {
    let midnight: NaiveDateTime = date.into();
    let local_time = midnight + TimeDelta::minutes(digest.minute.into());
    let mut times = (0..=LONGEST_GAP).map(|minutes| local_time + TimeDelta::minutes(minutes));
    let earliest = times.find_map(|local| tz.from_local_datetime(&local).earliest());
    earliest.map_or(0, |time| time.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::clock::rfc3339;

    fn next(now: &str, at: &str, zone: &str) -> (String, String) {
        let now = DateTime::parse_from_rfc3339(now).unwrap().timestamp_millis();
        let (at, date) = next_digest(now, Digest::parse(at).unwrap(), zone);
        (rfc3339(at).replace(":00.000", ""), date.to_string())
    }

    #[test]
    fn digest_is_due_at_the_local_time_of_its_zone() {
        let is = |now: &str, at: &str, zone: &str, expected: (&str, &str)| {
            assert_eq!(next(now, at, zone), (expected.0.to_owned(), expected.1.to_owned()), "{now} {zone}");
        };
        is("2026-11-20T12:00:00Z", "08:00", "UTC", ("2026-11-21T08:00Z", "2026-11-21"));
        is("2026-11-20T12:00:00Z", "08:00", "America/New_York", ("2026-11-20T13:00Z", "2026-11-20"));
        is("2026-11-20T12:00:00Z", "08:00", "Pacific/Auckland", ("2026-11-20T19:00Z", "2026-11-21"));
        // In March, the hour from two to three does not exist; in October, it occurs twice.
        is("2026-03-28T12:00:00Z", "02:30", "Europe/Berlin", ("2026-03-29T01:00Z", "2026-03-29"));
        is("2026-10-24T12:00:00Z", "02:30", "Europe/Berlin", ("2026-10-25T00:30Z", "2026-10-25"));
        is("2026-10-25T00:30:00Z", "02:30", "Europe/Berlin", ("2026-10-26T01:30Z", "2026-10-26"));
        is("2026-11-20T12:00:00Z", "08:00", "no zone", ("2026-11-21T08:00Z", "2026-11-21"));
    }

    #[test]
    fn local_day_changes_at_midnight_of_the_zone() {
        let day = |now: &str, zone: &str| {
            local_day(DateTime::parse_from_rfc3339(now).unwrap().timestamp_millis(), zone).number
        };
        assert_eq!(day("1970-01-02T00:00:00Z", "UTC"), 1);
        let noon = day("2026-11-20T12:00:00Z", "UTC");
        assert_eq!(day("2026-11-20T23:30:00Z", "Europe/Berlin"), noon + 1);
        assert_eq!(day("2026-11-20T22:30:00Z", "Europe/Berlin"), noon);
        assert_eq!(day("2026-11-20T04:30:00Z", "America/New_York"), noon - 1);
        assert_eq!(day("2026-11-20T23:30:00Z", "no zone"), noon);
    }

    #[test]
    fn local_day_begins_at_the_first_time_of_its_date() {
        let begin = |now: &str, zone: &str| {
            let now = DateTime::parse_from_rfc3339(now).unwrap().timestamp_millis();
            rfc3339(local_day(now, zone).begins_at).replace(":00.000", "")
        };
        assert_eq!(begin("2026-11-20T23:30:00Z", "UTC"), "2026-11-20T00:00Z");
        assert_eq!(begin("2026-11-20T23:30:00Z", "Asia/Tokyo"), "2026-11-20T15:00Z");
        assert_eq!(begin("2026-11-20T04:30:00Z", "America/New_York"), "2026-11-19T05:00Z");
        // The clocks are set forward at midnight, so the day begins at 01:00.
        assert_eq!(begin("2026-09-06T12:00:00Z", "America/Santiago"), "2026-09-06T04:00Z");
    }

    #[test]
    fn message_has_eight_attempts_in_a_day() {
        let pauses: Vec<Millis> = (1..8).map(|tries| pause(tries, None).unwrap()).collect();
        assert!(pauses.is_sorted() && pauses.iter().sum::<Millis>() <= DAY);
        assert!(pauses.iter().sum::<Millis>() > 23 * HOUR);
        assert_eq!(pause(8, None), None);
        assert_eq!(pause(1, Some(HOUR)), Some(HOUR), "a requested delay is respected");
        assert_eq!(pause(1, Some(7 * DAY)), Some(DAY));
        assert_eq!(pause(0, None), None);
    }
}
