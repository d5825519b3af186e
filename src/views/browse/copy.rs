//! Copies the chosen node in one of several forms, and saves its octets.

use super::meaning;
use super::{Browse, Document, View};
use crate::asn1::outline::Row;
use crate::asn1::tag::universal;
use crate::asn1::text::visible;
use crate::asn1::value::Oid;
use crate::asn1::{export, show};
use crate::views::action::Action;
use crate::views::event::{COPY_LIMIT, Consumed, Cx};
use crate::views::prompt::{Prompt, PromptKind};

impl Browse {
    /// The actions that copy.
    pub(super) fn copy(&self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let Some((document, view)) = self.view() else { return Consumed::No };
        let Some(row) = view.chosen(document) else { return Consumed::No };
        match form(action, document, view, &row) {
            None => return Consumed::No,
            Some(Ok((what, text))) => {
                let of = row.place.label();
                let of = if of.is_empty() { row.node.tag.to_string().into() } else { of };
                cx.copy(format!("{what} of {of}"), text);
            }
            Some(Err(why)) => cx.warn(why),
        }
        Consumed::Yes
    }

    pub(super) fn ask_path(&self, cx: &mut Cx<'_>) {
        let Some((document, view)) = self.view() else { return };
        let Some(row) = view.chosen(document) else { return };
        let name: String = row
            .place
            .label()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .collect();
        let name = if name.is_empty() { "node".to_owned() } else { name };
        let prompt = Prompt::new(PromptKind::Save, "save octets to ");
        cx.prompt(prompt.with_text(format!("{name}-{}.der", row.node.start)));
    }

    pub(super) fn save(&mut self, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let Some((document, view)) = self.view() else { return Err("nothing is open".into()) };
        let Some(row) = view.chosen(document) else { return Err("nothing is chosen".into()) };
        if text.trim().is_empty() {
            return Err("a name is needed".to_owned());
        }
        let span = row.node.start as usize..row.node.end as usize;
        cx.save(text, document.octets.part(span));
        Ok(())
    }
}

/// What the text is, and the text; `None` when `action` copies nothing.
type Copied = Result<(&'static str, String), String>;

fn form(action: Action, document: &Document, view: &View, row: &Row) -> Option<Copied> {
    let object = document.object();
    let octets = row.node.span().of(object);
    // Each form is at least as long as the octets, so too much is refused before it is made.
    let whole = |what, make: &dyn Fn(&mut String) -> std::fmt::Result| {
        if octets.len() > COPY_LIMIT {
            return Err(format!("{} octets are too many for a clipboard; save them", octets.len()));
        }
        let mut text = String::new();
        make(&mut text).map_err(|_| "cannot be written in this form".to_owned())?;
        Ok((what, text))
    };
    Some(match action {
        Action::CopyHex => whole("hex", &|out| export::hex(out, octets)),
        Action::CopyBase64 => whole("base64", &|out| export::base64(out, octets)),
        Action::CopyPem => whole("PEM", &|out| export::pem(out, label(document, row), octets)),
        Action::CopyDerAscii => whole("der-ascii", &|out| export::der_ascii(out, octets, true)),
        Action::CopyCArray => whole("C array", &|out| export::c_array(out, "der", octets)),
        Action::CopyValue => {
            let shown = show::value(object, &row.node, &row.place, COPY_LIMIT);
            if shown.text.is_empty() {
                Err("this node has no value of its own".to_owned())
            } else {
                Ok(("value", shown.text))
            }
        }
        Action::CopyPath => Ok(("path", meaning::path(document, view))),
        Action::CopyOid => {
            let oid = row.node.tag.is_universal(universal::OBJECT_IDENTIFIER);
            if oid {
                let text = Oid(row.node.contents().of(object)).to_string();
                Ok(("OID", visible(&text).into_owned()))
            } else {
                Err("this node is no OBJECT IDENTIFIER".to_owned())
            }
        }
        _ => return None,
    })
}

/// The PEM label of the whole object, or a plain one for a part.
fn label(document: &Document, row: &Row) -> &'static str {
    if row.node.depth > 0 {
        return match row.place.ty.name {
            "Certificate" => "CERTIFICATE",
            "SubjectPublicKeyInfo" => "PUBLIC KEY",
            _ => "DER",
        };
    }
    document.form.label()
}
