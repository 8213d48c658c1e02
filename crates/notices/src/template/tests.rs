//! Tests of rendered texts and of rejected templates.

use super::*;

fn rendered(template: &str) -> Result<String, TemplateError> {
    render(template, &collected_example(), str::to_owned)
}

fn line_of(template: &str) -> Option<usize> {
    rendered(template).unwrap_err().line
}

#[test]
fn template_reads_the_fields_of_its_message() {
    let template = "{{ monitor|upper }}: {{ title|truncate(6) }}\n{% for one in messages -%}\n* {{ one.title }}\n{% endfor %}\
                    {% if more %}and {{ more }}{% endif %} {{ kind }} {# ignored #} {{ time }}";
    let text = rendered(template).unwrap();
    assert!(text.starts_with("LAMP: Price…\n* Price fell from 120 € to 90 €\n"), "{text}");
    assert!(text.ends_with("and 1 digest  1970-01-01T00:00:00.000Z"), "{text}");
    assert_eq!(
        render("{{ text }}", &example(), |text| text.replace('€', "EUR")).unwrap(),
        "Price: 120 EUR → 90 EUR"
    );
}

#[test]
fn invalid_template_is_reported_with_its_line() {
    assert_eq!(line_of("a\nb {{ nonsense }}"), Some(2));
    assert_eq!(line_of("a\n\n{% if title %}"), Some(3));
    assert_eq!(line_of("{{ title|shout }}"), Some(1));
    assert_eq!(line_of("x\n{% include '/etc/passwd' %}"), Some(2));
    assert_eq!(line_of("{{ title"), Some(1));
    assert_eq!(rendered("  ").unwrap_err().reason, "the text is empty");
    let error = TemplateError { line: Some(2), reason: "wrong".to_owned() }.at("template");
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::InvalidRequest, "The template cannot be used. Line 2: wrong.")
    );
    assert!(error.field().is_some());
}

#[test]
fn unknown_field_is_refused_even_in_a_branch_that_is_not_rendered() {
    for template in
        ["{% if more %}{{ prize }}{% endif %}x", "{{ prize }}", "x {{ prize.now }}", "{{ prize() }}"]
    {
        let error = check(template).unwrap_err();
        assert!(
            error.reason.starts_with("the field “prize” is unknown. Known fields: title, text, "),
            "{error}"
        );
    }
    let nested = rendered("{% for one in messages %}{{ one.prize }}{% endfor %}").unwrap_err();
    assert!(nested.reason.contains("Known fields: title") && nested.line == Some(1), "{nested}");
    let each = TEMPLATE_FIELDS.map(|name| format!("{{{{ {name} }}}}")).join(" ");
    assert_eq!(check(&each), Ok(()));
}

#[test]
fn template_reads_the_escaped_texts_of_a_change() {
    let template = "{{ before }} → {{ after }} ({{ value }}) at {{ url }}\n{{ change }}";
    let text = render(template, &example(), |text| text.replace('€', "EUR")).unwrap();
    assert_eq!(text, "120 EUR → 90 EUR (90 EUR) at https://example.com/lamp\n- 120 EUR\n+ 90 EUR");
    let account = Message { content: MessageContent::new("Signed in", "", String::new(), 0), ..example() };
    assert_eq!(render("{{ title }}{{ before }}{{ change }}", &account, str::to_owned).unwrap(), "Signed in");
}

#[test]
fn title_template_renders_one_line_and_only_for_messages_about_monitors() {
    let templates = |title, text| Templates { title: Some(title), text };
    let titled = apply(
        templates("{{ monitor }}\n is {{ value }}", Some("{{ title }}!")),
        &example(),
        str::to_uppercase,
    );
    assert!(titled.has_own_title);
    assert_eq!(titled.message.content.title, "Lamp is 90 €");
    assert_eq!(titled.text.unwrap().unwrap(), "LAMP IS 90 €!");
    let empty = apply(templates("{% if more %}x{% endif %}", None), &example(), str::to_owned);
    assert_eq!((empty.has_own_title, empty.message.content), (false, example().content));
    let account = Message { content: MessageContent::new("Signed in", "", String::new(), 0), ..example() };
    assert!(!apply(templates("Price alert", None), &account, str::to_owned).has_own_title);
    assert!(check_title("{{ prize }}").unwrap_err().reason.contains("Known fields"));
    let broken = apply(templates("{{ prize }}", Some("text")), &example(), str::to_owned);
    assert!(broken.text.unwrap().is_err() && !broken.has_own_title);
    assert!(check_title(&"x".repeat(MAX_TITLE_TEMPLATE_CHARS + 1)).is_err());
    assert_eq!(check_title("{{ monitor }}: {{ value }}"), Ok(()));
}

#[test]
fn template_that_could_exceed_time_or_memory_limits_is_refused() {
    let long = "x".repeat(3_000);
    let nested = |depth: usize, body: &str| {
        format!("{}{body}{}", "{% for a in messages %}".repeat(depth), "{% endfor %}".repeat(depth))
    };
    assert_eq!(rendered(&nested(16, "")).unwrap_err().reason, "the template needs too many steps");
    assert_eq!(rendered(&nested(8, &long)).unwrap_err().reason, "the text becomes too long");
    for template in [
        "{% set a = title %}{{ a }}",
        "{{ title ~ title }}",
        "{{ title * 1000000 }}",
        "{{ title + title }}",
        "{% for a in [title] %}{{ a }}{% endfor %}",
        "{% for a in (title, title) %}{{ a }}{% endfor %}",
        "{% with a = title %}{{ a }}{% endwith %}",
        "{% filter upper %}x{% endfilter %}",
        "{{ {'a': 1} }}",
        "{% macro a() %}x{% endmacro %}",
        "{% for a in messages recursive %}{{ loop(messages) }}{% endfor %}",
        "{% raw %}{{ title }}{% endraw %}",
        "{{ '\\n' }}",
        "{%- set a = 1 %}",
        "{{ '}}' ~ title }}",
        "{#}{{ title ~ title }}",
        "{{ '{#' }}{{ title ~ title }}{{ '#}' }}",
    ] {
        assert!(rendered(template).is_err(), "{template}");
    }
    assert_eq!(check(&"x".repeat(MAX_TEMPLATE_CHARS + 1)).unwrap_err().line, None);
    assert_eq!(check("{{ monitor }}: {{ title }} {{ link }}"), Ok(()));
    assert_eq!(rendered("{{ '{% set %}' }} {{ '}}' }}").unwrap(), "{% set %} }}");
}
