"""The decoded values of extensions: pkiscope's JSON and pyca's objects brought into one form."""

import datetime

from cryptography import x509

USAGES = {
    "digitalSignature": "digital_signature",
    "nonRepudiation": "content_commitment",
    "keyEncipherment": "key_encipherment",
    "dataEncipherment": "data_encipherment",
    "keyAgreement": "key_agreement",
    "keyCertSign": "key_cert_sign",
    "cRLSign": "crl_sign",
}
AGREEMENT = {"encipherOnly": "encipher_only", "decipherOnly": "decipher_only"}
EPOCH = datetime.datetime(1970, 1, 1)


def ours(extension):
    """The value of an extension in a record of pkiscope; None for types without a form here."""
    read = OURS.get(extension["oid"])
    value = extension["value"]
    if read is None or not isinstance(value, dict) or "error" in value:
        return None
    return read(value)


def theirs(value):
    """The value as pyca has it; None for types without a form here."""
    read = THEIRS.get(type(value))
    return None if read is None else read(value)


def our_names(names):
    return [(n["type"], n["value"] if n["type"] in ("dns", "email", "uri", "ip") else None)
            for n in names or []]


def their_names(names):
    return [their_name(n) for n in names or []]


def their_name(n):
    for kind, of in ((x509.DNSName, "dns"), (x509.RFC822Name, "email"),
                     (x509.UniformResourceIdentifier, "uri"), (x509.IPAddress, "ip")):
        if isinstance(n, kind):
            return of, str(n.value)
    return ("directory" if isinstance(n, x509.DirectoryName) else
            "registered-id" if isinstance(n, x509.RegisteredID) else "other"), None


def our_points(v):
    return [our_names(p.get("full_name")) for p in v["points"]]


def our_trees(v):
    return [[our_names([tree["base"]])[0] for tree in v.get(side, [])]
            for side in ("permitted", "excluded")]


def our_authority(v):
    serial = v.get("serial_number")
    return (v.get("key_identifier"), our_names(v.get("issuer")),
            serial and int.from_bytes(bytes.fromhex(serial), "big", signed=True))


def their_authority(v):
    key = v.key_identifier
    return (None if key is None else key.hex(), their_names(v.authority_cert_issuer),
            v.authority_cert_serial_number)


def their_usage(v):
    agreement = AGREEMENT if v.key_agreement else {}
    return [name for name, field in {**USAGES, **agreement}.items() if getattr(v, field)]


def their_scts(v):
    return [(sct.log_id.hex(), round((sct.timestamp - EPOCH).total_seconds() * 1000))
            for sct in v]


OURS = {
    "2.5.29.14": lambda v: v["key_identifier"],
    # pyca shows encipherOnly and decipherOnly with keyAgreement alone.
    "2.5.29.15": lambda v: [u for u in v["usages"]
                            if u in USAGES or (u in AGREEMENT and "keyAgreement" in v["usages"])],
    "2.5.29.17": lambda v: our_names(v["names"]),
    "2.5.29.18": lambda v: our_names(v["names"]),
    "2.5.29.19": lambda v: (v["ca"], v.get("path_length")),
    "2.5.29.30": our_trees,
    "2.5.29.31": our_points,
    "2.5.29.32": lambda v: [p["oid"] for p in v["policies"]],
    "2.5.29.33": lambda v: [(m["issuer_domain_policy"]["oid"], m["subject_domain_policy"]["oid"])
                            for m in v["mappings"]],
    "2.5.29.35": our_authority,
    "2.5.29.36": lambda v: (v.get("require_explicit_policy"), v.get("inhibit_policy_mapping")),
    "2.5.29.37": lambda v: [p["oid"] for p in v["purposes"]],
    "2.5.29.46": our_points,
    "2.5.29.54": lambda v: v["skip_certs"],
    "1.3.6.1.5.5.7.1.1": lambda v: [(d["method"]["oid"], our_names([d["location"]])[0])
                                    for d in v["descriptions"]],
    "1.3.6.1.5.5.7.1.24": lambda v: [f["number"] for f in v["features"]],
    "1.3.6.1.4.1.11129.2.4.2": lambda v: [(t.get("log_id"), t.get("timestamp_ms"))
                                          for t in v["timestamps"]],
}

THEIRS = {
    x509.SubjectKeyIdentifier: lambda v: v.digest.hex(),
    x509.KeyUsage: their_usage,
    x509.SubjectAlternativeName: their_names,
    x509.IssuerAlternativeName: their_names,
    x509.BasicConstraints: lambda v: (v.ca, v.path_length),
    x509.NameConstraints: lambda v: [their_names(v.permitted_subtrees),
                                     their_names(v.excluded_subtrees)],
    x509.CRLDistributionPoints: lambda v: [their_names(p.full_name) for p in v],
    x509.FreshestCRL: lambda v: [their_names(p.full_name) for p in v],
    x509.CertificatePolicies: lambda v: [p.policy_identifier.dotted_string for p in v],
    x509.AuthorityKeyIdentifier: their_authority,
    x509.PolicyConstraints: lambda v: (v.require_explicit_policy, v.inhibit_policy_mapping),
    x509.ExtendedKeyUsage: lambda v: [p.dotted_string for p in v],
    x509.InhibitAnyPolicy: lambda v: v.skip_certs,
    x509.AuthorityInformationAccess: lambda v: [
        (d.access_method.dotted_string, their_name(d.access_location)) for d in v],
    x509.TLSFeature: lambda v: [f.value for f in v],
    x509.PrecertificateSignedCertificateTimestamps: their_scts,
}
