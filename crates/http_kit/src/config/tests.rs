//! Tests of settings: defaults, faults, secrets, and origins.

use super::*;

#[test]
fn defaults_work_without_environment() {
    let settings = Settings::read(&mut Variables::of_pairs([])).unwrap();
    assert_eq!(settings.origins.base.as_str(), "http://127.0.0.1:8080");
    assert_eq!(settings.origins.reader, settings.origins.auth);
    assert_eq!(settings.reader_limits, ReaderLimits::On { burst: (5, 10), sustained: (60, 60) });
    assert!(settings.redis_url.is_none());
}

#[test]
fn reading_settings_reports_all_faults() {
    let pairs = [
        ("CARREL_LISTEN", "nowhere"),
        ("CARREL_READER_URL", "https://read.example.org/"),
        ("CARREL_READER_LIMITS", "5/0,60/60"),
        ("CARREL_TRUSTED_PROXIES", "10.0.0.0/8,oops"),
        ("CARREL_LEASE_SECONDS", "0"),
        ("CARREL_ROBOTS", "maybe"),
        ("CARREL_LISTTEN", "127.0.0.1:1"),
    ];
    let faults = Settings::read(&mut Variables::of_pairs(pairs)).unwrap_err();
    let names: Vec<&str> = faults.0.iter().filter_map(|fault| fault.split(':').next()).collect();
    for (name, _) in pairs {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
}

#[test]
fn mailer_requires_both_server_and_sender() {
    let read = |pairs: &[(&'static str, &'static str)]| {
        Settings::read(&mut Variables::of_pairs(pairs.iter().copied()))
    };
    assert!(read(&[]).unwrap().accounts.mailer.is_none());
    let both = [("CARREL_SMTP_URL", "smtp://127.0.0.1"), ("CARREL_MAIL_FROM", "Carrel <c@example.org>")];
    let settings = read(&both).unwrap();
    assert!(settings.accounts.mailer.is_some());
    let secret = [("CARREL_SMTP_URL", "smtps://me:hidden@mail.example.org"), both[1]];
    assert!(!format!("{:?}", read(&secret).unwrap()).contains("hidden"));
    for (one, missing) in [(both[0], "CARREL_MAIL_FROM"), (both[1], "CARREL_SMTP_URL")] {
        let faults = read(&[one]).unwrap_err();
        assert!(faults.0[0].starts_with(missing), "{faults}");
    }
}

#[test]
fn inbox_certificate_requires_its_key() {
    let read = |pairs: &[(&str, &str)]| Settings::read(&mut Variables::of_pairs(pairs.iter().copied()));
    let both = [("CARREL_INBOX_CERTIFICATE", "/etc/chain.pem"), ("CARREL_INBOX_KEY", "/etc/key.pem")];
    assert!(read(&both).unwrap().inbox.tls.is_some());
    assert!(read(&[]).unwrap().inbox.tls.is_none());
    for (one, missing) in [(both[0], both[1].0), (both[1], both[0].0)] {
        let faults = read(&[one]).unwrap_err();
        assert!(faults.0[0].starts_with(missing), "{faults}");
    }
}

#[test]
fn proxies_have_names_and_their_passwords_are_not_printed() {
    let read = |list| Settings::read(&mut Variables::of_pairs([("CARREL_PROXIES", list)]));
    let settings = read("north=http://me:hidden@proxy.example:3128, south=socks5://10.0.0.1").unwrap();
    assert_eq!(settings.fetch.proxies.names().collect::<Vec<_>>(), ["north", "south"]);
    assert!(!format!("{settings:?}").contains("hidden"));
    let faults = read("north=ftp://me:hidden@proxy.example").unwrap_err().to_string();
    assert!(faults.contains("CARREL_PROXIES: proxy 1") && !faults.contains("hidden"), "{faults}");
}

#[test]
fn every_setting_is_in_env_sample() {
    let mut variables = Variables::of_pairs([]);
    Settings::read(&mut variables).unwrap();
    for name in variables.names() {
        assert!(SETTINGS_SAMPLE.contains(&format!("{name}=")), "{name} is missing in .env.sample");
    }
}

#[test]
fn feed_limits_apply_to_the_download_and_to_the_entries() {
    let mut variables = Variables::of_pairs([("CARREL_FEED_MB", "25"), ("CARREL_FEED_ENTRIES", "2000")]);
    let settings = Settings::read(&mut variables).unwrap();
    assert_eq!(settings.worker.feed_limits, FeedLimits { entries: 2_000, bytes: 25 << 20 });
    assert_eq!(crate::app::fetch_policy(&settings).feed_cap_bytes, 25 << 20);
    let faults = Settings::read(&mut Variables::of_pairs([("CARREL_FEED_MB", "65")])).unwrap_err();
    assert!(faults.0[0].starts_with("CARREL_FEED_MB"), "{faults}");
}

#[test]
fn secret_is_not_printed_by_debug() {
    let settings = Settings::read(&mut Variables::of_pairs([("CARREL_ADMIN_TOKEN", "hush-hush")])).unwrap();
    assert!(!format!("{settings:?}").contains("hush"));
    assert!(settings.admin_token.unwrap().is("hush-hush"));
}

#[test]
fn site_settings_are_validated() {
    let read = |pairs: &[(&'static str, &'static str)]| {
        Settings::read(&mut Variables::of_pairs(pairs.iter().copied()))
    };
    let site = read(&[]).unwrap().site;
    assert_eq!((site.name.as_str(), site.color, site.welcome), ("Carrel", None, None));
    let pairs = [
        ("CARREL_SITE_NAME", "Harbour Library"),
        ("CARREL_SITE_COLOR", "#1A5f7a"),
        ("CARREL_SITE_WELCOME", "For everyone in town."),
    ];
    let site = read(&pairs).unwrap().site;
    assert_eq!((site.name.as_str(), site.color), ("Harbour Library", Some(SiteColor([0x1a, 0x5f, 0x7a]))));
    assert_eq!(site.welcome.as_deref(), Some("For everyone in town."));
    for wrong in ["1a5f7a", "#1a5f7", "#1a5f7ag", "#+a5f7a", "red", "#é5f7a"] {
        let faults = read(&[("CARREL_SITE_COLOR", wrong)]).unwrap_err();
        assert!(faults.0[0].starts_with("CARREL_SITE_COLOR: must be a colour"), "{wrong}: {faults}");
    }
    for wrong in ["0123456789012345678901234567890123456789x", "two\nlines"] {
        let faults = read(&[("CARREL_SITE_NAME", wrong)]).unwrap_err();
        assert!(faults.0[0].starts_with("CARREL_SITE_NAME: must be one line"), "{wrong}: {faults}");
    }
}

#[test]
fn pooler_url_requires_postgresql() {
    let pooler = ("DATABASE_POOLER_URL", "postgres://carrel@127.0.0.1:6432/carrel");
    let faults = Settings::read(&mut Variables::of_pairs([pooler])).unwrap_err();
    assert!(faults.0[0].starts_with("DATABASE_POOLER_URL"), "{faults}");
    let database = ("DATABASE_URL", "postgres://carrel@127.0.0.1/carrel");
    let settings = Settings::read(&mut Variables::of_pairs([pooler, database])).unwrap();
    assert_eq!(settings.database.pooler_url.as_deref(), Some(pooler.1));
}

#[test]
fn origin_with_path_or_query_is_rejected() {
    for wrong in [
        "https://a.example/", "https://a.example/x", "ftp://a.example", "a.example", "https://u@a.example",
        "https://a.example?x",
    ] {
        assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
    }
    let origin: Origin = "https://Read.Example:443".parse().unwrap();
    assert_eq!((origin.as_str(), origin.authority()), ("https://read.example", "read.example"));
}

#[test]
fn trusted_proxy_accepts_single_address() {
    let mut variables = Variables::of_pairs([("CARREL_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8,fd00::1")]);
    let settings = Settings::read(&mut variables).unwrap();
    let proxies: Vec<String> = settings.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["127.0.0.1/32", "10.0.0.0/8", "fd00::1/128"]);
}
