//! Sample calls in shell, Python, and JavaScript. They read the key from the environment variable `KEY`.

use serde_json::Value;

use super::call::{Call, CallBody, FormPart, pretty};

/// Formats the call as a `curl` command.
pub(super) fn shell(call: &Call<'_>) -> String {
    let is_implied = call.method == "GET" || (call.method == "POST" && call.body.is_some());
    let verb = if is_implied { String::new() } else { format!("-X {} ", call.method) };
    let mut lines = vec![format!("curl {verb}{}", word(&call.url))];
    if call.takes_key {
        lines.push("-H \"Authorization: Bearer $KEY\"".to_owned());
    }
    lines.extend(call.headers().into_iter().map(|(name, value)| format!("-H '{name}: {value}'")));
    match &call.body {
        None => {}
        Some(CallBody::Json(example)) => lines.push(format!("-d {}", word(&pretty(example)))),
        Some(CallBody::File(_, name)) => lines.push(format!("--data-binary @{name}")),
        Some(CallBody::Form(fields)) => lines.extend(fields.iter().map(|(name, part)| match part {
            FormPart::Text(text) => format!("-F {}", word(&format!("{name}={text}"))),
            FormPart::File => format!("-F {name}=@file"),
        })),
    }
    lines.join(" \\\n  ")
}

/// Formats the call in Python, with `requests`.
pub(super) fn python(call: &Call<'_>) -> String {
    let mut headers: Vec<String> = call
        .headers()
        .into_iter()
        // `json=` sets this header.
        .filter(|(name, _)| !matches!((&call.body, *name), (Some(CallBody::Json(_)), "Content-Type")))
        .map(|(name, value)| format!("{}: {}", string(name), string(value)))
        .collect();
    if call.takes_key {
        headers.insert(0, "\"Authorization\": f\"Bearer {os.environ['KEY']}\"".to_owned());
    }
    let mut arguments = vec![string(&call.url)];
    if !headers.is_empty() {
        arguments.push(format!("headers={{{}}}", headers.join(", ")));
    }
    match &call.body {
        None => {}
        Some(CallBody::Json(example)) => arguments.push(format!("json={}", literal(example, 1))),
        Some(CallBody::File(_, name)) => arguments.push(format!("data=open({}, \"rb\")", string(name))),
        Some(CallBody::Form(fields)) => {
            let texts = fields.iter().filter_map(|(name, part)| match part {
                FormPart::Text(text) => Some(format!("{}: {}", string(name), string(text))),
                FormPart::File => None,
            });
            let texts: Vec<String> = texts.collect();
            if !texts.is_empty() {
                arguments.push(format!("data={{{}}}", texts.join(", ")));
            }
            for (name, _) in fields.iter().filter(|(_, part)| matches!(part, FormPart::File)) {
                arguments.push(format!("files={{{}: open(\"file\", \"rb\")}}", string(name)));
            }
        }
    }
    let os = if call.takes_key { "import os\n\n" } else { "" };
    let printed = if call.gives_json { "answer.json()" } else { "answer.text" };
    let method = call.method.to_lowercase();
    let arguments = arguments.join(",\n    ");
    format!(
        "{os}import requests\n\nanswer = requests.{method}(\n    {arguments},\n)\nanswer.raise_for_status()\nprint({printed})"
    )
}

