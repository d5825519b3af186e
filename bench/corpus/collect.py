"""Finds the corpora and takes the objects out of their files, without any help of pkiscope."""

import base64
import binascii
import json
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

BLOCK = re.compile(
    rb"-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?\n(.*?)-----END \1-----", re.DOTALL
)
STRING = re.compile(r'from_slice\(b"((?:[^"\\]|\\.)*)"', re.DOTALL)
ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0"}
# Suffixes of files that hold one DER object in the corpora.
BINARY = {".der", ".crt", ".crl", ".cer", ".p12", ".p7b", ".csr", ".cp"}


@dataclass
class Corpus:
    """A named set of files, and the folder or files that pkiscope is given."""

    name: str
    paths: list[pathlib.Path]
    # Only what these PEM labels and suffixes say is an object; text vectors are no objects.
    files: list[pathlib.Path] = field(default_factory=list)

    def __post_init__(self):
        for path in self.paths:
            found = [path] if path.is_file() else sorted(path.rglob("*"))
            self.files += [file for file in found if file.is_file()]


@dataclass(frozen=True)
class Blob:
    """The octets of one object, and the PEM label it stood under."""

    file: pathlib.Path
    label: str
    octets: bytes
    locked: bool = False

    @property
    def name(self):
        return "/".join(self.file.parts[-2:])


def blobs(corpus):
    """Every PEM block of the files, and every file that is binary."""
    for file in corpus.files:
        octets = file.read_bytes()
        blocks = list(BLOCK.finditer(octets))
        for block in blocks:
            blob = from_block(file, block.group(1).decode(), block.group(2))
            if blob is not None:
                yield blob
        if not blocks and file.suffix in BINARY:
            yield Blob(file, "", octets)


def from_block(file, label, body):
    """The object of a PEM block; None when its base64 is broken."""
    lines = body.replace(b"\r", b"").split(b"\n")
    locked = any(line.startswith(b"DEK-Info") for line in lines)
    if any(b":" in line for line in lines):
        # Headers end at the first empty line (RFC 1421 4.4).
        lines = lines[lines.index(b"") :] if b"" in lines else []
    try:
        octets = base64.b64decode(b"".join(line.strip() for line in lines), validate=True)
    except binascii.Error:
        return None
    return Blob(file, label, octets, locked)


def webpki_roots(repository, scratch):
    """The roots of the crate that pkiscope embeds, written to DER files."""
    package = next(
        package
        for package in json.loads(
            subprocess.run(
                ["cargo", "metadata", "--format-version", "1", "--locked"],
                cwd=repository, check=True, capture_output=True,
            ).stdout
        )["packages"]
        if package["name"] == "webpki-root-certs"
    )
    source = pathlib.Path(package["manifest_path"]).parent / "src" / "lib.rs"
    folder = scratch / "webpki-root-certs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    literals = STRING.findall(source.read_text("utf-8"))
    for number, literal in enumerate(literals):
        (folder / f"root-{number:03}.der").write_bytes(unescape(literal.encode()))
    return Corpus(f"webpki-root-certs {package['version']}", [folder])


def unescape(literal):
    """The octets of a Rust byte string literal."""

    def one(match):
        if match.group(1):
            return bytes([int(match.group(1), 16)])
        return PLAIN.get(match.group(2), match.group(2))

    return ESCAPE.sub(one, literal)


def debian_roots():
    """The roots of Debian's ca-certificates; None on other systems."""
    folder = pathlib.Path("/usr/share/ca-certificates")
    if not folder.is_dir():
        return None
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "ca-certificates"],
        capture_output=True, text=True, check=False,
    ).stdout
    return Corpus(f"ca-certificates {version}".strip(), [folder])


def vectors():
    """The package `cryptography_vectors` of this Python."""
    import cryptography_vectors

    folder = pathlib.Path(cryptography_vectors.__file__).parent
    return Corpus(f"cryptography_vectors {cryptography_vectors.__version__}", [folder])


def zlint():
    """The test data of the zlint module; None without `go`."""
    if shutil.which("go") is None:
        print("no `go`: zlint's test data are left out", file=sys.stderr)
        return None
    answer = subprocess.run(
        ["go", "mod", "download", "-json", "github.com/zmap/zlint/v3@latest"],
        check=True, capture_output=True,
    ).stdout
    module = json.loads(answer)
    return Corpus(f"zlint {module['Version']}", [pathlib.Path(module["Dir"]) / "testdata"])
