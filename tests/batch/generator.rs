//! Makes hostile inputs: deep, wide, cut, bent, and full of what a terminal would obey.

use crate::support::sample;

/// Tag, length in its shortest form, contents.
pub fn tlv(tag: u8, contents: &[u8]) -> Vec<u8> {
    [&[tag][..], &length(contents.len()), contents].concat()
}

fn length(octets: usize) -> Vec<u8> {
    if octets < 0x80 {
        return vec![u8::try_from(octets).unwrap()];
    }
    let all = octets.to_be_bytes();
    let used = &all[octets.leading_zeros() as usize / 8..];
    [&[0x80 | u8::try_from(used.len()).unwrap()], used].concat()
}

pub fn seq(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

/// A Name of one RDN a value, all of the type commonName.
pub fn name_of(values: &[(u8, &[u8])]) -> Vec<u8> {
    let rdn =
        |(tag, value): &(u8, &[u8])| tlv(0x31, &seq(&[b"\x06\x03\x55\x04\x03", &tlv(*tag, value)]));
    tlv(0x30, &values.iter().flat_map(rdn).collect::<Vec<u8>>())
}

/// A Name of `count` RDNs, all the same.
fn names(value: &[u8], count: usize) -> Vec<u8> {
    name_of(&vec![(0x0c, value); count])
}

/// `depth` values in one another, all of definite length.
fn nest(tag: u8, depth: usize) -> Vec<u8> {
    let (mut total, mut headers) = (0, Vec::with_capacity(depth));
    for _ in 0..depth {
        let mut header = length(total);
        header.insert(0, tag);
        total += header.len();
        headers.push(header);
    }
    headers.into_iter().rev().flatten().collect()
}

/// A certificate whose parts can be replaced.
pub struct Certificate {
    serial: Vec<u8>,
    issuer: Vec<u8>,
    subject: Vec<u8>,
    validity: Vec<u8>,
    extensions: Vec<u8>,
}

pub fn certificate() -> Certificate {
    Certificate {
        serial: vec![1],
        issuer: name_of(&[(0x0c, b"issuer")]),
        subject: name_of(&[(0x0c, b"subject")]),
        validity: seq(&[&tlv(0x17, b"260101000000Z"), &tlv(0x17, b"270101000000Z")]),
        extensions: Vec::new(),
    }
}

const ALGORITHM: &[u8] = b"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02";

impl Certificate {
    pub fn subject(self, subject: Vec<u8>) -> Self {
        Self { subject, ..self }
    }

    fn issuer(self, issuer: Vec<u8>) -> Self {
        Self { issuer, ..self }
    }

    fn serial(self, serial: Vec<u8>) -> Self {
        Self { serial, ..self }
    }

    fn validity(self, from: &[u8], to: &[u8]) -> Self {
        Self { validity: seq(&[from, to]), ..self }
    }

    /// Adds an extension of the arc id-ce.
    fn extension(mut self, number: u8, value: &[u8]) -> Self {
        self.extensions.extend(extension(&[0x55, 0x1d, number], value));
        self
    }

    fn extensions(self, extensions: Vec<u8>) -> Self {
        Self { extensions, ..self }
    }

    pub fn der(&self) -> Vec<u8> {
        let curve =
            b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
        let key = seq(&[curve, &tlv(3, &[&[0, 4][..], &[7; 64]].concat())]);
        let extensions = if self.extensions.is_empty() {
            Vec::new()
        } else {
            tlv(0xa3, &tlv(0x30, &self.extensions))
        };
        let tbs = seq(&[
            b"\xa0\x03\x02\x01\x02",
            &tlv(2, &self.serial),
            ALGORITHM,
            &self.issuer,
            &self.validity,
            &self.subject,
            &key,
            &extensions,
        ]);
        seq(&[&tbs, ALGORITHM, &tlv(3, &[0; 70])])
    }
}

fn extension(oid: &[u8], value: &[u8]) -> Vec<u8> {
    seq(&[&tlv(6, oid), &tlv(4, value)])
}

fn crl(entries: &[u8]) -> Vec<u8> {
    let time = tlv(0x17, b"260101000000Z");
    let name = name_of(&[(0x0c, b"issuer")]);
    let tbs = seq(&[b"\x02\x01\x01", ALGORITHM, &name, &time, &time, &tlv(0x30, entries)]);
    seq(&[&tbs, ALGORITHM, &tlv(3, &[0; 70])])
}

/// A SignedData around certificates.
fn signed(certificates: &[u8]) -> Vec<u8> {
    let data = b"\x30\x0b\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
    let inner = seq(&[b"\x02\x01\x01", b"\x31\x00", data, &tlv(0xa0, certificates), b"\x31\x00"]);
    seq(&[b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", &tlv(0xa0, &inner)])
}

fn pem(label: &str, octets: &[u8]) -> Vec<u8> {
    let base64 = data_encoding::BASE64.encode(octets);
    format!("-----BEGIN {label}-----\n{base64}\n-----END {label}-----\n").into_bytes()
}

type Case = (String, Vec<u8>);
type Maker = fn() -> Vec<u8>;

/// All of them, made when they are asked for.
pub fn hostile() -> impl Iterator<Item = Case> {
    deep().chain(lengths()).chain(wide()).chain(strange()).chain(texts()).chain(cut()).chain(bent())
}

fn case(name: &str, octets: Vec<u8>) -> Case {
    (name.to_owned(), octets)
}

/// Nested to a million.
fn deep() -> impl Iterator<Item = Case> {
    let indefinite = [[0x30, 0x80], [0x31, 0x80], [0xa0, 0x80], [0x24, 0x80], [0x7f, 0x80]];
    let open = indefinite.into_iter().flat_map(|unit| {
        [1000, 1_000_000].map(|depth| (format!("open {unit:02x?} {depth}"), unit.repeat(depth)))
    });
    let closed = indefinite.into_iter().map(|unit| {
        let octets = [unit.repeat(300_000), [0, 0].repeat(300_000)].concat();
        (format!("closed {unit:02x?}"), octets)
    });
    let definite = [0x30, 0x31, 0xa3, 0x04, 0x24, 0x03].into_iter().flat_map(|tag| {
        [249, 252, 10_000, 1_000_000]
            .map(|depth| (format!("nest {tag:02x} {depth}"), nest(tag, depth)))
    });
    let strings = std::iter::once_with(|| {
        let inner = (0..200).fold(vec![5, 0], |inner, _| tlv(4, &inner));
        case("many nests of strings", tlv(0x30, &inner.repeat(300)))
    });
    let messages = std::iter::once_with(|| {
        let message = (0..300).fold(sample("certificate-v1.der"), |inner, _| signed(&inner));
        case("messages in messages", message)
    });
    open.chain(closed).chain(definite).chain(strings).chain(messages)
}

/// Lengths up to 2^64 and beyond, in front of little.
fn lengths() -> impl Iterator<Item = Case> {
    let tags: [&[u8]; 8] =
        [&[0x30], &[0x31], &[0x04], &[0x02], &[0x06], &[0x03], &[0xa0], &[0x7f, 0x85, 0x01]];
    tags.into_iter().flat_map(|tag| {
        let long = (0..=9_u8).flat_map(move |count| {
            [0x00, 0x01, 0x7f, 0x80, 0xff].map(|fill| {
                let octets = vec![fill; usize::from(count)];
                let name = format!("length {tag:02x?} {count} {fill:02x}");
                (name, [tag, &[0x80 | count], &octets, b"\x02\x01\x05"].concat())
            })
        });
        let longest = (name_of_longest(tag), [tag, &[0xfe], &[0xff; 126], &[0; 20]].concat());
        long.chain([longest, (format!("reserved {tag:02x?}"), [tag, &[0xff], &[1; 9]].concat())])
    })
}

fn name_of_longest(tag: &[u8]) -> String {
    format!("longest length {tag:02x?}")
}

/// Much of everything.
fn wide() -> impl Iterator<Item = Case> {
    let makers: [(&str, Maker); 26] = [
        ("RDNs", || certificate().subject(names(b"a", 100_000)).der()),
        ("bad RDNs on both sides", || {
            let name = names(b"\xff\x1b[31m", 50_000);
            certificate().subject(name.clone()).issuer(name).der()
        }),
        ("attributes of one RDN", || {
            let attribute = seq(&[b"\x06\x03\x55\x04\x03", b"\x0c\x01a"]);
            certificate().subject(tlv(0x30, &tlv(0x31, &attribute.repeat(100_000)))).der()
        }),
        ("SANs", || certificate().extension(0x11, &tlv(0x30, &b"\x82\x01a".repeat(200_000))).der()),
        ("SANs that steer", || {
            certificate().extension(0x11, &tlv(0x30, &tlv(0x82, b"\x1b[2J").repeat(200_000))).der()
        }),
        ("directory names", || {
            let name = tlv(0xa4, &names(b"a", 500));
            certificate().extension(0x11, &tlv(0x30, &name.repeat(100))).der()
        }),
        ("one extension often", || {
            certificate()
                .extensions(extension(b"\x55\x1d\x0f", b"\x03\x02\x07\x80").repeat(50_000))
                .der()
        }),
        ("many extensions", || {
            let one = |n: u32| {
                let [_, _, high, low] = n.to_be_bytes();
                let arcs = [0x83, 0x80 | high, 0x80 | low, low & 0x7f];
                extension(&[&b"\x2b\x06\x01\x04\x01"[..], &arcs].concat(), b"\x05\x00")
            };
            certificate().extensions((0..50_000).flat_map(one).collect()).der()
        }),
        ("policies", || {
            certificate()
                .extension(0x20, &tlv(0x30, &seq(&[b"\x06\x02\x2a\x03"]).repeat(50_000)))
                .der()
        }),
        ("purposes", || {
            certificate().extension(0x25, &tlv(0x30, &b"\x06\x01\x2a".repeat(100_000))).der()
        }),
        ("subtrees", || {
            let tree = tlv(0xa0, &seq(&[b"\x82\x01a"]).repeat(50_000));
            certificate().extension(0x1e, &tlv(0x30, &tree)).der()
        }),
        ("points", || {
            let point = seq(&[&tlv(0xa0, &tlv(0xa0, b"\x86\x01x"))]);
            certificate().extension(0x1f, &tlv(0x30, &point.repeat(50_000))).der()
        }),
        ("timestamps", || {
            let list = tlv(4, &[&[0xff, 0xfe][..], &vec![0; 65_534]].concat());
            let id = b"\x2b\x06\x01\x04\x01\xd6\x79\x02\x04\x02";
            certificate().extensions(extension(id, &list)).der()
        }),
        ("bits", || certificate().extension(0x0f, &tlv(3, &vec![0xff; 1_000_000])).der()),
        ("serial number", || certificate().serial(vec![0x7f; 2_000_000]).der()),
        ("common name", || certificate().subject(name_of(&[(0x0c, &vec![0x1b; 2_000_000])])).der()),
        ("identifier of one arc", || tlv(6, &[&vec![0x81; 1_000_000][..], &[1]].concat())),
        ("identifier of many arcs", || seq(&[&tlv(6, &vec![0x2a; 1_000_000])])),
        ("numbers", || tlv(0x30, &tlv(2, &[0x7f; 1000]).repeat(500))),
        ("reals", || {
            tlv(0x30, &tlv(9, &[&[0x83, 0xff][..], &[0x7f; 255], &[1; 9]].concat()).repeat(1000))
        }),
        ("times", || {
            tlv(
                0x30,
                &tlv(0x18, &[&b"99991231235959."[..], &[b'9'; 1000], b"Z"].concat()).repeat(500),
            )
        }),
        ("set in no order", || {
            let number = |n: u32| tlv(2, &(n.wrapping_mul(2_654_435_761) >> 1).to_be_bytes());
            tlv(0x31, &(0..50_000).flat_map(number).collect::<Vec<u8>>())
        }),
        ("revoked", || {
            let entry = seq(&[b"\x02\x03\x01\x02\x03", &tlv(0x17, b"260101000000Z")]);
            crl(&entry.repeat(50_000))
        }),
        ("revoked and broken", || {
            let entry = seq(&[b"\x02\x03\x00\x00\x03", &tlv(0x17, b"269901000000Z")]);
            crl(&entry.repeat(50_000))
        }),
        ("a message of nothing", || signed(&b"\x30\x00".repeat(50_000))),
        ("objects", || b"\x05\x00\x30\x00".repeat(50_000)),
    ];
    makers.into_iter().map(|(name, make)| case(name, make()))
}

/// Values that are no values of their type.
fn strange() -> impl Iterator<Item = Case> {
    let contents: [&[u8]; 12] = [
        b"",
        b"\x00",
        b"\x80",
        b"\xff",
        b"\x00\x00",
        b"\xff\xff",
        b"\x80\x80\x80",
        b"\x08\xff",
        b"\x1b]0;x\x07",
        b"260231000000Z",
        "\u{202e}\u{feff}\u{9b}".as_bytes(),
        b"\xed\xa0\x80\xf5\xc3",
    ];
    let values = (0..31_u8).flat_map(move |tag| {
        contents.into_iter().enumerate().map(move |(i, content)| {
            let name = format!("value {tag} {i}");
            (name, seq(&[&tlv(tag, content), &tlv(0x20 | tag, content)]))
        })
    });
    let extensions = (0..64_u8).flat_map(|number| {
        [&b"\x05\x00"[..], b"", b"\x30\x80\x00\x00", b"\x30\x03\x01\x01\x05", b"\x04\x02\x1b\x5b"]
            .into_iter()
            .enumerate()
            .map(move |(i, value)| {
                (format!("extension {number} {i}"), certificate().extension(number, value).der())
            })
    });
    let times = [&b"\x17\x00"[..], b"\x18\x04\x1b[2J", b"\x17\x0d000000000000Z", b"\x05\x00"];
    let times = times
        .into_iter()
        .enumerate()
        .map(|(i, time)| (format!("time {i}"), certificate().validity(time, time).der()));
    values.chain(extensions).chain(times)
}

/// What looks like text.
fn texts() -> impl Iterator<Item = Case> {
    let certificate = sample("certificate-v1.der");
    let block = String::from_utf8(pem("CERTIFICATE", &certificate)).unwrap();
    let wide: Vec<u8> = block.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let nulls = b"\x05\x00".repeat(100_000);
    [
        case("begin lines", b"-----BEGIN CERTIFICATE-----\n".repeat(50_000)),
        case("end lines", b"-----END CERTIFICATE-----\n".repeat(50_000)),
        case("empty blocks", b"-----BEGIN A-----\n-----END A-----\n".repeat(20_000)),
        case("crossed blocks", b"-----BEGIN A-----\n-----END B-----\n".repeat(20_000)),
        case("dashes", vec![b'-'; 3_000_000]),
        case(
            "spaces",
            [&b"-----BEGIN A-----\n"[..], &vec![b' '; 3_000_000], b"\n-----END A-----"].concat(),
        ),
        case("a long label", pem(&"A".repeat(1_000_000), &certificate)),
        case("a label that steers", pem("\u{1b}[31m\u{202e}X", &certificate)),
        case("headers", {
            let mut text = b"-----BEGIN A-----\n".to_vec();
            text.extend(b"K\x1b: v\x1b[2J\n".repeat(50_000));
            text.extend(b"\nMAA=\n-----END A-----\n");
            text
        }),
        case("a certificate in many blocks", block.repeat(300).into_bytes()),
        case("base64", data_encoding::BASE64.encode(&seq(&[&nulls])).into_bytes()),
        case("hex", data_encoding::HEXLOWER.encode(&seq(&[&nulls])).into_bytes()),
        case("hex that ends in letters", [b"30 82 ".repeat(100_000), b"zz".to_vec()].concat()),
        case("UTF-16", [vec![0xff, 0xfe], wide.clone()].concat()),
        case("UTF-16, cut", [vec![0xff, 0xfe], wide[..wide.len() - 1].to_vec()].concat()),
        case("a byte order mark", vec![0xef, 0xbb, 0xbf]),
        case("zeros", vec![0; 3_000_000]),
        case("ones", vec![0xff; 3_000_000]),
        case("prose", b"hello world \x1b[31m\n".repeat(100_000)),
        case("prose around a block", [&b"\x1b[2J\n"[..], block.as_bytes(), b"\x9b\xff\n"].concat()),
        case("nothing", Vec::new()),
    ]
    .into_iter()
}

/// Every length of several kinds of objects.
fn cut() -> impl Iterator<Item = Case> {
    let names = [
        "public-key-ed448.der",
        "key-ed25519.pk8",
        "ocsp-request.der",
        "ocsp-response-unauthorized.der",
        "certificate-ed25519.der",
        "crl-delta.der",
        "key-encrypted-3des.pk8",
        "key-p384-sec1.pem",
    ];
    names.into_iter().flat_map(|name| {
        let octets = sample(name);
        // Long ones at every third length: the places between are like their neighbours.
        let step = if octets.len() > 300 { 3 } else { 1 };
        (0..octets.len())
            .step_by(step)
            .map(move |end| (format!("{name} cut to {end}"), octets[..end].to_vec()))
    })
}

/// One octet changed.
fn bent() -> impl Iterator<Item = Case> {
    let names = [
        "certificate-p256-server.der",
        "crl-reasons.der",
        "csr-attributes.der",
        "ocsp-response-good.der",
        "cms-signed-stream.ber",
        "pkcs7-indefinite.p7b",
        "pkcs12-unencrypted.p12",
        "key-rsa-pkcs1.pem",
        "certificate-mtc.der",
        "bundle.pem",
    ];
    names.into_iter().flat_map(|name| {
        let octets = sample(name);
        let step = octets.len() / 60 + 1;
        (0..octets.len()).step_by(step).flat_map(move |at| {
            let octets = octets.clone();
            [0x00, 0xff, octets[at] ^ 0x20].into_iter().map(move |octet| {
                let mut octets = octets.clone();
                octets[at] = octet;
                (format!("{name} with {octet:02x} at {at}"), octets)
            })
        })
    })
}
