//! `tree`: one element a node of the objects in a source.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use super::Options;
use super::progress::Progress;
use super::sink::{Element, Sink};
use crate::app::exit::Exit;
use crate::app::input::{Failure, Source};
use crate::asn1::schema::{Place, Places};
use crate::asn1::show;
use crate::asn1::sniff::{self, Found};
use crate::asn1::text::visible;
use crate::asn1::walk::{Kind, Node, TOO_DEEP, Walker};
use crate::asn1::{Class, Error};
use crate::pki::object::Form;
use crate::pki::record::FindingRecord;

/// The longest value of a node that holds no others, in characters.
const VALUE: usize = 1024;
/// The longest summary of a node that holds others.
const SUMMARY: usize = 80;
/// Larger nodes have no summary: a nest of them would be looked through at every level.
const SUMMARISED: u32 = 4096;
/// Longer paths are left out: a hostile depth would make each line longer than the last.
const PATH: usize = 255;
/// How many nodes are written between two looks at the clock.
const PROGRESS_EVERY: u64 = 0xfff;

/// Lists the nodes of every object of `source` on `out`.
///
/// # Errors
/// When `out` cannot be written. What cannot be read is an element with its reason.
pub fn tree(
    source: Result<Source, Failure>,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let mut lister = Lister {
        sink: Sink::begin::<NodeRecord<'_>>(out, options.format)?,
        progress: options.progress(),
        exit: Exit::Fine,
    };
    match source {
        Ok(source) => lister.source(&source)?,
        Err(failure) => {
            let error = super::unreadable(&failure);
            lister.write(&NodeRecord { error: Some(error), ..NodeRecord::default() })?;
        }
    }
    let exit = lister.exit;
    lister.sink.end()?;
    Ok(exit)
}

/// What is said of a node, or of a place where there is none.
#[derive(Debug, Default, Serialize)]
struct NodeRecord<'a> {
    /// The number of the object in the source, from 0.
    object: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    node: Option<Described<'a>>,
    /// Why reading stops here.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<FindingRecord>,
}

#[derive(Debug, Serialize)]
struct Described<'a> {
    /// Octets from the first octet of the object.
    offset: u32,
    /// Octets of identifier and length.
    header_length: u32,
    /// Octets of the contents, without end-of-contents octets.
    length: u32,
    #[serde(skip_serializing_if = "is_false")]
    indefinite: bool,
    depth: u8,
    class: &'static str,
    tag: u64,
    constructed: bool,
    /// The tag in words, as `SEQUENCE` or `[0]`.
    r#type: Cow<'static, str>,
    /// The name of the field; null where the schema knows none.
    field: Option<Cow<'static, str>>,
    /// The type by the schema, null when nothing is known.
    schema: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    /// The value in a line, ended by `…` where it is cut.
    value: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Element for NodeRecord<'_> {
    const LIST: &'static str = "nodes";
    const SCHEMA: &'static str = "pkiscope.tree/1";
    const COLUMNS: &'static [&'static str] = &[
        "object",
        "offset",
        "header_length",
        "length",
        "depth",
        "class",
        "tag",
        "constructed",
        "type",
        "field",
        "path",
        "value",
        "error",
    ];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        let mut cells: Vec<Cow<'_, str>> = vec![self.object.to_string().into()];
        match &self.node {
            None => cells.extend(std::iter::repeat_n(Cow::Borrowed(""), Self::COLUMNS.len() - 2)),
            Some(node) => cells.extend([
                node.offset.to_string().into(),
                node.header_length.to_string().into(),
                node.length.to_string().into(),
                node.depth.to_string().into(),
                node.class.into(),
                node.tag.to_string().into(),
                if node.constructed { "true" } else { "false" }.into(),
                Cow::Borrowed(&*node.r#type),
                Cow::Borrowed(node.field.as_deref().unwrap_or_default()),
                node.path.unwrap_or_default().into(),
                Cow::Borrowed(node.value.as_deref().unwrap_or_default()),
            ]),
        }
        cells.push(self.error.as_ref().map_or(Cow::Borrowed(""), |e| e.message.as_str().into()));
        cells
    }

    fn text(&self, out: &mut dyn Write, first: bool) -> io::Result<()> {
        if let Some(node) = &self.node {
            if node.depth == 0 && !first {
                writeln!(out)?;
            }
            let (at, header, depth) = (node.offset, node.header_length, usize::from(node.depth));
            let length = if node.indefinite { "inf".to_owned() } else { node.length.to_string() };
            write!(out, "{at:7} {header:2}+{length:<6} {:1$}", "", 2 * depth)?;
            if let Some(field) = &node.field {
                write!(out, "{field} ")?;
            }
            write!(out, "{}", node.r#type)?;
            if let Some(value) = &node.value {
                write!(out, " {value}")?;
            }
            writeln!(out)?;
        }
        if let Some(error) = &self.error {
            let message = visible(&error.message);
            writeln!(out, "        ! at offset {}: {message}", error.offset)?;
        }
        Ok(())
    }
}

