"""What pyca/cryptography says of a certificate."""

import warnings

import values
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed448, ed25519, x448, x25519

# Keys of one size have no `key_size`; these are the figures of EVP_PKEY_bits.
FIXED = [
    (ed25519.Ed25519PublicKey, 256),
    (ed448.Ed448PublicKey, 456),
    (x25519.X25519PublicKey, 253),
    (x448.X448PublicKey, 448),
]


def certificate(octets):
    """The fields of a certificate, or None when pyca does not load it.

    pyca reads lazily: a field that it refuses is missing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parsed = x509.load_der_x509_certificate(octets)
        except Exception:
            return None
        found = {}
        for field, read in FIELDS.items():
            try:
                found[field] = read(parsed)
            except Exception:
                continue
        return found


def accepts(found):
    """Whether pyca loads the certificate and its names, which it reads when they are asked for."""
    return found is not None and "issuer" in found and "subject" in found


def moment(time):
    return (time.year, time.month, time.day, time.hour, time.minute, time.second)


def name(x):
    return [(attribute.oid.dotted_string, value(attribute.value)) for attribute in x]


def value(x):
    """Text, or None for the octets of a BIT STRING: OpenSSL has no text for it either."""
    return x if isinstance(x, str) else None


def bits(parsed):
    key = parsed.public_key()
    for kind, size in FIXED:
        if isinstance(key, kind):
            return size
    return key.key_size


def extension_values(parsed):
    return [values.theirs(e.value) for e in parsed.extensions]


FIELDS = {
    "version": lambda c: c.version.value + 1,
    "serial": lambda c: c.serial_number,
    "not_before": lambda c: moment(c.not_valid_before_utc),
    "not_after": lambda c: moment(c.not_valid_after_utc),
    "issuer": lambda c: name(c.issuer),
    "subject": lambda c: name(c.subject),
    "signature": lambda c: c.signature_algorithm_oid.dotted_string,
    "key": lambda c: c.public_key_algorithm_oid.dotted_string,
    "bits": bits,
    "extensions": lambda c: [(e.oid.dotted_string, e.critical) for e in c.extensions],
    "values": extension_values,
}
