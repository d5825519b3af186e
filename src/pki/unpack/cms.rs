//! Certificates and CRLs of PKCS #7 and CMS messages.

use super::output::{NoteKind, Output};
use crate::asn1::tag::octet;
use crate::asn1::{Error, Reader, Span};
use crate::pki::attribute::Value;
use crate::pki::cms::{Content, Message};
use crate::pki::object::Kind;

/// 1.3.6.1.5.5.7.16.2, id-ri-ocsp-response (RFC 5940).
const OCSP_RESPONSE: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x10\x02";

pub(super) fn unpack(der: &[u8], output: &mut Output) -> Result<(), Error> {
    let message = Message::parse(der)?;
    match message.content() {
        Content::Signed(signed) => {
            // Choices other than Certificate have context tags and no view of their own.
            let certificate = |tag| (tag == octet::SEQUENCE).then_some("CERTIFICATE");
            output.list("signedData.certificates", signed.certificates(), certificate);
            for (i, value) in signed.crls().iter().enumerate() {
                let place = format!("signedData.crls[{i}]");
                match value {
                    Ok(value) => revocation(der, &value, place, output),
                    Err(e) => output.note(&place, e),
                }
            }
        }
        Content::Envelope(envelope) if envelope.encrypted().is_some() => {
            output.note("", NoteKind::ForRecipient);
        }
        _ => {}
    }
    Ok(())
}

/// A RevocationInfoChoice: a CRL, an OCSP response, or what we do not know.
fn revocation(der: &[u8], value: &Value<'_>, place: String, output: &mut Output) {
    let span = value.tlv().span();
    match value.tlv().tag {
        octet::SEQUENCE => {
            let kind = crate::pki::object::classify(value.der(), Some("X509 CRL"));
            output.add(kind, place, None, value.der(), Some(span));
        }
        _ => match ocsp_response(der, value) {
            Some(span) => output.add(Kind::OcspResponse, place, None, span.of(der), Some(span)),
            None => output.add(Kind::Der, place, None, value.der(), Some(span)),
        },
    }
}

fn ocsp_response(der: &[u8], value: &Value<'_>) -> Option<Span> {
    let mut r: Reader<'_> = value.tlv().enter(der);
    let id = r.expect(octet::OID).ok()?;
    if id.contents().of(der) != OCSP_RESPONSE {
        return None;
    }
    Some(r.expect(octet::SEQUENCE).ok()?.span())
}
