//! Tests of the query language.

use super::*;
use crate::Error;

/// 2026-03-31, 12:00 UTC.
const NOW: i64 = 1_774_958_400_000;

fn words_of(terms: &[Term]) -> Vec<String> {
    let joined = |term: &Term| {
        let words: Vec<&str> = term.words.iter().map(|word| word.word.as_str()).collect();
        words.join("+")
    };
    terms.iter().map(joined).collect()
}

/// Renders a condition: `&(a |(b -c))`.
fn rendered(node: &Node) -> String {
    let sign = |polarity: Polarity| if polarity == Polarity::Exclude { "-" } else { "" };
    let inside = |nodes: &[Node]| nodes.iter().map(rendered).collect::<Vec<_>>().join(" ");
    match node {
        Node::Term(polarity, term) => {
            format!("{}{}", sign(*polarity), words_of(std::slice::from_ref(term)).concat())
        }
        Node::Filter(SearchFilter { polarity, test: FilterTest::Tag(name) }) => {
            format!("{}#{name}", sign(*polarity))
        }
        Node::Filter(SearchFilter { polarity, test }) => format!("{}{test:?}", sign(*polarity)),
        Node::All(nodes) => format!("&({})", inside(nodes)),
        Node::Any(nodes) => format!("|({})", inside(nodes)),
    }
}

fn parse(text: &str) -> Query {
    Query::parse(text).unwrap()
}

/// Terms, excluded terms, and groups of a query.
fn parts(text: &str) -> String {
    let query = parse(text);
    let without = words_of(&query.without).into_iter().map(|word| format!("-{word}"));
    let groups = query.groups.iter().map(rendered);
    words_of(&query.terms).into_iter().chain(without).chain(groups).collect::<Vec<_>>().join(" ")
}

#[test]
fn query_has_words_phrases_and_filters() {
    let query = parse(
        "Quiet \"two desks\" -Loud wor* tag:\"to read\" -status:archive KIND:book domain:www.Example.org",
    );
    assert_eq!(words_of(&query.terms), ["quiet", "two+desks", "wor"]);
    assert_eq!(query.terms[1].phrase.as_deref(), Some(" two desks "));
    assert_eq!((query.terms[2].ending, words_of(&query.without)), (Ending::Open, vec!["loud".to_owned()]));
    let tests: Vec<(Polarity, FilterTest)> =
        query.filters.into_iter().map(|one| (one.polarity, one.test)).collect();
    let expected = [
        (Polarity::Include, FilterTest::Tag("to read".into())),
        (Polarity::Exclude, FilterTest::Status(ItemStatus::Archive)),
        (Polarity::Include, FilterTest::Kind(ContentKind::Book)),
        (Polarity::Include, FilterTest::Domain("example.org".into())),
    ];
    assert_eq!(tests, expected);
}

#[test]
fn unknown_syntax_is_searched_as_words() {
    assert_eq!(words_of(&parse("editor:ada a&b \"open").terms), ["editor+ada", "a+b", "open"]);
    assert_eq!(words_of(&parse("日本語 -").terms), ["日本+本語"]);
    assert!(!parse("!!! ...").has_words());
    assert!(parse("  ").is_empty());
    assert_eq!(parse("status:nonsense").filters[0].test, FilterTest::Nothing);
    assert!(parse("https://example.org/a?utm_source=x").address.is_some());
    assert!(parse("\"\" - tag: * '").terms.is_empty());
}

