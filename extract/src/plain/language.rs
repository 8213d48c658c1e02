//! Languages of source code and data: their names, file extensions and media types.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

/// Programming or data language, with the name that Markdown uses for it.
struct CodeLanguage {
    name: &'static str,
    /// File extensions in lower case.
    extensions: &'static [&'static str],
    /// Media types, the most common one first.
    media_types: &'static [&'static str],
}

const fn language(
    name: &'static str,
    extensions: &'static [&'static str],
    media_types: &'static [&'static str],
) -> CodeLanguage {
    CodeLanguage { name, extensions, media_types }
}

/// Name for code of an unknown language.
const LISTING: &str = "";

#[rustfmt::skip]
static LANGUAGES: [CodeLanguage; 78] = [
    language("json", &["json", "geojson", "jsonld", "webmanifest", "har", "topojson"], &["application/json", "text/json", "application/x-json"]),
    language("json", &["jsonl", "ndjson"], &["application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json-seq"]),
    language("json5", &["json5", "jsonc"], &["application/json5"]),
    language("yaml", &["yaml", "yml"], &["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml", "text/vnd.yaml"]),
    language("toml", &["toml"], &["application/toml", "text/x-toml"]),
    language("ini", &["ini", "cfg", "conf", "cnf", "properties", "editorconfig", "gitconfig", "service", "desktop"], &["text/x-ini", "text/x-properties"]),
    language("xml", &["xml", "xsd", "xsl", "xslt", "rng", "wsdl", "plist", "opml", "kml", "gpx", "svg", "rdf", "dtd", "tei", "xliff", "xlf", "csproj", "pom", "xul", "atom", "rss"], &["application/xml", "text/xml", "application/xml-dtd", "application/xslt+xml"]),
    language("html", &["html", "htm", "xhtml", "vue", "svelte", "hbs", "mustache", "njk", "j2", "jinja", "erb", "ejs"], &[]),
    language("css", &["css"], &["text/css"]),
    language("scss", &["scss", "sass"], &["text/x-scss", "text/x-sass"]),
    language("less", &["less"], &["text/x-less"]),
    language("javascript", &["js", "mjs", "cjs"], &["text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript", "text/ecmascript", "text/x-javascript", "text/jscript"]),
    language("jsx", &["jsx"], &["text/jsx"]),
    language("typescript", &["ts", "mts", "cts"], &["text/typescript", "application/typescript", "application/x-typescript"]),
    language("tsx", &["tsx"], &["text/tsx"]),
    language("python", &["py", "pyw", "pyi", "pyx"], &["text/x-python", "application/x-python", "text/x-script.python", "application/x-python-code", "text/x-python3"]),
    language("ruby", &["rb", "gemspec", "rake", "ru"], &["text/x-ruby", "application/x-ruby", "text/x-script.ruby"]),
    language("perl", &["pl", "pm"], &["text/x-perl", "application/x-perl", "text/x-script.perl"]),
    language("php", &["php", "phtml"], &["text/x-php", "application/x-httpd-php", "application/x-php", "application/x-httpd-php-source"]),
    language("bash", &["sh", "bash", "zsh", "ksh", "bats"], &["application/x-sh", "text/x-sh", "text/x-shellscript", "application/x-shellscript", "text/x-script.sh", "application/x-csh", "application/x-bash"]),
    language("fish", &["fish"], &[]),
    language("powershell", &["ps1", "psm1", "psd1"], &["application/x-powershell"]),
    language("batch", &["bat", "cmd"], &["application/x-bat", "text/x-msdos-batch"]),
    language("c", &["c", "h"], &["text/x-c", "text/x-csrc", "text/x-chdr"]),
    language("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ino", "cu"], &["text/x-c++", "text/x-c++src", "text/x-c++hdr"]),
    language("objectivec", &["m", "mm"], &["text/x-objcsrc"]),
    language("csharp", &["cs"], &["text/x-csharp"]),
    language("fsharp", &["fs", "fsx"], &["text/x-fsharp"]),
    language("java", &["java"], &["text/x-java", "text/x-java-source"]),
    language("kotlin", &["kt", "kts"], &["text/x-kotlin"]),
    language("scala", &["scala", "sc", "sbt"], &["text/x-scala"]),
    language("groovy", &["groovy", "gradle"], &["text/x-groovy"]),
    language("clojure", &["clj", "cljs", "edn"], &["text/x-clojure", "application/edn"]),
    language("rust", &["rs"], &["text/rust", "text/x-rust", "text/x-rustsrc"]),
    language("go", &["go"], &["text/x-go", "text/x-gosrc"]),
    language("swift", &["swift"], &["text/x-swift"]),
    language("dart", &["dart"], &["application/dart", "text/x-dart"]),
    language("zig", &["zig"], &["text/x-zig"]),
    language("nim", &["nim"], &["text/x-nim"]),
    language("lua", &["lua"], &["text/x-lua", "application/x-lua"]),
    language("r", &["r"], &["text/x-r", "text/x-rsrc"]),
    language("julia", &["jl"], &["text/x-julia", "application/julia"]),
    language("haskell", &["hs", "lhs"], &["text/x-haskell"]),
    language("elm", &["elm"], &["text/x-elm"]),
    language("ocaml", &["ml", "mli"], &["text/x-ocaml"]),
    language("erlang", &["erl", "hrl"], &["text/x-erlang"]),
    language("elixir", &["ex", "exs"], &["text/x-elixir"]),
    language("lisp", &["lisp", "el", "cl"], &["text/x-common-lisp", "text/x-elisp"]),
    language("scheme", &["scm", "ss", "rkt"], &["text/x-scheme"]),
    language("pascal", &["pas", "dpr"], &["text/x-pascal"]),
    language("fortran", &["f", "f77", "f90", "f95"], &["text/x-fortran"]),
    language("cobol", &["cob", "cbl"], &["text/x-cobol"]),
    language("ada", &["adb", "ads"], &["text/x-ada"]),
    language("d", &["d"], &["text/x-d", "text/x-dsrc"]),
    language("v", &["v", "sv"], &["text/x-verilog"]),
    language("vhdl", &["vhd", "vhdl"], &["text/x-vhdl"]),
    language("asm", &["asm", "s", "nasm"], &["text/x-asm"]),
    language("matlab", &["matlab"], &["text/x-matlab", "text/x-octave"]),
    language("sql", &["sql"], &["application/sql", "text/x-sql", "application/x-sql"]),
    language("graphql", &["graphql", "gql"], &["application/graphql"]),
    language("sparql", &["rq", "sparql"], &["application/sparql-query"]),
    language("turtle", &["ttl", "n3", "nt", "nq", "trig"], &["text/turtle", "application/n-triples", "text/n3", "application/n-quads", "application/trig"]),
    language("proto", &["proto"], &["text/x-protobuf"]),
    language("hcl", &["tf", "tfvars", "hcl"], &["text/x-terraform"]),
    language("nix", &["nix"], &["text/x-nix"]),
    language("dockerfile", &["dockerfile"], &["text/x-dockerfile"]),
    language("makefile", &["mk", "mak", "makefile"], &["text/x-makefile"]),
    language("cmake", &["cmake"], &["text/x-cmake"]),
    language("awk", &["awk"], &["text/x-awk"]),
    language("vim", &["vim"], &["text/x-vim"]),
    language("latex", &["tex", "sty", "cls", "bib", "ltx"], &["application/x-tex", "text/x-tex", "application/x-latex", "text/x-latex", "text/x-bibtex", "application/x-bibtex"]),
    language("troff", &["roff", "man", "ms", "me"], &["text/troff", "application/x-troff", "application/x-troff-man"]),
    language("diff", &["diff", "patch"], &["text/x-diff", "text/x-patch", "text/diff"]),
    language("ics", &["ics", "ical", "ifb"], &["text/calendar"]),
    language("vcf", &["vcf", "vcard"], &["text/vcard", "text/x-vcard", "text/directory"]),
    language("wasm", &["wat", "wast"], &["text/wasm"]),
    language("po", &["po", "pot"], &["text/x-gettext-translation", "text/x-po"]),
    language(LISTING, &["log", "lock", "gitignore", "dockerignore", "env", "cue", "m3u", "m3u8", "pem", "asc", "sum", "mod"], &["text/x-log", "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/pgp-signature", "application/pem-certificate-chain", "application/x-pem-file"]),
];

