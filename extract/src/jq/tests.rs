//! Programs, their errors, and the limits of their outputs.

use serde_json::json;

use super::*;

fn run(program: &str, input: &Value) -> Result<Vec<Value>, JqFailure> {
    let program = Program::parse(program).unwrap_or_else(|error| panic!("{program}: {error:?}"));
    program.run(input, 100).map(|outputs| outputs.values)
}

fn error(program: &str) -> (String, usize) {
    let error = Program::parse(program).err().unwrap_or_else(|| panic!("{program} is valid"));
    (error.reason, error.character)
}

#[test]
fn jq_programs_select_and_compute() {
    let shop = json!({"items": [
        {"name": "Lamp", "price": 12.5, "tags": ["new"]},
        {"name": "Desk", "price": 80, "tags": []},
    ]});
    for (program, expected) in [
        (".items[].name", vec![json!("Lamp"), json!("Desk")]),
        (".items | length", vec![json!(2)]),
        (".items[] | select(.price > 20) | .name", vec![json!("Desk")]),
        (
            "[.items[] | select(.tags | index(\"new\")) | {name, price}]",
            vec![json!([{"name": "Lamp", "price": 12.5}])],
        ),
        (".items | map(.price) | add", vec![json!(92.5)]),
        (".items | sort_by(.name) | .[0].name", vec![json!("Desk")]),
        (".items | max_by(.price) | .name", vec![json!("Desk")]),
        (".items[0] | to_entries[] | .key", vec![json!("name"), json!("price"), json!("tags")]),
        (".items[] | \"\\(.name): \\(.price)\"", vec![json!("Lamp: 12.5"), json!("Desk: 80")]),
        (".items[9].name // \"none\"", vec![json!("none")]),
        (".items.name?", vec![]),
        ("if .items == [] then \"empty\" else \"full\" end", vec![json!("full")]),
        (". as {items: [$first]} | $first.name", vec![json!("Lamp")]),
        ("reduce .items[] as $item (0; . + $item.price)", vec![json!(92.5)]),
        ("def double: . * 2; .items[1].price | double", vec![json!(160)]),
        ("[limit(3; repeat(1))]", vec![json!([1, 1, 1])]),
        (".items[0].price | floor | tostring", vec![json!("12")]),
        (".items | tojson | fromjson | .[0].name | ascii_downcase", vec![json!("lamp")]),
        ("[paths(type == \"number\")] | length", vec![json!(2)]),
    ] {
        assert_eq!(run(program, &shop), Ok(expected), "{program}");
    }
}

#[test]
fn regular_expressions_test_match_and_replace() {
    let text = json!("héé a1 B22");
    for (program, expected) in [
        ("test(\"a\\\\d\")", json!(true)),
        ("test(\"A1\")", json!(false)),
        ("test(\"A1\"; \"i\")", json!(true)),
        ("[match(\"[0-9]+\"; \"g\") | .string]", json!(["1", "22"])),
        ("match(\"a(\\\\d)\") | [.offset, .length, .captures[0].offset]", json!([4, 2, 5])),
        ("capture(\"(?<letter>[A-Z])(?<number>\\\\d+)\")", json!({"letter": "B", "number": "22"})),
        ("[scan(\"[a-z]\\\\d\")]", json!(["a1"])),
        ("sub(\"é\"; \"e\")", json!("heé a1 B22")),
        ("gsub(\"é\"; \"e\")", json!("hee a1 B22")),
        ("gsub(\"(?<d>\\\\d)\"; \"<\\(.d)>\")", json!("héé a<1> B<2><2>")),
        ("[splits(\" +\")]", json!(["héé", "a1", "B22"])),
        ("split(\" \")", json!(["héé", "a1", "B22"])),
    ] {
        assert_eq!(run(program, &text), Ok(vec![expected]), "{program}");
    }
    assert!(run("test(\"(\")", &text).is_err_and(|failure| failure.0.contains("regular expression")));
    assert!(run("test(\"a\"; \"q\")", &text).is_err_and(|failure| failure.0.contains("no flag 'q'")));
    assert!(run("test(\"a{1000}{1000}\")", &text).is_err());
}

