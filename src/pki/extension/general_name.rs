//! GeneralName, the nine kinds of names (RFC 5280 4.2.1.6).

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Serialize, Serializer};

use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::{octet, universal};
use crate::asn1::value::oid::{self, Oid};
use crate::asn1::value::string;
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::fields::is_string;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::name::Name;
use crate::pki::show::{Hex, OidName};
use crate::rule;

rule! {
    GENERAL_NAMES_EMPTY, "general-names-empty", "RFC 5280 4.2.1.6", "a list of names is empty";
    GENERAL_NAME_EMPTY, "general-name-empty", "RFC 5280 4.2.1.6", "a name has no characters";
    DNS_NAME_SYNTAX, "dns-name-syntax", "RFC 5280 4.2.1.6",
        "a dNSName is not in the preferred name syntax of RFC 1034";
    EMAIL_SYNTAX, "email-syntax", "RFC 5280 4.2.1.6", "an rfc822Name is not of the form local@domain";
    URI_SYNTAX, "uri-syntax", "RFC 5280 4.2.1.6", "a URI has no scheme or is not absolute";
    IP_LENGTH, "ip-address-length", "RFC 5280 4.2.1.6, 4.2.1.10",
        "an IP address has 4 or 16 octets, a range of addresses 8 or 32";
    IP_MASK, "ip-address-mask", "RFC 5280 4.2.1.10, RFC 4632",
        "the mask of an address range is not a row of ones followed by zeros";
}

/// Whether a name names something, or a part of a name space (RFC 5280 4.2.1.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A name.
    Name,
    /// The base of a subtree in name constraints.
    Subtree,
}

/// A name of one of nine kinds.
#[derive(Debug, Clone, Copy)]
pub struct GeneralName<'a> {
    object: &'a [u8],
    tlv: Tlv,
}

/// A list of names.
pub type GeneralNames<'a> = List<'a, GeneralName<'a>>;

