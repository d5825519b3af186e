//! Who may use whom: the layers, and the libraries that have one home.

use crate::names::{Edge, Target};

/// The folders of `src`, and for each the other folders that it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("asn1", &[]),
    ("metrics", &[]),
    ("store", &[]),
    ("pki", &["asn1", "metrics", "store"]),
    ("mtc", &["asn1", "metrics", "store", "pki"]),
    ("views", &["asn1", "metrics", "store", "pki", "mtc"]),
    ("app", &["asn1", "metrics", "store", "pki", "mtc", "views"]),
    ("main", &["app"]),
];

/// Libraries, and the folders that alone may name them.
const HOMES: &[(&[&str], &[&str])] = &[
    (&["ratatui", "crossterm", "tui_input"], &["views", "app"]),
    (&["clap", "clap_complete", "clap_mangen", "indicatif"], &["app"]),
    (&["anyhow"], &["app", "main"]),
    (&["rusqlite"], &["store"]),
    (
        &[
            "openssl",
            "openssl_sys",
            "foreign_types",
            "native_ossl",
            "native_ossl_sys",
            "aws_lc_rs",
            "aws_lc_sys",
        ],
        &["pki/crypto"],
    ),
];

/// A line for each edge that goes against the layers or names a library away from its home.
pub(crate) fn breaches(edges: &[Edge]) -> Vec<String> {
    edges.iter().filter_map(breach).collect()
}

fn breach(edge: &Edge) -> Option<String> {
    let Edge { file, line, written, .. } = edge;
    let from = edge.from.first()?;
    match &edge.to {
        Target::Module(to) => {
            let to = to.first()?;
            let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| layer == from) else {
                return Some(format!("src/{file}: the import rule has no layer named {from}"));
            };
            (from != to && !allowed.contains(&to.as_str()))
                .then(|| format!("src/{file}:{line}: {from} may not use {to} ({written})"))
        }
        Target::Library(library) => {
            let (_, homes) =
                HOMES.iter().find(|(libraries, _)| libraries.contains(&library.as_str()))?;
            let folder = edge.from.join("/");
            let at_home = homes.iter().any(|home| {
                folder
                    .strip_prefix(home)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            (!at_home).then(|| {
                let homes = homes.join(" and ");
                format!("src/{file}:{line}: only {homes} may name {library} ({written})")
            })
        }
    }
}
