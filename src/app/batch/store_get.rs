//! `store get`: the octets of a stored object.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};

use anyhow::Context as _;

use crate::app::exit::{Exit, Stop};
use crate::app::input;
use crate::app::store::{Form, StoreGet, Which};
use crate::asn1::export;
use crate::pki::object;
use crate::store::{Error, Object, Reader};

/// So many of the objects that a digest may mean are named.
const NAMED: usize = 5;

/// Writes a stored object to its file, or to `out`.
///
/// # Errors
/// There is no such object, it cannot be written, or the database cannot be read.
pub fn store_get(reader: &Reader, wanted: &StoreGet, out: &mut dyn Write) -> anyhow::Result<Exit> {
    if wanted.form == Form::Der && wanted.out.is_none() && io::stdout().is_terminal() {
        let text = "DER is nothing for a terminal; take --form pem, --out PATH or a pipe";
        return Err(Stop { exit: Exit::Usage, message: text.to_owned() }.into());
    }
    let object =
        find(reader, &wanted.which)?.map_err(|message| Stop { exit: Exit::Input, message })?;
    match &wanted.out {
        None => write(&object.der, wanted.form, out)?,
        Some(path) => File::create(path)
            .and_then(|file| write(&object.der, wanted.form, &mut BufWriter::new(file)))
            .with_context(|| input::display(path))?,
    }
    Ok(Exit::Fine)
}

fn write(der: &[u8], form: Form, out: &mut dyn Write) -> io::Result<()> {
    match form {
        Form::Der => {
            out.write_all(der)?;
            out.flush()
        }
        Form::Pem => {
            let label = object::Form::of(der, None).label();
            export::to_io(out, |text| export::pem(text, label, der))
        }
    }
}

/// The object that the user names, or why there is none.
fn find(reader: &Reader, which: &Which) -> Result<Result<Object, String>, Error> {
    let (id, digest) = match which {
        Which::Id(id) => (Some(*id), None),
        Which::Digest(digest) => (None, Some(digest)),
        Which::Either(id, digest) => (Some(*id), Some(digest)),
    };
    if let Some(id) = id
        && let Some(object) = reader.object(id)?
    {
        return Ok(Ok(object));
    }
    let none = match (id, digest) {
        (Some(id), None) => format!("no stored object has the number {id}"),
        (None, Some(digest)) => format!("no stored object has a digest that begins with {digest}"),
        _ => format!(
            "no stored object has this number, or a digest that begins so: {}",
            id.unwrap_or_default()
        ),
    };
    let Some(digest) = digest else { return Ok(Err(none)) };
    let rows = reader.objects_by_sha256(digest, NAMED + 1, None)?;
    let Some(first) = rows.first() else { return Ok(Err(none)) };
    // The same octets may be stored more than once.
    if rows.iter().any(|row| row.sha256 != first.sha256) {
        let ids: Vec<String> = rows.iter().take(NAMED).map(|row| row.id.to_string()).collect();
        let more = if rows.len() > NAMED { " and more" } else { "" };
        let ids = ids.join(", ");
        return Ok(Err(format!("digests that begin with {digest} have the objects {ids}{more}")));
    }
    // A run that was deleted meanwhile took it along.
    Ok(reader.object(first.id)?.ok_or(none))
}