/// What a [`GeneralName`] says.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'a> {
    /// `[0]`, a type and a value of that type with tag and length.
    Other(Oid<'a>, Tlv),
    /// `[1]`, a mail address.
    Email(&'a [u8]),
    /// `[2]`, a host name; an internationalised one is kept as it is written.
    Dns(&'a [u8]),
    /// `[3]`, an ORAddress, not decoded further.
    X400(&'a [u8]),
    /// `[4]`, a distinguished name.
    Directory(Name<'a>),
    /// `[5]`, not decoded further.
    EdiParty(&'a [u8]),
    /// `[6]`, a URI.
    Uri(&'a [u8]),
    /// `[7]`, 4 or 16 octets; with a mask, 8 or 32.
    Ip(&'a [u8]),
    /// `[8]`, an object identifier.
    RegisteredId(Oid<'a>),
}

impl<'a> Decode<'a> for GeneralName<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let name = Self { object: reader.object(), tlv: reader.any()? };
        if let Kind::Directory(name) = name.read()? {
            name.attributes().try_for_each(|a| a.map(drop))?;
        }
        Ok(name)
    }
}

impl<'a> GeneralName<'a> {
    /// The kind of name and its contents.
    #[must_use]
    pub fn kind(&self) -> Kind<'a> {
        // A name that does not read is not made; octets are the honest way out.
        self.read().unwrap_or(Kind::X400(self.tlv.contents().of(self.object)))
    }

    /// Where it stands.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.tlv.span()
    }

    fn read(&self) -> Result<Kind<'a>, Error> {
        let content = self.tlv.contents().of(self.object);
        let mut inner = self.tlv.enter(self.object);
        Ok(match self.tlv.tag {
            0xa0 => {
                let oid = inner.expect(octet::OID)?.contents().of(self.object);
                let mut explicit = inner.enter(octet::context_constructed(0))?;
                inner.finish()?;
                let value = explicit.any()?;
                explicit.finish()?;
                Kind::Other(Oid(oid), value)
            }
            0x81 => Kind::Email(content),
            0x82 => Kind::Dns(content),
            0xa3 => Kind::X400(content),
            0xa4 => {
                let name = Name::decode(&mut inner)?;
                inner.finish()?;
                Kind::Directory(name)
            }
            0xa5 => Kind::EdiParty(content),
            0x86 => Kind::Uri(content),
            0x87 => Kind::Ip(content),
            0x88 => Kind::RegisteredId(Oid(content)),
            _ => return Err(Error::new(self.tlv.start, &UNEXPECTED_TAG)),
        })
    }

    /// Checks the contents.
    pub fn violations(&self, used: Use, findings: &mut Findings) {
        let at = self.tlv.content;
        // True when the characters are worth a look at their syntax.
        let ia5 = |content: &[u8], findings: &mut Findings| {
            let broken = string::check(universal::IA5_STRING, content, at);
            findings.check(broken);
            // An empty subtree base means every name (RFC 5280 4.2.1.10).
            if content.is_empty() && used == Use::Name {
                findings.add(self.tlv.start, &GENERAL_NAME_EMPTY);
            }
            broken.is_none() && !content.is_empty()
        };
        match self.kind() {
            Kind::Other(oid, value) => {
                findings.check(oid::check(oid.0, at + 2));
                let content = value.contents().of(self.object);
                if value.tag & 0xe0 == 0 {
                    let number = u64::from(value.tag);
                    findings.check(crate::asn1::value::check(number, content, value.content));
                }
            }
            Kind::Email(content) => {
                let readable = ia5(content, findings);
                let whole = content.split(|b| *b == b'@').count() == 2
                    && !content.starts_with(b"@")
                    && !content.ends_with(b"@");
                if used == Use::Name && readable && !whole {
                    findings.add(at, &EMAIL_SYNTAX);
                }
            }
            Kind::Dns(content) => {
                if ia5(content, findings) && !is_dns_name(content, used) {
                    findings.add(at, &DNS_NAME_SYNTAX);
                }
            }
            Kind::Uri(content) => {
                if ia5(content, findings) && used == Use::Name && !is_uri(content) {
                    findings.add(at, &URI_SYNTAX);
                }
            }
            Kind::Ip(content) => ip_violations(content, self.tlv, used, findings),
            Kind::Directory(name) => name.violations(findings),
            Kind::RegisteredId(oid) => findings.check(oid::check(oid.0, at)),
            Kind::X400(_) | Kind::EdiParty(_) => {}
        }
    }

    /// The word for the kind, as records have it under `type`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.kind() {
            Kind::Other(..) => "other",
            Kind::Email(_) => "email",
            Kind::Dns(_) => "dns",
            Kind::X400(_) => "x400",
            Kind::Directory(_) => "directory",
            Kind::EdiParty(_) => "edi-party",
            Kind::Uri(_) => "uri",
            Kind::Ip(_) => "ip",
            Kind::RegisteredId(_) => "registered-id",
        }
    }

    /// The name as text: addresses and ranges of addresses (`10.0.0.0/8`) as usual, a
    /// distinguished name by RFC 4514, strings as they are, DER in hexadecimal where there is no
    /// better form.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        let ia5 = |content| string::decode(universal::IA5_STRING, content).text;
        match self.kind() {
            Kind::Email(content) | Kind::Dns(content) | Kind::Uri(content) => ia5(content),
            Kind::Directory(name) => Cow::Owned(name.to_text()),
            Kind::Ip(content) => Cow::Owned(IpText(content).to_string()),
            Kind::RegisteredId(oid) => Cow::Owned(oid.to_string()),
            Kind::X400(content) | Kind::EdiParty(content) => Cow::Owned(Hex(content).to_string()),
            Kind::Other(_, value) => other_text(value, self.object),
        }
    }
}

/// The value of an otherName: its characters when it is a string (the UPN, SmtpUTF8Mailbox and
/// SRVName forms all are), else its DER.
fn other_text(value: Tlv, object: &[u8]) -> Cow<'_, str> {
    if is_string(value.tag) {
        string::decode(u64::from(value.tag), value.contents().of(object)).text
    } else {
        Cow::Owned(Hex(value.span().of(object)).to_string())
    }
}

