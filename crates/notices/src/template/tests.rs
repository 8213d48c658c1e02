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
    let error = Error::from(TemplateError { line: Some(2), reason: "wrong".to_owned() });
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::InvalidRequest, "The template cannot be used. Line 2: wrong.")
    );
    assert!(error.field().is_some());
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
