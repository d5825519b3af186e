//! Alternative names and URIs in profiles.

use std::net::IpAddr;

use super::pattern::Pattern;
use super::stencil::Sketch;
use super::text::read_as_text;
use crate::asn1::Reader;
use crate::asn1::tag::octet;
use crate::asn1::writer::Writer;
use crate::pki::extension::GeneralName;
use crate::pki::extension::general_name::Use;
use crate::pki::findings::Findings;
use crate::pki::list::Decode as _;

/// A `GeneralName` (RFC 5280 4.2.1.6) like `dns:host-{n}.example`.
#[derive(Debug, Clone)]
pub(super) struct AlternativeName {
    tag: u8,
    value: Pattern,
}

read_as_text!(AlternativeName, Uri);

/// The kinds of names, with their context-specific tags.
const EMAIL: u8 = octet::context(1);
const DNS: u8 = octet::context(2);
const URI: u8 = octet::context(6);
const IP: u8 = octet::context(7);

impl TryFrom<&str> for AlternativeName {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let (tag, value) = match text.split_once(':') {
            Some(("dns", name)) => (DNS, Pattern::parse(name)?),
            Some(("email", name)) => (EMAIL, Pattern::parse(name)?),
            Some(("uri", name)) => (URI, Pattern::parse(name)?),
            Some(("ip", address)) => (IP, ip(address)?),
            _ => return Err("a name starts with dns:, ip:, email: or uri:".into()),
        };
        let mut w = Writer::new();
        w.primitive(tag, &value.longest());
        let mut findings = Findings::default();
        if let Some(name) = findings.ok(GeneralName::decode(&mut Reader::new(w.as_bytes()))) {
            name.violations(Use::Name, &mut findings);
        }
        let broken = findings.into_list().first().map(|finding| finding.rule);
        broken.map_or(Ok(Self { tag, value }), |rule| Err(rule.to_string()))
    }
}

fn ip(text: &str) -> Result<Pattern, String> {
    match text.parse() {
        Ok(IpAddr::V4(address)) => Ok(Pattern::fixed(&address.octets())),
        Ok(IpAddr::V6(address)) => Ok(Pattern::fixed(&address.octets())),
        Err(_) => Err("no IP address, such as 192.0.2.1 or 2001:db8::1".into()),
    }
}

impl AlternativeName {
    pub(super) fn draw(&self, sketch: &mut Sketch) {
        sketch.constructed(self.tag, |sketch| self.value.draw(sketch));
    }
}

/// A URI without placeholders.
#[derive(Debug, Clone)]
pub(super) struct Uri(Vec<u8>);

impl TryFrom<&str> for Uri {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let name = AlternativeName::try_from(&*format!("uri:{text}"))?;
        if name.value.is_fixed() {
            Ok(Self(text.into()))
        } else {
            Err("this URI is the same in all certificates".into())
        }
    }
}

impl Uri {
    /// Writes it as a `GeneralName`.
    pub(super) fn write(&self, w: &mut Writer) {
        w.primitive(URI, &self.0);
    }
}