#[test]
fn numbers_retain_their_exact_digits() {
    let input: Value =
        serde_json::from_str("[12345678901234567, 0.1, 18446744073709551615, 1.5e300, -0.0]").unwrap();
    let outputs = run(".[]", &input).unwrap();
    assert_eq!(outputs[0], json!(12_345_678_901_234_567_i64));
    assert_eq!(
        (outputs[1].to_string(), outputs[2].to_string()),
        ("0.1".to_owned(), "18446744073709551615".to_owned())
    );
    assert_eq!(run("1 / 0, (0 / 0 | isnan)", &json!(null)), Ok(vec![json!("Infinity"), json!(true)]));
}

#[test]
fn functions_with_access_to_the_process_are_not_available() {
    for name in [
        "env", "now", "input", "inputs", "debug", "stderr", "halt", "halt_error", "input_filename",
        "localtime", "todate", "@base64", "@uri",
    ] {
        let (reason, character) = error(&format!(". | {name}"));
        assert!(reason.starts_with("there is no") || reason.contains("expected"), "{name}: {reason}");
        assert_eq!(character, 5, "{name}");
    }
    assert_eq!(error(".a | $ENV").1, 6);
    assert_eq!(error("import \"a\" as a; .").0, "modules are not supported");
    assert_eq!(error("include \"a\"; .").0, "modules are not supported");
    assert_eq!(error("halt(1)"), ("there is no function halt with 1 arguments".to_owned(), 1));
}

#[test]
fn invalid_program_is_refused_with_the_position_of_the_error() {
    for (program, character) in [
        ("", 1),
        (".a |", 5),
        (".ä", 2),
        ("é", 1),
        (".a | foo(1)", 6),
        ("\"é\" | nope", 7),
        ("if . then 1", 12),
    ] {
        assert_eq!(error(program).1, character, "{program}: {:?}", error(program));
    }
    assert_eq!(error(".a | nope"), ("there is no function nope".to_owned(), 6));
}

#[test]
fn programs_with_many_parts_are_refused() {
    for part in ["[", "{", "(", "-", ".|", "if ", ".,", "try ", "def f: ", "\"\\("] {
        let program = part.repeat(400);
        assert_eq!(error(&program).0, "there are more than 150 parts", "{part}");
    }
}

#[test]
fn failure_reasons_are_truncated() {
    let long = json!({"text": "x".repeat(10_000)});
    let JqFailure(reason) = run(".text.price", &long).unwrap_err();
    assert!(reason.starts_with("cannot index") && reason.chars().count() == MAX_REASON_CHARS + 1, "{reason}");
    assert_eq!(run("error(\"gone\")", &long), Err(JqFailure("gone".to_owned())));
    assert!(run("first(.a[])", &json!({})).is_err(), "null has no elements");
    assert!(run("label $out | 1, break $out", &json!(null)).is_ok());
}

#[test]
fn outputs_beyond_the_limits_are_cut_or_refused() {
    let program = Program::parse("repeat(1)").unwrap();
    let outputs = program.run(&json!(null), 10).unwrap();
    assert_eq!((outputs.values.len(), outputs.is_cut), (10, true));
    let exact = Program::parse("range(10)").unwrap().run(&json!(null), 10).unwrap();
    assert_eq!((exact.values.len(), exact.is_cut), (10, false));
    let too_large = || Err(JqFailure("its output is too large".to_owned()));
    assert_eq!(run("reduce range(40) as $i (1; [., .])", &json!(null)), too_large());
    assert_eq!(run("[range(40)] | map(\"x\" * 1000000)", &json!(null)), too_large());
    let deep = run("reduce range(1000) as $i (1; [.])", &json!(null));
    assert_eq!(deep, Err(JqFailure("its output is nested deeper than 128 levels".to_owned())));
}
