//! No two files of a crate, and no two top-level modules of a crate, import each other, directly or
//! indirectly, so that a crate can be read file by file. Imports are read from the source text: `use` trees,
//! and paths through imported modules.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy;

type Segments = Vec<String>;

/// Files of one crate by module path, with their text.
struct Crate {
    modules: BTreeMap<Segments, (String, String)>,
}

#[test]
fn files_have_no_import_cycles() {
    assert_no_cycles("files", file_cycles);
}

#[test]
fn top_level_modules_have_no_import_cycles() {
    assert_no_cycles("top-level modules", module_cycles);
}

fn assert_no_cycles(what: &str, cycles_of: impl Fn(&Crate) -> Vec<Vec<String>>) {
    let mut cycles = Vec::new();
    let sources: BTreeSet<String> = tidy::sources()
        .filter_map(|(name, _)| Some(name[..name.find("src/")?].to_owned() + "src"))
        .filter(|root| !root.contains("tests/"))
        .collect();
    assert!(sources.len() > 20, "too few crates are listed: {sources:?}");
    for root in &sources {
        cycles.extend(
            cycles_of(&Crate::read(root)).iter().map(|group| format!("{root}: {}", group.join(" <-> "))),
        );
    }
    assert!(cycles.is_empty(), "{what} that import each other:\n{}", cycles.join("\n"));
}

#[test]
fn cycle_between_modules_through_different_files_is_detected() {
    let source = Crate::of(&[
        ("", "mod a;\nmod b;"),
        ("a", "mod one;\nmod two;"),
        ("a::one", "use crate::b::three;\nfn f() { three::call(); }"),
        ("a::two", "pub fn call() {}"),
        ("b", "mod three;\nmod four;"),
        ("b::three", "pub fn call() {}"),
        ("b::four", "pub use crate::a::two::call;"),
    ]);
    assert!(file_cycles(&source).is_empty(), "the fixture has no cycle of files");
    assert_eq!(module_cycles(&source), [["a".to_owned(), "b".to_owned()]]);
}

#[test]
fn cycle_through_a_reexport_is_detected() {
    let source = Crate::of(&[
        ("", "mod a;\nmod b;"),
        ("a", "mod deep;\npub use deep::Thing;"),
        ("a::deep", "use crate::b;\nfn f() { b::call(); }"),
        ("b", "use super::a::{Thing};\npub fn call() {}"),
    ]);
    assert_eq!(file_cycles(&source), [["a::deep".to_owned(), "b".to_owned()]]);
}

impl Crate {
    /// Builds a crate from modules: path and text of each. The name of a file is the path of its module.
    fn of(modules: &[(&str, &str)]) -> Self {
        let modules =
            modules.iter().map(|(path, text)| (words(path), ((*path).to_owned(), (*text).to_owned())));
        Self { modules: modules.collect() }
    }

    fn read(folder: &str) -> Self {
        let mut modules = BTreeMap::new();
        for (name, text) in tidy::sources().filter(|(name, _)| name.starts_with(&format!("{folder}/"))) {
            let inner = name[folder.len() + 1..].trim_end_matches(".rs").to_owned();
            let mut path: Segments = inner.split('/').map(str::to_owned).collect();
            if path.iter().any(|part| part == "tests") {
                continue;
            }
            let is_face = ["mod", "lib", "main"].contains(&path.last().map_or("", String::as_str));
            if is_face {
                path.pop();
            }
            if inner != "main" {
                modules.insert(path, (name, without_tests(&text)));
            }
        }
        Self { modules }
    }

    /// Returns the module in whose file `path` is defined, following re-exports of child modules.
    fn file_of(&self, path: &[String], hops: usize) -> Option<Segments> {
        let depth = (0..=path.len()).rev().find(|depth| self.modules.contains_key(&path[..*depth]))?;
        let (module, rest) = path.split_at(depth);
        let (Some(name), true) = (rest.first(), hops > 0) else { return Some(module.to_vec()) };
        let (_, text) = &self.modules[module];
        for tree in use_trees(text).filter(|tree| tree.is_public) {
            for one in expand(&tree.text) {
                let is_match = one.last() == Some(name) || one.last().is_some_and(|last| last == "*");
                if let Some(mut target) = self.absolute(module, &one).filter(|_| is_match) {
                    if target.last().is_some_and(|last| last == "*") {
                        continue;
                    }
                    target.extend(rest[1..].iter().cloned());
                    return self.file_of(&target, hops - 1);
                }
            }
        }
        Some(module.to_vec())
    }

