//! Behaviours of the simulated feeds and their servers. Times are in milliseconds of simulated time.

pub(crate) const MINUTE: i64 = 60_000;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

/// A behaviour, and the number of feeds with this behaviour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behaviour {
    pub name: &'static str,
    pub feeds: usize,
    /// Plan of the followers.
    pub tier: &'static str,
    /// Number of followers of each feed.
    pub followers: usize,
    /// Number of feeds that share a host.
    pub feeds_per_host: usize,
    /// Time between two publications.
    pub period: i64,
    pub entries_per_publication: i64,
    pub server: Server,
}

/// Behaviour of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Server {
    /// Sends `ETag` and `Last-Modified`, and responds with 304 if nothing is new.
    Good,
    /// Sends no validators, and always the whole body.
    Plain,
    /// Sends `<ttl>` with this number of minutes.
    Ttl(i64),
    /// Sends `Cache-Control: max-age` with this number of seconds.
    MaxAge(i64),
    /// Sends `<skipHours>` from midnight up to this hour.
    SkipHours(i64),
    /// Responds with 500 to every n-th request.
    Flaky(u32),
    /// Always responds with this status.
    Status(u16),
    /// Responds with 410 from this time on.
    GoneAfter(i64),
    /// Closes the connection without a response.
    Closes,
    /// Responds to every n-th request to its host with this status, and with `Retry-After` of this many seconds.
    Pauses(u32, u16, i64),
    /// Redirects to another path with 301 from this time on.
    MovesAfter(i64),
    /// Always redirects to another path with 302.
    AlwaysRedirects,
    /// Sends new guids in each response.
    Churn,
    /// Sends no guids, and links whose query changes with each response.
    NoGuids,
    /// Sends no dates, and the oldest entry first.
    Undated,
    /// Sends the entries in a different order in each response.
    Shuffled,
}

const USUAL: Behaviour = Behaviour {
    name: "",
    feeds: 10,
    tier: "free",
    followers: 1,
    feeds_per_host: 1,
    period: 6 * HOUR,
    entries_per_publication: 1,
    server: Server::Good,
};

/// All behaviours, for a total of five hundred feeds.
pub(crate) const ALL: [Behaviour; 23] = [
    Behaviour { name: "weekly writer", feeds: 50, period: 3 * DAY, ..USUAL },
    Behaviour { name: "daily, no validators", feeds: 70, period: 8 * HOUR, server: Server::Plain, ..USUAL },
    Behaviour { name: "news, pro follower", feeds: 60, tier: "pro", period: 20 * MINUTE, ..USUAL },
    Behaviour { name: "news, free follower", feeds: 40, period: 20 * MINUTE, ..USUAL },
    Behaviour { name: "podcast, ttl 720", feeds: 30, period: DAY, server: Server::Ttl(720), ..USUAL },
    Behaviour {
        name: "max-age 7200",
        feeds: 30,
        tier: "premium",
        period: HOUR,
        server: Server::MaxAge(7200),
        ..USUAL
    },
    Behaviour {
        name: "skipHours 0 to 5",
        feeds: 20,
        tier: "premium",
        period: HOUR,
        server: Server::SkipHours(6),
        ..USUAL
    },
    Behaviour { name: "one in five is 500", feeds: 30, period: 3 * HOUR, server: Server::Flaky(5), ..USUAL },
    Behaviour { name: "always 404", feeds: 20, server: Server::Status(404), ..USUAL },
    Behaviour { name: "410 from day 3", server: Server::GoneAfter(3 * DAY), ..USUAL },
    Behaviour { name: "closes without an answer", server: Server::Closes, ..USUAL },
    Behaviour {
        name: "429 for an hour, five a host",
        feeds: 20,
        feeds_per_host: 5,
        period: HOUR,
        server: Server::Pauses(20, 429, 3600),
        ..USUAL
    },
    Behaviour { name: "503 for half an hour", period: HOUR, server: Server::Pauses(10, 503, 1800), ..USUAL },
    Behaviour { name: "twenty on one server", feeds: 20, feeds_per_host: 20, period: 2 * HOUR, ..USUAL },
    Behaviour {
        name: "301 from day 2: moves on day 5",
        period: 4 * HOUR,
        server: Server::MovesAfter(2 * DAY),
        ..USUAL
    },
    Behaviour { name: "302 always", period: 4 * HOUR, server: Server::AlwaysRedirects, ..USUAL },
    Behaviour { name: "1,000 accounts on one feed", feeds: 2, followers: 1000, period: HOUR, ..USUAL },
    Behaviour { name: "guids change each time", feeds: 8, server: Server::Churn, ..USUAL },
    Behaviour { name: "no guids, queries change", server: Server::NoGuids, ..USUAL },
    Behaviour { name: "no dates, oldest first", server: Server::Undated, ..USUAL },
    Behaviour { name: "order changes each time", server: Server::Shuffled, ..USUAL },
    Behaviour { name: "twenty entries once a day", period: DAY, entries_per_publication: 20, ..USUAL },
    Behaviour { name: "nothing new all week", period: 400 * DAY, ..USUAL },
];

/// A simulated feed. Contains its index among all feeds, the index of its behaviour, and its host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimulatedFeed {
    pub feed: usize,
    pub kind: usize,
    pub host: usize,
}

/// If set, only behaviours whose name contains this text are simulated.
pub(crate) static NAME_FILTER: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Returns all feeds in the order of their behaviours.
pub(crate) fn simulated_feeds() -> Vec<SimulatedFeed> {
    let (mut feeds, mut host) = (Vec::new(), 0);
    let only = NAME_FILTER.get();
    let chosen = |behaviour: &Behaviour| only.is_none_or(|only| behaviour.name.contains(only.as_str()));
    for (kind, behaviour) in ALL.iter().enumerate().filter(|(_, behaviour)| chosen(behaviour)) {
        for at in 0..behaviour.feeds {
            if at % behaviour.feeds_per_host == 0 {
                host += 1;
            }
            feeds.push(SimulatedFeed { feed: feeds.len(), kind, host });
        }
    }
    feeds
}

impl SimulatedFeed {
    pub(crate) fn behaviour(&self) -> &'static Behaviour {
        &ALL[self.kind]
    }

    /// Returns the publication time of entry `n`. Publications are periodic, with a phase per feed and some
    /// jitter.
    pub(crate) fn published(&self, begin: i64, n: i64) -> i64 {
        let Behaviour { period, entries_per_publication, .. } = *self.behaviour();
        let mix = |a: i64| (a.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed())).rem_euclid(1 << 20);
        let feed = i64::try_from(self.feed).unwrap();
        let phase = mix(feed + 1) * period / (1 << 20);
        let wobble = mix(feed * 7 + n / entries_per_publication + 3) * (period / 4) / (1 << 20);
        begin - 8 * DAY.max(period) + phase + (n / entries_per_publication) * period + wobble
    }

    /// Returns the number of entries published by `now`. Entry numbers start at 0.
    pub(crate) fn entries_at(&self, begin: i64, now: i64) -> i64 {
        let Behaviour { period, entries_per_publication, .. } = *self.behaviour();
        let about = ((now - begin + 8 * DAY.max(period)) / period + 2).max(0) * entries_per_publication;
        (0..about).rev().find(|n| self.published(begin, *n) <= now).map_or(0, |n| n + 1)
    }
}