struct Lister<'w> {
    sink: Sink<'w>,
    progress: Progress,
    exit: Exit,
}

impl Lister<'_> {
    fn write(&mut self, record: &NodeRecord<'_>) -> io::Result<()> {
        if record.error.as_ref().is_some_and(|error| error.rule != TOO_DEEP.id) {
            self.exit = self.exit.max(Exit::Input);
        }
        self.sink.element(record)
    }

    fn source(&mut self, source: &Source) -> io::Result<()> {
        let total = source.bytes.len() as u64;
        let found = sniff::objects(&source.bytes).filter(|found| !found.is_text());
        for (object, found) in (0..).zip(found) {
            self.object(source, object, &found, total)?;
        }
        Ok(())
    }

    fn object(
        &mut self,
        source: &Source,
        object: u64,
        found: &Found<'_>,
        total: u64,
    ) -> io::Result<()> {
        let octets = &*found.der;
        let form = Form::of(octets, found.label.as_deref());
        let mut walk = Walk::new(octets, form);
        let mut nodes = 0_u64;
        while let Some((node, place)) = walk.next() {
            if nodes & PROGRESS_EVERY == PROGRESS_EVERY {
                let done = found.offset + u64::from(node.start).min(found.length);
                self.progress.at(&source.name, done, total);
            }
            nodes += 1;
            let error = node.error.map(|error| walk.error(&error));
            let node = (node.kind != Kind::Garbage).then(|| walk.describe(&node, &place));
            self.write(&NodeRecord { object, node, error })?;
        }
        match &found.error {
            // The walk over the octets of a binary source tells it where it happens.
            Some(fault) if nodes == 0 || !matches!(found.der, Cow::Borrowed(_)) => {
                let error = Some(FindingRecord::from(fault));
                self.write(&NodeRecord { object, node: None, error })
            }
            _ => Ok(()),
        }
    }
}

/// The nodes with what the schema says of them, and the path of the present one.
struct Walk<'a> {
    octets: &'a [u8],
    walker: Walker<'a>,
    places: Places,
    path: String,
    /// Length of the path of each open node.
    lengths: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn new(octets: &'a [u8], form: Form) -> Self {
        Self {
            octets,
            walker: Walker::new(octets, true),
            places: Places::new(form.schema()),
            path: String::new(),
            lengths: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<(Node, Place)> {
        let node = self.walker.next()?;
        let place = self.places.next(&node, self.octets);
        let depth = usize::from(node.depth);
        self.lengths.truncate(depth);
        self.path.truncate(self.lengths.last().copied().unwrap_or(0));
        // Writing to a String does not fail.
        let _ = write!(self.path, "{}", place.segment());
        self.lengths.push(self.path.len());
        if !node.has_children()
            && node.error.is_none()
            && let Some(first) = place.held(&node, self.octets)
        {
            self.places.open(&place, &node);
            self.walker.open_last(&node, first);
        }
        Some((node, place))
    }

    fn path(&self) -> Option<&str> {
        let path = self.path.trim_start_matches('.');
        (path.len() <= PATH).then_some(path)
    }

    fn error(&self, error: &Error) -> FindingRecord {
        let path = self.path().unwrap_or_default().to_owned();
        FindingRecord::new(&(*error).into(), path)
    }

    fn describe(&self, node: &Node, place: &Place) -> Described<'_> {
        let value = match node.kind {
            Kind::Primitive => show::value(self.octets, node, place, VALUE).text,
            Kind::Constructed if node.contents().len() <= SUMMARISED => {
                show::value(self.octets, node, place, SUMMARY).text
            }
            // Its one value follows on the next line.
            _ => String::new(),
        };
        let label = place.label();
        let known = !place.mismatch && place.role != crate::asn1::schema::Role::Unknown;
        let is_any = place.ty.name == "ANY";
        Described {
            offset: node.start,
            header_length: node.header_len(),
            length: node.contents().len(),
            indefinite: node.indefinite,
            depth: node.depth,
            class: class(node.tag.class),
            tag: node.tag.number,
            constructed: node.tag.constructed,
            r#type: match node.tag.type_name() {
                Some(name) => name.into(),
                None => node.tag.to_string().into(),
            },
            field: (!label.is_empty()).then_some(label),
            schema: (known && !is_any).then(|| place.describe().into()),
            path: self.path(),
            value: (!value.is_empty()).then_some(value),
        }
    }
}

const fn class(class: Class) -> &'static str {
    match class {
        Class::Universal => "universal",
        Class::Application => "application",
        Class::Context => "context",
        Class::Private => "private",
    }
}