/// Names of files that identify a language without an extension.
const NAMES: [(&str, &str); 9] = [
    ("makefile", "makefile"),
    ("gnumakefile", "makefile"),
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("jenkinsfile", "groovy"),
    ("gemfile", "ruby"),
    ("rakefile", "ruby"),
    ("vagrantfile", "ruby"),
    ("cmakelists.txt", "cmake"),
];

/// Name of the language with this media type.
pub(super) fn of_media_type(mime: &str) -> Option<&'static str> {
    if mime.is_empty() {
        return None;
    }
    let known = LANGUAGES.iter().find(|language| language.media_types.contains(&mime));
    known.map(|language| language.name).or_else(|| {
        let is_xml = mime.ends_with("+xml") && !mime.starts_with("image/");
        if mime.ends_with("+json") { Some("json") } else { is_xml.then_some("xml") }
    })
}

/// Name of the language of a file, from the last segment of its URL.
pub(super) fn of_url(url: &str) -> Option<&'static str> {
    let name = file_name(url)?.to_lowercase();
    if let Some((_, language)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(language);
    }
    let (_, extension) = name.rsplit_once('.')?;
    of_extension(extension).map(|language| language.name)
}

/// Most common media type of files with this extension. The extension must be in lower case.
pub(super) fn media_type_of_extension(extension: &str) -> Option<&'static str> {
    of_extension(extension).and_then(|language| language.media_types.first().copied())
}

fn of_extension(extension: &str) -> Option<&'static CodeLanguage> {
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// Last segment of the path of a URL.
pub(crate) fn file_name(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let name = url.path_segments()?.rfind(|segment| !segment.is_empty())?;
    let name: Cow<'_, str> = percent_decode_str(name).decode_utf8_lossy();
    Some(crate::clean::fold(&name)).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_determined_by_media_type_or_file_name() {
        assert_eq!(of_media_type("application/json"), Some("json"));
        assert_eq!(of_media_type("application/geo+json"), Some("json"));
        assert_eq!(of_media_type("application/gpx+xml"), Some("xml"));
        assert_eq!(of_media_type("text/calendar"), Some("ics"));
        assert_eq!(of_media_type("text/plain"), None);
        assert_eq!(of_media_type("image/svg+xml"), None);
        assert_eq!(of_url("https://a.example/x/main.PY?raw=1#L3"), Some("python"));
        assert_eq!(of_url("https://a.example/x/Makefile"), Some("makefile"));
        assert_eq!(of_url("https://a.example/x/CMakeLists.txt"), Some("cmake"));
        assert_eq!(of_url("https://a.example/x/notes.txt"), None);
        assert_eq!(of_url("https://a.example/"), None);
    }

    #[test]
    fn extensions_and_media_types_are_unambiguous() {
        let mut known = std::collections::HashSet::new();
        for language in &LANGUAGES {
            for word in language.extensions.iter().chain(language.media_types) {
                assert!(known.insert(*word), "{word}");
                assert_eq!(*word, word.to_lowercase());
            }
        }
    }
}
