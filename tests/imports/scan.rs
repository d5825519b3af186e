//! Rust source to modules: what each one declares, imports and mentions by path.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::Source;

/// The way to a module from the crate's root, as `["asn1", "value"]`; `main.rs` is `["main"]`.
pub(crate) type ModulePath = Vec<String>;

/// One module: a file, or a `mod name { .. }` inside one.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) file: String,
    /// Inside `#[cfg(test)]`: it must keep the layers, but may close a circle.
    pub(crate) test: bool,
    /// The names that the module itself declares: types, functions, modules.
    pub(crate) items: BTreeSet<String>,
    /// The macros that it writes: when exported, they stand at the crate's root.
    pub(crate) macros: BTreeSet<String>,
    /// `use PATH as NAME`, by NAME.
    pub(crate) aliases: BTreeMap<String, Vec<String>>,
    /// The PATHs of `use PATH::*`.
    pub(crate) globs: Vec<Vec<String>>,
    pub(crate) mentions: Vec<Mention>,
}

/// A path that the source mentions, as it is written.
#[derive(Debug)]
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

/// Where a path stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A `use` with a visibility: the module hands the name on.
    Reexport,
    /// A `use` without one.
    Import,
    /// A path in code.
    Code,
}

/// All modules of `sources` by their path.
pub(crate) fn modules(sources: &[Source]) -> Result<BTreeMap<ModulePath, Module>, Box<dyn Error>> {
    let mut scanner =
        Scanner { modules: BTreeMap::new(), test_files: Vec::new(), file: String::new() };
    for (file, text) in sources {
        let tokens: TokenStream = text.parse().map_err(|error| format!("{file}: {error}"))?;
        scanner.file.clone_from(file);
        scanner.module(module_path(file), tokens, false);
    }
    for (path, module) in &mut scanner.modules {
        module.test |= scanner.test_files.iter().any(|parent| path.starts_with(parent));
    }
    Ok(scanner.modules)
}

/// `asn1/value/mod.rs` and `asn1/value.rs` are both `["asn1", "value"]`.
fn module_path(file: &str) -> ModulePath {
    let name = file.strip_suffix(".rs").unwrap_or(file);
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" { Vec::new() } else { name.split('/').map(str::to_owned).collect() }
}

struct Scanner {
    modules: BTreeMap<ModulePath, Module>,
    /// Modules declared as `#[cfg(test)] mod name;`.
    test_files: Vec<ModulePath>,
    file: String,
}

/// The tokens of one module with the brackets taken out, and inline modules cut away.
#[derive(Default)]
struct Flat {
    tokens: Vec<(String, usize)>,
    inline: Vec<(String, TokenStream, bool)>,
    test_files: Vec<String>,
}

impl Scanner {
    fn module(&mut self, path: ModulePath, tokens: TokenStream, test: bool) {
        let mut flat = Flat::default();
        flat.add(tokens);
        let mut module = Module { file: self.file.clone(), test, ..Module::default() };
        module.read(&flat.tokens);
        for name in flat.test_files {
            self.test_files.push([path.as_slice(), &[name]].concat());
        }
        for (name, body, inner_test) in flat.inline {
            module.items.insert(name.clone());
            let mut inner = path.clone();
            inner.push(name);
            self.module(inner, body, test || inner_test);
        }
        self.modules.insert(path, module);
    }
}

impl Flat {
    /// Appends `stream`. Groups become an opening token, their contents, and a closing token.
    fn add(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut next_is_test = false;
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            if let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..] =
                &trees[at..]
                && word == "mod"
                && body.delimiter() == Delimiter::Brace
            {
                self.inline.push((name.to_string(), body.stream(), next_is_test));
                next_is_test = false;
                at += 3;
                continue;
            }
            match tree {
                TokenTree::Group(group) => self.add_group(group, &mut next_is_test),
                TokenTree::Ident(word) => self.push(word.to_string(), word.span()),
                TokenTree::Punct(mark) => {
                    if mark.as_char() == ';' {
                        if next_is_test
                            && let [.., (word, _), (name, _)] = &*self.tokens
                            && word == "mod"
                        {
                            self.test_files.push(name.clone());
                        }
                        next_is_test = false;
                    }
                    self.push(mark.to_string(), mark.span());
                }
                TokenTree::Literal(literal) => self.push("0".to_owned(), literal.span()),
            }
            at += 1;
        }
    }

    fn add_group(&mut self, group: &proc_macro2::Group, next_is_test: &mut bool) {
        let after = self.tokens.last().map(|(token, _)| token.as_str());
        match group.delimiter() {
            // An attribute: only whether it makes the next item a test counts.
            Delimiter::Bracket if matches!(after, Some("#" | "!")) => {
                let inside: String = group.stream().to_string().split_whitespace().collect();
                *next_is_test |= after == Some("#")
                    && (inside == "cfg(test)" || inside.starts_with("cfg(all(test,"));
                return;
            }
            // A visibility, `pub(in crate::asn1)`: no use of what it names.
            Delimiter::Parenthesis if after == Some("pub") => {
                if let Some(TokenTree::Ident(first)) = group.stream().into_iter().next()
                    && ["crate", "in", "self", "super"].iter().any(|word| first == word)
                {
                    return;
                }
            }
            Delimiter::Brace => *next_is_test = false,
            _ => {}
        }
        let (open, close) = match group.delimiter() {
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            _ => ("(", ")"),
        };
        self.push(open.to_owned(), group.span_open());
        self.add(group.stream());
        self.push(close.to_owned(), group.span_close());
    }

    fn push(&mut self, token: String, span: proc_macro2::Span) {
        let token = token.strip_prefix("r#").map(str::to_owned).unwrap_or(token);
        self.tokens.push((token, span.start().line));
    }
}

