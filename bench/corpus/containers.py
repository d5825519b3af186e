"""PKCS#12 files and encrypted keys: what pyca opens with a password, pkiscope must open too."""

import collections
import hashlib
import warnings

import collect
import pkiscope
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs12

# The passwords that the vectors' read-me files and pyca's own tests give.
PASSWORDS = ["", "password", "cryptography", "123456", "foobar", "foo", "baz", "asdf", "a123456",
             "Hello1", "Red Hat Enterprise Linux 7.4", "changeit"]
ENCRYPTED = {"ENCRYPTED PRIVATE KEY", ""}


def compare(binary, corpus):
    """Prints a table, gives the list of what pkiscope alone does not open."""
    blobs = list(collect.blobs(corpus))
    faults, count = [], collections.Counter()
    for password in PASSWORDS:
        opened = {}
        for blob in blobs:
            found = parts(blob, password)
            if found is not None:
                opened[blob] = found
        if opened:
            inside = contents(pkiscope.records(binary, {b.file for b in opened}, password))
            for blob, (kind, wanted) in opened.items():
                mine = inside[hashlib.sha256(blob.octets).hexdigest()]
                count[kind, "pyca"] += 1
                count[kind, "pkiscope"] += wanted <= mine
                if not wanted <= mine:
                    faults.append(f"{blob.name}: pyca opens it with {password!r}: "
                                  f"{sorted(wanted)}, pkiscope has {sorted(mine)}")
    print("| opened with a password | pyca | pkiscope |\n|---|---|---|")
    for kind in sorted({kind for kind, _ in count}):
        print(f"| {kind} | {count[kind, 'pyca']} | {count[kind, 'pkiscope']} |")
    print()
    return faults


def contents(records):
    """What stands in each object: digests of certificates, and `key`."""
    inside = collections.defaultdict(set)
    for record in records:
        container = record.get("inside")
        if container is None:
            by_index = {} if record["index"] == 0 else by_index
            by_index[record["index"]] = top = record.get("sha256")
        else:
            by_index[record["index"]] = top = by_index[container["index"]]
            kind = record.get("kind")
            inside[top].add("key" if kind == "private-key" else record.get("sha256"))
    return inside


def parts(blob, password):
    """The kind of a container and what pyca finds in it with `password`; None when it fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if blob.file.suffix == ".p12":
            return archive(blob, password)
        if password and blob.label in ENCRYPTED:
            try:
                serialization.load_der_private_key(blob.octets, password.encode())
            except Exception:
                return None
            return "private-key", {"key"}
    return None


def archive(blob, password):
    # An empty password and none are two things in PKCS#12 (RFC 7292 B.1).
    for octets in (password.encode(), None) if not password else (password.encode(),):
        try:
            store = pkcs12.load_pkcs12(blob.octets, octets)
        except Exception:
            continue
        found = {"key"} if store.key else set()
        for entry in [store.cert, *store.additional_certs]:
            if entry is not None:
                der = entry.certificate.public_bytes(serialization.Encoding.DER)
                found.add(hashlib.sha256(der).hexdigest())
        return "pkcs12", found
    return None