/// Formats the call in JavaScript, with `fetch`.
pub(super) fn javascript(call: &Call<'_>) -> String {
    let mut lines = Vec::new();
    let mut options = Vec::new();
    if call.method != "GET" {
        options.push(format!("method: {}", string(&call.method)));
    }
    let mut headers: Vec<String> = call
        .headers()
        .into_iter()
        .map(|(name, value)| format!("{}: {}", string(name), string(value)))
        .collect();
    if call.takes_key {
        headers.insert(0, "Authorization: `Bearer ${process.env.KEY}`".to_owned());
    }
    if !headers.is_empty() {
        options.push(format!("headers: {{ {} }}", headers.join(", ")));
    }
    match &call.body {
        None => {}
        Some(CallBody::Json(example)) => {
            options.push(format!("body: JSON.stringify({})", pretty(example).replace('\n', "\n  ")));
        }
        Some(CallBody::File(_, name)) => {
            lines.push("import { openAsBlob } from \"node:fs\";".to_owned());
            options.push(format!("body: await openAsBlob({})", string(name)));
        }
        Some(CallBody::Form(fields)) => {
            lines.push("import { openAsBlob } from \"node:fs\";".to_owned());
            lines.push("const form = new FormData();".to_owned());
            lines.extend(fields.iter().map(|(name, part)| match part {
                FormPart::Text(text) => format!("form.append({}, {});", string(name), string(text)),
                FormPart::File => {
                    format!("form.append({}, await openAsBlob(\"file\"), \"file\");", string(name))
                }
            }));
            options.push("body: form".to_owned());
        }
    }
    let options =
        if options.is_empty() { String::new() } else { format!(", {{\n  {},\n}}", options.join(",\n  ")) };
    lines.push(format!("const answer = await fetch({}{options});", string(&call.url)));
    lines.push("if (!answer.ok) throw new Error(await answer.text());".to_owned());
    let printed = if call.gives_json { "json" } else { "text" };
    lines.push(format!("console.log(await answer.{printed}());"));
    lines.join("\n")
}

/// Quotes a text as one word of a shell command.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Formats a text as a string literal, which is the same in JSON, Python, and JavaScript.
fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// Formats JSON as a Python literal, indented by `depth` levels.
fn literal(value: &Value, depth: usize) -> String {
    let (inner, outer) = ("    ".repeat(depth + 1), "    ".repeat(depth));
    let lines = |items: Vec<String>, (open, close): (&str, &str)| {
        if items.is_empty() {
            return format!("{open}{close}");
        }
        format!("{open}\n{inner}{},\n{outer}{close}", items.join(&format!(",\n{inner}")))
    };
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) => lines(items.iter().map(|item| literal(item, depth + 1)).collect(), ("[", "]")),
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(name, value)| format!("{}: {}", string(name), literal(value, depth + 1)));
            lines(fields.collect(), ("{", "}"))
        }
        Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sample_call_is_rendered_in_three_languages() {
        let document = json!({ "servers": [{ "url": "https://reader.example" }] });
        let operation = json!({
            "security": [{ "key": [] }],
            "requestBody": { "content": { "application/json": { "example": { "name": "It's \"one\"", "dry": true, "tags": ["a"], "until": null } } } },
            "responses": { "201": { "content": { "application/json": {} } } },
        });
        let call = Call::of(&document, ("/v1/things", "post"), &operation);
        assert_eq!(shell(&call).lines().next().unwrap(), "curl 'https://reader.example/v1/things' \\");
        assert!(shell(&call).contains("It'\\''s"), "{}", shell(&call));
        let python = python(&call);
        assert!(python.contains("json={\n        \"name\": \"It's \\\"one\\\"\","), "{python}");
        assert!(python.contains("\"dry\": True") && python.contains("\"until\": None"), "{python}");
        assert!(!python.contains("Content-Type"), "{python}");
        let javascript = javascript(&call);
        assert!(
            javascript.contains("method: \"POST\"") && javascript.contains("\"until\": null"),
            "{javascript}"
        );
        assert!(javascript.contains("`Bearer ${process.env.KEY}`"), "{javascript}");
    }

    #[test]
    fn form_field_with_a_file_sends_the_file() {
        let document = json!({ "servers": [{ "url": "" }] });
        let schema = json!({ "properties": { "file": { "type": "string", "format": "binary" }, "dryRun": { "type": "boolean" } } });
        let operation = json!({
            "requestBody": { "content": { "multipart/form-data": { "schema": schema, "example": { "dryRun": false } } } },
            "responses": {},
        });
        let call = Call::of(&document, ("/imports", "post"), &operation);
        assert!(
            shell(&call).contains("-F 'dryRun=false'") && shell(&call).contains("-F file=@file"),
            "{}",
            shell(&call)
        );
        assert!(python(&call).contains("files={\"file\": open(\"file\", \"rb\")}"), "{}", python(&call));
        assert!(javascript(&call).contains("openAsBlob(\"file\")"), "{}", javascript(&call));
    }
}