#[test]
fn alternatives_and_parentheses_form_groups() {
    for (text, expected) in [
        ("a OR b", "|(a b)"),
        ("a | b | c", "|(a b c)"),
        ("a b OR c", "|(&(a b) c)"),
        ("a (b OR -c) -d", "a -d |(b -c)"),
        ("(a b) c", "a b c"),
        ("((a OR b) OR (c))", "|(a b c)"),
        ("-(a OR b) c", "c -a -b"),
        ("-(a -b)", "|(-a b)"),
        ("-((a OR b) c)", "|(&(-a -b) -c)"),
        ("(tag:x OR \"two desks\")d", "d |(#x two+desks)"),
        ("(tag:x) (f(y) OR z)", "|(f+y z)"),
        ("a or b", "a or b"),
        ("a|b \"OR\" -OR", "a+b or -or"),
        ("x) :) a(b", "x a+b"),
        ("() a (!!!)", "a"),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
    assert_eq!(parse("(tag:x) a").filters.len(), 1);
    let query = parse("a (b OR -c) (\"d e\" | tag:x)");
    assert!(query.has_words() && !query.has_phrases() && !query.is_empty());
    assert!(!parse("-a OR b").has_words() && parse("(a OR b) OR (c -d)").has_words());
    let is_of_words = |text: &str| parse(text).groups[0].is_of_words();
    assert!(is_of_words("a OR (b c*)") && !is_of_words("a OR \"b c\"") && !is_of_words("a OR tag:b"));
}

#[test]
fn dates_are_filters() {
    let text = "after:2026-01-15 Before:2026-02 saved:2025 -published:\"2026-03-01\" before:1w published:>7d";
    let filters = parse(text).filters;
    let rendered: Vec<String> = filters
        .iter()
        .map(|filter| {
            let (name, period) = match filter.test {
                FilterTest::Time(period) => ("time", period),
                FilterTest::Saved(period) => ("saved", period),
                FilterTest::Published(period) => ("published", period),
                _ => panic!("{filter:?}"),
            };
            let bounds: Vec<String> =
                period.dates(NOW).map(|(operator, day)| format!("{operator}{day}")).collect();
            format!("{:?} {name} {}", filter.polarity, bounds.join(" "))
        })
        .collect();
    let expected = [
        "Include time >=2026-01-15",
        "Include time <2026-02-01",
        "Include saved >=2025-01-01 <2026-01-01",
        "Exclude published >=2026-03-01 <2026-03-02",
        "Include time <2026-03-24",
        "Include published <2026-03-24",
    ];
    assert_eq!(rendered, expected);
    assert_eq!(parts("after: (saved:) published:\t2026"), "after saved published 2026");
}

#[test]
fn properties_are_filters() {
    let query =
        parse("title:\"Quiet Desks\" -author:ada* IS:Unread -has:note minutes:<5 feed:News site:www.a.org");
    assert_eq!(words_of(&query.terms), ["quiet+desks"], "the index finds the words of a title");
    assert_eq!(query.terms[0].phrase.as_deref(), Some(" quiet desks "));
    assert!(query.without.is_empty() && query.groups.is_empty());
    let line = |text, ending| LineWords::of(text, ending).unwrap();
    let feed = FeedName { title: line("news", Ending::Whole), host: "news".into() };
    let tests: Vec<(Polarity, FilterTest)> =
        query.filters.into_iter().map(|one| (one.polarity, one.test)).collect();
    let expected = [
        (Polarity::Include, FilterTest::Title(line("quiet desks", Ending::Whole))),
        (Polarity::Exclude, FilterTest::Author(line("ada", Ending::Open))),
        (Polarity::Include, FilterTest::State(ReadState::Unread)),
        (Polarity::Exclude, FilterTest::Has(HasPart::Note)),
        (Polarity::Include, FilterTest::Minutes(ReadingTime::parse("<5").unwrap())),
        (Polarity::Include, FilterTest::Feed(feed)),
        (Polarity::Include, FilterTest::Domain("a.org".into())),
    ];
    assert_eq!(tests, expected);
    let groups = parse("title:a OR is:read").groups;
    let [Node::Any(nodes)] = groups.as_slice() else { panic!("{groups:?}") };
    assert!(matches!(nodes.as_slice(), [Node::All(_), Node::Filter(_)]), "{nodes:?}");
    assert_eq!(parts("title: is:\t(has:)"), "title is has", "without a value they are words");
}

#[test]
fn category_filter_has_a_whole_name_or_a_prefix() {
    let category = |name: &str, ending| FilterTest::Category(CategoryName { name: name.into(), ending });
    for (text, polarity, expected) in [
        ("category:\"open source\"", Polarity::Include, category("open source", Ending::Whole)),
        ("-Category:C++", Polarity::Exclude, category("C++", Ending::Whole)),
        ("category:open*", Polarity::Include, category("open", Ending::Open)),
        ("category:\"open*\"", Polarity::Include, category("open*", Ending::Whole)),
        (CategoryName::query("a \"b\"").as_str(), Polarity::Include, category("a 'b'", Ending::Whole)),
    ] {
        let query = parse(text);
        assert!(query.terms.is_empty() && query.groups.is_empty(), "{text}");
        assert_eq!(query.filters, [SearchFilter { polarity, test: expected }], "{text}");
    }
    assert_eq!(words_of(&parse("category: a").terms), ["category", "a"]);
}

#[test]
fn query_faults_have_positions() {
    let many = vec!["a"; MAX_WORDS].join(" ");
    for (text, fault, position) in [
        ("a (b", QueryFault::OpenGroup, 3),
        (" é ((b) c", QueryFault::OpenGroup, 4),
        ("a OR", QueryFault::MissingOperand, 3),
        ("| a", QueryFault::MissingOperand, 1),
        ("a OR OR b", QueryFault::MissingOperand, 6),
        ("a (b |)", QueryFault::MissingOperand, 6),
        ("a OR !!!", QueryFault::MissingOperand, 3),
        ("(".repeat(MAX_DEPTH + 1).as_str(), QueryFault::TooDeep, MAX_DEPTH + 1),
        (format!("{many} | b").as_str(), QueryFault::TooManyWords, 2 * MAX_WORDS + 3),
        (format!("({many} tag:b)").as_str(), QueryFault::TooManyWords, 2 * MAX_WORDS + 2),
        ("tag:a ".repeat(MAX_WORDS + 1).as_str(), QueryFault::TooManyWords, 6 * MAX_WORDS + 1),
        ("a after:yesterday", QueryFault::InvalidDate, 3),
        ("-saved:2026-02-30", QueryFault::InvalidDate, 1),
        ("a after:>7d", QueryFault::InvalidDate, 3),
        ("saved:7h", QueryFault::InvalidDate, 1),
        ("a (is:new)", QueryFault::InvalidValue, 4),
        ("é has:\"\"", QueryFault::InvalidValue, 3),
        ("title:!!! b", QueryFault::InvalidValue, 1),
        ("minutes:five", QueryFault::InvalidValue, 1),
        ("a category:*", QueryFault::InvalidValue, 3),
        (format!("{many} title:b").as_str(), QueryFault::TooManyWords, 2 * MAX_WORDS + 1),
    ] {
        assert_eq!(Query::parse(text), Err(QueryError { fault, position }), "{text}");
    }
    let deep = format!("{}a{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    assert_eq!(parts(&deep), "a");
    assert_eq!(words_of(&parse(&format!("{many} b c")).terms).len(), MAX_WORDS, "without operators");
    let error = Error::from(Query::parse("a (b").unwrap_err());
    assert!(error.message.contains("query has a parenthesis at character 3"), "{}", error.message);
}

#[test]
fn stored_query_with_a_fault_is_searched_as_words() {
    for (text, terms) in [
        ("c (language", "c language"),
        ("boats OR", "boats or"),
        ("after:yesterday (a OR b", "after+yesterday a or b"),
        ("is:new title:b", "is+new title+b"),
        ("((((((((( deep", "deep"),
    ] {
        assert!(Query::parse(text).is_err(), "{text}");
        assert_eq!(words_of(&Query::parse_stored(text).terms).join(" "), terms, "{text}");
    }
    let query = Query::parse_stored("\"two desks\" -loud domain:example.org (x");
    assert_eq!((words_of(&query.terms).join(" ").as_str(), query.filters.len()), ("two+desks x", 1));
    assert_eq!(words_of(&query.without), ["loud"]);
    assert_eq!(Query::parse_stored("a OR b"), parse("a OR b"));
    assert!(Query::parse_stored(&"tag:a ".repeat(MAX_WORDS + 1)).is_empty());
}

/// Parses a query as the version before operators and dates did.
fn parsed_before(text: &str) -> Query {
    let mut query = Query::default();
    let mut count = 0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let polarity =
            if rest.starts_with('-') && rest.len() > 1 { Polarity::Exclude } else { Polarity::Include };
        rest = if polarity == Polarity::Exclude { &rest[1..] } else { rest };
        let is_front =
            |name: &&&str| rest.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
        let prefix = FILTERS.iter().find(is_front).copied();
        rest = prefix.map_or(rest, |prefix| &rest[prefix.len()..]);
        let (value, is_quoted, after) = if let Some(inner) = rest.strip_prefix('"') {
            let (quoted, after) = inner.split_once('"').unwrap_or((inner, ""));
            (quoted, true, after)
        } else {
            let stop = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (&rest[..stop], false, &rest[stop..])
        };
        rest = after.trim_start();
        let token = QueryToken { polarity, prefix, text: value.to_owned(), is_quoted };
        if let Some(filter) = token.filter().unwrap() {
            query.filters.push(filter);
            continue;
        }
        let Some(term) = token.term() else { continue };
        count += term.words.len();
        if count > MAX_WORDS {
            break;
        }
        match polarity {
            Polarity::Include => query.terms.push(term),
            Polarity::Exclude => query.without.push(term),
        }
    }
    query
}

#[test]
fn query_without_operators_or_dates_is_parsed_like_in_earlier_versions() {
    const PIECES: [&str; 24] = [
        "quiet", "Desks", "wor*", "\"two desks\"", "\"open", "-", "--", "\"", "tag:", "tag:\"to read\"",
        "status:inbox", "STATUS:x", "kind:book", "domain:www.example.org", "don't", "日本語", "or", "a|b",
        "x)", "f(y)", ":(", "after:", "saved :2026", "!!!",
    ];
    let mut state = 42_u64;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % most
    };
    for _ in 0..5_000 {
        let mut text = String::new();
        for _ in 0..random(45) {
            text.push_str(PIECES[random(PIECES.len())]);
            text.push_str(["", " ", "  ", " -", "\t"][random(5)]);
        }
        // Pieces without a space between them can form an operator or a date.
        let has_new_syntax = lexemes(&text, Syntax::Full).iter().any(|one| match &one.part {
            QueryPart::Token(token) => token.prefix.is_some_and(|prefix| DATE_FILTERS.contains(&prefix)),
            QueryPart::Open(_) | QueryPart::Close | QueryPart::Or => true,
        });
        if !has_new_syntax {
            assert_eq!(parse(&text), parsed_before(&text), "{text}");
        }
    }
}
