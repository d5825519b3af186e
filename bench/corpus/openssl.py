"""What OpenSSL's libcrypto says of an object, asked through ctypes: one process for thousands."""

import ctypes
import ctypes.util
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_ubyte, c_void_p

lib = ctypes.CDLL(ctypes.util.find_library("crypto"))


def declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, list(arguments)
    return function


class Tm(ctypes.Structure):
    """`struct tm`."""

    _fields_ = [
        (name, c_int)
        for name in ("sec", "min", "hour", "mday", "mon", "year", "wday", "yday", "isdst")
    ] + [("rest", ctypes.c_ubyte * 64)]


P = c_void_p
version_text = declare("OpenSSL_version", c_char_p, c_int)
clear = declare("ERR_clear_error", None)
release = declare("CRYPTO_free", None, P, c_char_p, c_int)
text_of = declare("OBJ_obj2txt", c_int, c_char_p, c_int, P, c_int)
string_data = declare("ASN1_STRING_get0_data", P, P)
string_length = declare("ASN1_STRING_length", c_int, P)
string_type = declare("ASN1_STRING_type", c_int, P)
to_utf8 = declare("ASN1_STRING_to_UTF8", c_int, POINTER(P), P)
to_tm = declare("ASN1_TIME_to_tm", c_int, P, POINTER(Tm))
get_version = declare("X509_get_version", c_long, P)
get_serial = declare("X509_get0_serialNumber", P, P)
get_before = declare("X509_get0_notBefore", P, P)
get_after = declare("X509_get0_notAfter", P, P)
get_issuer = declare("X509_get_issuer_name", P, P)
get_subject = declare("X509_get_subject_name", P, P)
get_key = declare("X509_get0_pubkey", P, P)
get_spki = declare("X509_get_X509_PUBKEY", P, P)
spki_param = declare("X509_PUBKEY_get0_param", c_int, POINTER(P), P, P, P, P)
key_bits = declare("EVP_PKEY_get_bits", c_int, P)
get_signature = declare("X509_get0_signature", None, P, POINTER(P), P)
algorithm_oid = declare("X509_ALGOR_get0", None, POINTER(P), P, P, P)
entry_count = declare("X509_NAME_entry_count", c_int, P)
get_entry = declare("X509_NAME_get_entry", P, P, c_int)
entry_object = declare("X509_NAME_ENTRY_get_object", P, P)
entry_data = declare("X509_NAME_ENTRY_get_data", P, P)
ext_count = declare("X509_get_ext_count", c_int, P)
get_ext = declare("X509_get_ext", P, P, c_int)
ext_object = declare("X509_EXTENSION_get_object", P, P)
ext_critical = declare("X509_EXTENSION_get_critical", c_int, P)
ext_data = declare("X509_EXTENSION_get_data", P, P)

# Kind of pkiscope: the readers of OpenSSL that make one, with the function that frees it.
READERS = {
    "certificate": [("d2i_X509", "X509_free")],
    "crl": [("d2i_X509_CRL", "X509_CRL_free")],
    "csr": [("d2i_X509_REQ", "X509_REQ_free")],
    "ocsp-response": [("d2i_OCSP_RESPONSE", "OCSP_RESPONSE_free")],
    "ocsp-request": [("d2i_OCSP_REQUEST", "OCSP_REQUEST_free")],
    "pkcs7": [("d2i_PKCS7", "PKCS7_free"), ("d2i_CMS_ContentInfo", "CMS_ContentInfo_free")],
    "pkcs12": [("d2i_PKCS12", "PKCS12_free")],
    "private-key": [("d2i_AutoPrivateKey", "EVP_PKEY_free"), ("d2i_X509_SIG", "X509_SIG_free")],
    "public-key": [("d2i_PUBKEY", "EVP_PKEY_free"), ("d2i_RSAPublicKey", "RSA_free")],
}
for readers in [*READERS.values(), [("d2i_DHparams", "DH_free")]]:
    for read, free in readers:
        declare(read, P, P, POINTER(P), c_long)
        declare(free, None, P)


def version():
    return version_text(0).decode()


def read(name, octets):
    """The structure that `name` makes of exactly `octets`, or None."""
    buffer = ctypes.create_string_buffer(octets, len(octets))
    start = ctypes.cast(buffer, P)
    end = c_void_p(start.value)
    made = getattr(lib, name)(None, byref(end), len(octets))
    clear()
    whole = made and end.value - start.value == len(octets)
    return (made, whole) if made else (None, False)


def kinds(octets):
    """The kinds as which OpenSSL accepts all of `octets`."""
    accepted = set()
    # Two numbers are an RSA public key and parameters of Diffie-Hellman alike: no evidence.
    made, ambiguous = read("d2i_DHparams", octets)
    if made:
        lib.DH_free(made)
    for kind, readers in READERS.items():
        for name, free in readers:
            made, whole = read(name, octets)
            if made:
                getattr(lib, free)(made)
            if whole and not (ambiguous and name == "d2i_RSAPublicKey"):
                accepted.add(kind)
    return accepted


def certificate(octets):
    """The fields of a certificate, or None when OpenSSL does not accept it."""
    made, whole = read("d2i_X509", octets)
    try:
        return fields(made) if whole else None
    finally:
        if made:
            lib.X509_free(made)
        clear()


def fields(x):
    signature, spki, key = P(), P(), get_key(x)
    get_signature(None, byref(signature), x)
    signature_oid = P()
    algorithm_oid(byref(signature_oid), None, None, signature)
    spki_param(byref(spki), None, None, None, get_spki(x))
    extensions = [get_ext(x, n) for n in range(ext_count(x))]
    return {
        "version": get_version(x) + 1,
        "serial": integer(get_serial(x)),
        "not_before": moment(get_before(x)),
        "not_after": moment(get_after(x)),
        "issuer": name(get_issuer(x)),
        "subject": name(get_subject(x)),
        "signature": dotted(signature_oid),
        "key": dotted(spki),
        "bits": key_bits(key) if key else None,
        "extensions": [(dotted(ext_object(e)), bool(ext_critical(e) > 0)) for e in extensions],
    }


def octets_of(string):
    length = string_length(string)
    return ctypes.string_at(string_data(string), length) if length else b""


def integer(value):
    number = int.from_bytes(octets_of(value), "big")
    return -number if string_type(value) & 0x100 else number


def moment(time):
    tm = Tm()
    if to_tm(time, byref(tm)) != 1:
        return None
    return (tm.year + 1900, tm.mon + 1, tm.mday, tm.hour, tm.min, tm.sec)


def dotted(oid):
    size = text_of(None, 0, oid, 1)
    if size <= 0:
        return None
    buffer = ctypes.create_string_buffer(size + 1)
    text_of(buffer, size + 1, oid, 1)
    return buffer.value.decode()


def name(x):
    entries = [get_entry(x, n) for n in range(entry_count(x))]
    return [(dotted(entry_object(entry)), text(entry_data(entry))) for entry in entries]


def text(string):
    """The value as text; None when OpenSSL does not turn it into UTF-8."""
    out = P()
    length = to_utf8(byref(out), string)
    if length < 0:
        clear()
        return None
    octets = ctypes.string_at(out, length)
    release(out, b"", 0)
    return octets.decode("utf-8", "replace")