/// Words after which the name of a declared item stands.
const DECLARERS: [&str; 9] =
    ["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];

impl Module {
    fn read(&mut self, tokens: &[(String, usize)]) {
        let word = |at: usize| tokens.get(at).map_or("", |(token, _)| token.as_str());
        let mut at = 0;
        while at < tokens.len() {
            if word(at) == "use" && word(at + 1) != "<" {
                at = self.read_use(tokens, at);
                continue;
            }
            if word(at) == "extern" && word(at + 1) == "crate" {
                let path = vec![String::new(), word(at + 2).to_owned()];
                self.mentions.push(Mention { path, line: tokens[at].1, kind: Kind::Import });
                at += 3;
                continue;
            }
            let lifetime = at > 0 && word(at - 1) == "'";
            if DECLARERS.contains(&word(at)) && is_name(word(at + 1)) && !lifetime {
                self.items.insert(word(at + 1).to_owned());
            }
            if word(at) == "macro_rules" && word(at + 1) == "!" {
                self.macros.insert(word(at + 2).to_owned());
            }
            at = self.read_path(tokens, at);
        }
    }

    /// Reads the path that starts at `at`, if one does, and returns where to go on.
    fn read_path(&mut self, tokens: &[(String, usize)], at: usize) -> usize {
        let word = |at: usize| tokens.get(at).map_or("", |(token, _)| token.as_str());
        let colons = |at: usize| word(at) == ":" && word(at + 1) == ":";
        let absolute = colons(at) && is_name(word(at + 2)) && !follows_name(tokens, at);
        let mut end = if absolute { at + 2 } else { at };
        if !is_name(word(end)) || (at > 0 && word(at - 1) == ".") {
            return at + 1;
        }
        let mut path = if absolute { vec![String::new()] } else { Vec::new() };
        path.push(word(end).to_owned());
        end += 1;
        while colons(end) && is_name(word(end + 2)) {
            path.push(word(end + 2).to_owned());
            end += 3;
        }
        if path.len() > 1 {
            self.mentions.push(Mention { path, line: tokens[at].1, kind: Kind::Code });
        }
        end
    }

    /// Reads the `use` at `at` to its semicolon.
    fn read_use(&mut self, tokens: &[(String, usize)], at: usize) -> usize {
        let end = tokens[at..]
            .iter()
            .position(|(token, _)| token == ";")
            .map_or(tokens.len(), |length| at + length);
        let public = at > 0 && tokens[at - 1].0 == "pub";
        let kind = if public { Kind::Reexport } else { Kind::Import };
        let mut prefixes: Vec<Vec<String>> = Vec::new();
        let mut path: Vec<String> = Vec::new();
        let mut alias = None;
        let mut at = at + 1;
        while at <= end {
            let (token, line) = tokens.get(at).map_or((";", 0), |(token, line)| (token, *line));
            match token {
                ":" if path.is_empty() && prefixes.is_empty() => path.push(String::new()),
                ":" => {}
                "{" => prefixes.push(path.clone()),
                "," | "}" | ";" => {
                    let base = prefixes.last().map_or(0, Vec::len);
                    if path.len() > base {
                        self.add_use(std::mem::take(&mut path), alias.take(), line, kind);
                    }
                    if token == "}" {
                        prefixes.pop();
                    }
                    // What stood before is used up: another `,` adds nothing.
                    path = prefixes.last().cloned().unwrap_or_default();
                }
                "as" => {
                    alias = tokens.get(at + 1).map(|(name, _)| name.clone());
                    at += 1;
                }
                name => path.push(name.to_owned()),
            }
            at += 1;
        }
        at
    }

    fn add_use(&mut self, mut path: Vec<String>, alias: Option<String>, line: usize, kind: Kind) {
        let last = path.last().cloned().unwrap_or_default();
        if last == "*" || (last == "self" && path.len() > 1) {
            path.pop();
        }
        if last == "*" {
            self.globs.push(path.clone());
        } else {
            let name = alias.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
            self.aliases.insert(name, path.clone());
        }
        self.mentions.push(Mention { path, line, kind });
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether the `::` at `at` continues a path, as after a name or a generic argument list.
fn follows_name(tokens: &[(String, usize)], at: usize) -> bool {
    at > 0 && (is_name(&tokens[at - 1].0) || tokens[at - 1].0 == ">")
}