    /// Converts `path`, as written in `module`, to an absolute path in the crate. `None` for a path in
    /// another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Segments> {
        let mut base = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            child => {
                let own: Segments = module.iter().cloned().chain([child.to_owned()]).collect();
                if !self.modules.contains_key(&own) {
                    return None;
                }
            }
        }
        base.extend(rest.iter().filter(|part| *part != "self").cloned());
        Some(base)
    }

    /// Returns the modules whose files the file of `module` imports. `reexports` determines whether imports
    /// by `pub use` count.
    fn imports(&self, module: &[String], reexports: bool) -> BTreeSet<Segments> {
        let (_, text) = &self.modules[module];
        let mut paths: Vec<Segments> = Vec::new();
        let mut bound: BTreeMap<String, Segments> = BTreeMap::new();
        for child in
            self.modules.keys().filter(|path| path.len() == module.len() + 1 && path.starts_with(module))
        {
            bound.insert(child[module.len()].clone(), child.clone());
        }
        let mut body = text.clone();
        for tree in use_trees(text) {
            body = body.replace(&tree.text, "");
            for one in expand(&tree.text).into_iter().filter(|_| reexports || !tree.is_public) {
                let Some(path) = self.absolute(module, &one) else { continue };
                if self.modules.contains_key(&path) && path != module {
                    bound.insert(path.last().cloned().unwrap_or_default(), path);
                } else {
                    paths.push(path);
                }
            }
        }
        for written in paths_in(&body) {
            match bound.get(&written[0]) {
                Some(base) => paths.push(base.iter().chain(&written[1..]).cloned().collect()),
                None if ["crate", "super", "self"].contains(&written[0].as_str()) => {
                    paths.extend(self.absolute(module, &written));
                }
                None => {}
            }
        }
        let files = paths.iter().filter_map(|path| self.file_of(path, 5));
        files.filter(|file| file != module && !file.is_empty()).collect()
    }
}

struct UseTree {
    text: String,
    is_public: bool,
}

/// Every `use …;` of a text.
fn use_trees(text: &str) -> impl Iterator<Item = UseTree> {
    let starts = text.match_indices("use ").filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || (line.starts_with("pub") && !line.contains(' ')) || line.starts_with("pub(in")
    });
    starts.filter_map(|(at, word)| {
        let tree = text[at + word.len()..].split(';').next()?.to_owned();
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        Some(UseTree { text: tree, is_public: line.trim_start().starts_with("pub") })
    })
}

/// Returns the paths of a `use` tree with braces. A renamed path is returned under its original name.
fn expand(tree: &str) -> Vec<Segments> {
    let tree = tree.trim();
    if let Some((head, tail)) = tree.split_once('{') {
        let head: Segments = words(head);
        let inner = tail.rsplit_once('}').map_or(tail, |(inner, _)| inner);
        let mut paths = Vec::new();
        for part in split_top(inner) {
            paths.extend(expand(part).into_iter().map(|rest| head.iter().cloned().chain(rest).collect()));
        }
        return paths;
    }
    let plain = tree.split(" as ").next().unwrap_or_default();
    if plain.trim().is_empty() { Vec::new() } else { vec![words(plain)] }
}

fn words(path: &str) -> Segments {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Splits a text at the commas outside braces.
fn split_top(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Paths of two or more segments in the bodies of functions and types.
fn paths_in(text: &str) -> Vec<Segments> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let plain = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains("pub(in "));
    plain
        .flat_map(|line| line.split(|letter| !is_word(letter)))
        .filter(|word| word.contains("::"))
        .map(words)
        .filter(|path| path.len() > 1)
        .collect()
}

fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn file_cycles(source: &Crate) -> Vec<Vec<String>> {
    let arrows = source.modules.keys().map(|module| (module.clone(), source.imports(module, false)));
    let file = |module: &Segments| source.modules[module].0.clone();
    cycles(&arrows.collect()).iter().map(|group| group.iter().map(file).collect()).collect()
}

fn module_cycles(source: &Crate) -> Vec<Vec<String>> {
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for module in source.modules.keys() {
        let Some(top) = module.first() else { continue };
        let imported = source.imports(module, true).into_iter().map(|target| target[0].clone());
        arrows.entry(top.clone()).or_default().extend(imported.filter(|target| target != top));
    }
    cycles(&arrows)
}

/// Returns the groups of nodes that can reach each other.
fn cycles<Node: Ord + Clone>(arrows: &BTreeMap<Node, BTreeSet<Node>>) -> Vec<Vec<Node>> {
    let reach = |from: &Node| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(next) = open.pop() {
            for target in arrows.get(&next).into_iter().flatten() {
                if seen.insert(target.clone()) {
                    open.push(target.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Node, BTreeSet<Node>> = arrows.keys().map(|node| (node, reach(node))).collect();
    let mut groups = BTreeSet::new();
    for node in arrows.keys().filter(|node| reached[node].contains(node)) {
        let both =
            reached[node].iter().filter(|other| reached.get(other).is_some_and(|set| set.contains(node)));
        groups.insert(both.cloned().collect::<Vec<Node>>());
    }
    groups.into_iter().collect()
}