fn is_dns_name(name: &[u8], used: Use) -> bool {
    // A subtree may start with a dot, as many CAs write it; names may start with a wildcard.
    let name = match used {
        Use::Subtree => name.strip_prefix(b".").unwrap_or(name),
        Use::Name => name.strip_prefix(b"*.").unwrap_or(name),
    };
    name.len() <= 253
        && name.split(|b| *b == b'.').all(|label| {
            (1..=63).contains(&label.len())
                && label.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                && !label.starts_with(b"-")
                && !label.ends_with(b"-")
        })
}

/// RFC 3986 3.1: a scheme, a colon, something after it.
fn is_uri(uri: &[u8]) -> bool {
    let Some(colon) = uri.iter().position(|b| *b == b':') else { return false };
    let (scheme, rest) = uri.split_at(colon);
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        && rest.len() > 1
        && rest.iter().all(u8::is_ascii_graphic)
}

fn ip_violations(content: &[u8], tlv: Tlv, used: Use, findings: &mut Findings) {
    match (used, content.len()) {
        (Use::Name, 4 | 16) => {}
        (Use::Subtree, 8 | 32) => {
            if prefix_length(&content[content.len() / 2..]).is_none() {
                findings.add(tlv.content, &IP_MASK);
            }
        }
        _ => findings.add(tlv.start, &IP_LENGTH),
    }
}

/// Number of ones in a mask that is a row of ones followed by zeros.
fn prefix_length(mask: &[u8]) -> Option<u32> {
    let ones: u32 = mask.iter().map(|b| b.count_ones()).sum();
    let leading = mask.iter().position(|b| *b != 0xff).map_or(8 * mask.len(), |i| {
        8 * i + usize::try_from(mask[i].leading_ones()).unwrap_or_default()
    });
    (leading == ones as usize).then_some(ones)
}

/// The text of an address or a range of addresses.
struct IpText<'a>(&'a [u8]);

impl fmt::Display for IpText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = |f: &mut fmt::Formatter<'_>, octets: &[u8]| {
            if let Ok(v4) = <[u8; 4]>::try_from(octets) {
                Ipv4Addr::from(v4).fmt(f)
            } else if let Ok(v6) = <[u8; 16]>::try_from(octets) {
                Ipv6Addr::from(v6).fmt(f)
            } else {
                Hex(octets).fmt(f)
            }
        };
        if !matches!(self.0.len(), 8 | 32) {
            return address(f, self.0);
        }
        let (base, mask) = self.0.split_at(self.0.len() / 2);
        address(f, base)?;
        f.write_char('/')?;
        match prefix_length(mask) {
            Some(n) => n.fmt(f),
            None => address(f, mask),
        }
    }
}

impl fmt::Display for GeneralName<'_> {
    /// `dns:example.com`; not made safe for a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.type_name(), self.text())
    }
}

impl Serialize for GeneralName<'_> {
    /// `{"type": "dns", "value": "example.com"}`; an otherName and a registeredID also have
    /// `oid` and `name`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            r#type: &'static str,
            #[serde(flatten, skip_serializing_if = "Option::is_none")]
            oid: Option<OidName<'a>>,
            value: Cow<'a, str>,
        }
        let oid = match self.kind() {
            Kind::Other(oid, _) | Kind::RegisteredId(oid) => Some(OidName(oid)),
            _ => None,
        };
        Record { r#type: self.type_name(), oid, value: self.text() }.serialize(serializer)
    }
}

/// Checks every name of a list, and that there is one.
pub fn violations(names: GeneralNames<'_>, findings: &mut Findings) {
    if names.is_empty() {
        findings.add(names.offset(), &GENERAL_NAMES_EMPTY);
    }
    for name in names.iter().flatten() {
        if findings.is_full() {
            return;
        }
        name.violations(Use::Name, findings);
    }
}

/// Reads `GeneralNames` under the identifier octet `tag` and looks at every name.
///
/// # Errors
/// That of the first name that does not read.
pub fn names_with<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<GeneralNames<'a>, Error> {
    let names = List::enter(reader, tag)?;
    names.validate()?;
    Ok(names)
}
