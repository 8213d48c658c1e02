//! The ways in which feeds and their servers behave. Times are milliseconds of simulated time.

pub const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// One way to behave, and how many feeds do.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    pub name: &'static str,
    pub feeds: usize,
    /// The plan of whoever follows them.
    pub tier: &'static str,
    /// Accounts that follow each of them.
    pub followers: usize,
    /// Feeds that share a host.
    pub a_host: usize,
    /// Between two publications, and how many entries one brings.
    pub period: i64,
    pub at_once: i64,
    pub server: Server,
}

/// What is special about a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// `ETag` and `Last-Modified`, 304 where nothing is new.
    Good,
    /// No validators: always the whole body.
    Plain,
    /// `<ttl>` of so many minutes.
    Ttl(i64),
    /// `Cache-Control: max-age` of so many seconds.
    MaxAge(i64),
    /// `<skipHours>` from midnight up to this hour.
    SkipHours(i64),
    /// One answer in so many is 500.
    Flaky(u32),
    /// Always this status.
    Status(u16),
    /// 410 from this time on.
    GoneAfter(i64),
    /// Closes without an answer.
    Closes,
    /// One answer in so many of its host is this status, with `Retry-After` of so many seconds.
    Pauses(u32, u16, i64),
    /// 301 to another path from this time on.
    MovesAfter(i64),
    /// 302 to another path, always.
    SentOn,
    /// New guids in every answer.
    Churn,
}

const USUAL: Behaviour = Behaviour {
    name: "",
    feeds: 10,
    tier: "free",
    followers: 1,
    a_host: 1,
    period: 6 * HOUR,
    at_once: 1,
    server: Server::Good,
};

/// All of them: five hundred feeds.
pub const ALL: [Behaviour; 20] = [
    Behaviour { name: "weekly writer", feeds: 70, period: 3 * DAY, ..USUAL },
    Behaviour { name: "daily, no validators", feeds: 80, period: 8 * HOUR, server: Server::Plain, ..USUAL },
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
        a_host: 5,
        period: HOUR,
        server: Server::Pauses(20, 429, 3600),
        ..USUAL
    },
    Behaviour { name: "503 for half an hour", period: HOUR, server: Server::Pauses(10, 503, 1800), ..USUAL },
    Behaviour { name: "twenty on one server", feeds: 20, a_host: 20, period: 2 * HOUR, ..USUAL },
    Behaviour {
        name: "301 from day 2: moves on day 5",
        period: 4 * HOUR,
        server: Server::MovesAfter(2 * DAY),
        ..USUAL
    },
    Behaviour { name: "302 always", period: 4 * HOUR, server: Server::SentOn, ..USUAL },
    Behaviour { name: "1,000 accounts on one feed", feeds: 2, followers: 1000, period: HOUR, ..USUAL },
    Behaviour { name: "guids change each time", feeds: 8, server: Server::Churn, ..USUAL },
    Behaviour { name: "twenty entries once a day", period: DAY, at_once: 20, ..USUAL },
    Behaviour { name: "nothing new all week", period: 400 * DAY, ..USUAL },
];

/// A feed's place among all feeds, and in its behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub feed: usize,
    pub kind: usize,
    /// Its host's number.
    pub host: usize,
}

/// Words that the names of the behaviours hold that are run, when not all are.
pub static ONLY: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Every feed in order; feed 0 is the first of the first behaviour.
pub fn places() -> Vec<Place> {
    let (mut places, mut host) = (Vec::new(), 0);
    let only = ONLY.get();
    let chosen = |behaviour: &Behaviour| only.is_none_or(|only| behaviour.name.contains(only.as_str()));
    for (kind, behaviour) in ALL.iter().enumerate().filter(|(_, behaviour)| chosen(behaviour)) {
        for at in 0..behaviour.feeds {
            if at % behaviour.a_host == 0 {
                host += 1;
            }
            places.push(Place { feed: places.len(), kind, host });
        }
    }
    places
}

impl Place {
    pub fn behaviour(&self) -> &'static Behaviour {
        &ALL[self.kind]
    }

    /// The time of entry `n`: periodic, each feed at its own moment and not quite on the minute.
    pub fn published(&self, begin: i64, n: i64) -> i64 {
        let Behaviour { period, at_once, .. } = *self.behaviour();
        let mix = |a: i64| (a.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed())).rem_euclid(1 << 20);
        let feed = i64::try_from(self.feed).unwrap();
        let phase = mix(feed + 1) * period / (1 << 20);
        let wobble = mix(feed * 7 + n / at_once + 3) * (period / 4) / (1 << 20);
        begin - 8 * DAY.max(period) + phase + (n / at_once) * period + wobble
    }

    /// How many entries there are at a time: entries 0 up to this number.
    pub fn entries_at(&self, begin: i64, now: i64) -> i64 {
        let Behaviour { period, at_once, .. } = *self.behaviour();
        let about = ((now - begin + 8 * DAY.max(period)) / period + 2).max(0) * at_once;
        (0..about).rev().find(|n| self.published(begin, *n) <= now).map_or(0, |n| n + 1)
    }
}
