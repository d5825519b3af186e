//! From paths as written to the module or library that they lead to.

use std::collections::BTreeMap;

use crate::scan::{Kind, Module, ModulePath};

/// One module's dependence on another or on a library.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) from: ModulePath,
    pub(crate) to: Target,
    /// The path as it was written.
    pub(crate) written: String,
    pub(crate) test: bool,
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// The module that declares the thing, after all re-exports.
    Module(ModulePath),
    /// Another crate.
    Library(String),
}

/// A chain of re-exports longer than this is taken to be a loop.
const LONGEST_CHAIN: usize = 32;

type Modules = BTreeMap<ModulePath, Module>;

/// Every dependence between two different files, and every library that is named.
pub(crate) fn resolve(modules: &Modules) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (from, module) in modules {
        for mention in &module.mentions {
            let Some(to) = target(modules, from, &mention.path, mention.kind) else { continue };
            if let Target::Module(to) = &to {
                let other = &modules[to];
                let own_child = mention.kind == Kind::Reexport && to.starts_with(from);
                // `use super::super::asn1;` names a folder that this file stands in. What is
                // taken out of it shows where it is used.
                let own_folder = mention.kind == Kind::Import
                    && from.starts_with(to)
                    && names_module(modules, from, &mention.path);
                if other.file == module.file || own_child || own_folder {
                    continue;
                }
            }
            edges.push(Edge {
                file: module.file.clone(),
                line: mention.line,
                from: file_module(modules, from),
                to: match to {
                    Target::Module(to) => Target::Module(file_module(modules, &to)),
                    library @ Target::Library(_) => library,
                },
                written: mention.path.join("::"),
                test: module.test,
            });
        }
    }
    edges
}

/// The module of the file that the (perhaps inline) module `path` stands in.
fn file_module(modules: &Modules, path: &[String]) -> ModulePath {
    let mut path = path.to_vec();
    while let Some((_, parent)) = path.split_last()
        && modules.get(parent).is_some_and(|module| module.file == modules[&path].file)
    {
        path = parent.to_vec();
    }
    path
}

/// What `written` means inside the module `from`; nothing when it is a local name.
fn target(modules: &Modules, from: &[String], written: &[String], kind: Kind) -> Option<Target> {
    let absolute = absolute(modules, from, written, kind, 0)?;
    match absolute {
        Way::Library(name) => Some(Target::Library(name)),
        Way::Crate(path) => Some(declaring(modules, &path, 0)),
    }
}

/// Whether `written` is the name of a module and nothing in it.
fn names_module(modules: &Modules, from: &[String], written: &[String]) -> bool {
    matches!(absolute(modules, from, written, Kind::Import, 0),
        Some(Way::Crate(path)) if modules.contains_key(&path))
}

enum Way {
    Crate(Vec<String>),
    Library(String),
}

/// `written` from the crate's root on, re-exports not followed yet.
fn absolute(
    modules: &Modules,
    from: &[String],
    written: &[String],
    kind: Kind,
    chain: usize,
) -> Option<Way> {
    let (first, rest) = written.split_first()?;
    let below = |base: &[String], rest: &[String]| Some(Way::Crate([base, rest].concat()));
    match first.as_str() {
        "" => rest.first().map(|library| library_way(library, rest)),
        "crate" => below(&[], rest),
        "self" => below(from, rest),
        "super" => {
            let mut base = from.split_last()?.1;
            let mut rest = rest;
            while let Some((next, after)) = rest.split_first()
                && next == "super"
            {
                base = base.split_last()?.1;
                rest = after;
            }
            below(base, rest)
        }
        name => {
            let child = [from, &[name.to_owned()]].concat();
            if modules.contains_key(&child) {
                return below(from, written);
            }
            // A path in code whose first name was imported: only modules lead further. A type's
            // own functions are where the `use` said.
            if kind == Kind::Code
                && let Some(alias) = alias_of(modules, from, name)
            {
                // `use openssl;` makes the name an alias of itself.
                if alias.first() == Some(first) {
                    return Some(library_way(name, written));
                }
                if chain > LONGEST_CHAIN {
                    return None;
                }
                return match absolute(modules, from, &alias, kind, chain + 1)? {
                    Way::Crate(path) if modules.contains_key(&path) => below(&path, rest),
                    Way::Crate(_) => None,
                    library @ Way::Library(_) => Some(library),
                };
            }
            Some(library_way(name, written))
        }
    }
}

/// The way that starts with the name of a crate. `pkiscope` is this one's library.
fn library_way(name: &str, path: &[String]) -> Way {
    if name == "pkiscope" {
        Way::Crate(path.iter().skip(1).cloned().collect())
    } else {
        Way::Library(name.to_owned())
    }
}

/// What `name` was imported as in `from`, directly or by `use super::*`.
fn alias_of(modules: &Modules, from: &[String], name: &str) -> Option<Vec<String>> {
    let module = modules.get(from)?;
    if let Some(path) = module.aliases.get(name) {
        return Some(path.clone());
    }
    let parent = from.split_last()?.1;
    let glob = module.globs.iter().any(|glob| glob.len() == 1 && glob[0] == "super");
    let path = glob.then(|| modules.get(parent)?.aliases.get(name))??;
    // It was written in the parent: say it from here.
    let outward = matches!(path.first()?.as_str(), "self" | "super");
    Some(if outward { [&["super".to_owned()], path.as_slice()].concat() } else { path.clone() })
}

/// The module that declares what the absolute `path` names, after its re-exports.
fn declaring(modules: &Modules, path: &[String], chain: usize) -> Target {
    let mut at = Vec::new();
    for (index, name) in path.iter().enumerate() {
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        if modules.contains_key(&child) {
            at = child;
            continue;
        }
        if chain > LONGEST_CHAIN {
            break;
        }
        let module = &modules[&at];
        let rest = &path[index + 1..];
        if let Some(alias) = module.aliases.get(name) {
            return match absolute(modules, &at, alias, Kind::Import, 0) {
                Some(Way::Crate(base)) => {
                    declaring(modules, &[base.as_slice(), rest].concat(), chain + 1)
                }
                Some(Way::Library(name)) => Target::Library(name),
                None => Target::Module(at),
            };
        }
        if !module.items.contains(name)
            && let Some(found) = through_globs(modules, &at, name, chain)
        {
            return Target::Module(found);
        }
        if at.is_empty()
            && let Some((home, _)) = modules.iter().find(|(_, module)| module.macros.contains(name))
        {
            return Target::Module(home.clone());
        }
        break;
    }
    Target::Module(at)
}

/// The module that declares `name`, among those that the module `at` re-exports as a whole.
fn through_globs(modules: &Modules, at: &[String], name: &str, chain: usize) -> Option<ModulePath> {
    for glob in &modules[at].globs {
        let Some(Way::Crate(base)) = absolute(modules, at, glob, Kind::Import, 0) else { continue };
        let declares =
            |module: &Module| module.items.contains(name) || module.aliases.contains_key(name);
        if base != at && modules.get(&base).is_some_and(declares) {
            let path = [base.as_slice(), &[name.to_owned()]].concat();
            if let Target::Module(found) = declaring(modules, &path, chain + 1) {
                return Some(found);
            }
        }
    }
    None
}
