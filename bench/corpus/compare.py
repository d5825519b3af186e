#!/usr/bin/env python3
"""Compares `pkiscope --batch inspect` with OpenSSL and pyca/cryptography over public corpora.

Usage: python3 bench/corpus/compare.py target/release/pkiscope [--rules] [--update]

Makes a virtual environment under target/corpus, runs itself in it, prints tables in Markdown,
and exits with 1 when pkiscope differs from a peer or rejects what a peer accepts.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import subprocess
import sys
import venv

# The repository stays clean of compiled scripts.
sys.dont_write_bytecode = True

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
SCRATCH = REPOSITORY / "target" / "corpus"
# Differences are listed so far; the table has their number.
LISTED = 40


def main():
    options = parse()
    python = SCRATCH / "venv" / "bin" / "python"
    if pathlib.Path(sys.prefix) != SCRATCH / "venv":
        prepare(python, options.update)
        os.execv(python, [str(python), *sys.argv])
    sys.exit(compare(options))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", help="the pkiscope binary")
    parser.add_argument("--rules", action="store_true", help="how often each rule is broken")
    parser.add_argument("--update", action="store_true", help="install the newest packages")
    return parser.parse_args()


def prepare(python, update):
    if update or not python.exists():
        venv.create(SCRATCH / "venv", with_pip=True)
        packages = ["cryptography", "cryptography_vectors"]
        command = [python, "-m", "pip", "install", "--quiet", "--upgrade", *packages]
        subprocess.run(command, check=True)


def compare(options):
    import collect
    import containers
    import cryptography
    import openssl

    binary = str(pathlib.Path(options.binary).resolve())
    print(f"{openssl.version()}; pyca/cryptography {cryptography.__version__}\n")
    corpora = [collect.webpki_roots(REPOSITORY, SCRATCH), collect.debian_roots()]
    corpora += [collect.vectors(), collect.zlint()]
    corpora = [Tested(corpus, binary) for corpus in corpora if corpus is not None]
    tables(corpora)
    if options.rules:
        rules(corpora)
    faults = [fault for corpus in corpora for fault in corpus.faults]
    faults += containers.compare(binary, collect.vectors())
    for fault in faults[:LISTED]:
        print(f"- {fault}")
    if len(faults) > LISTED:
        print(f"- and {len(faults) - LISTED} more")
    return 1 if faults else 0


class Tested:
    """A corpus after the comparison."""

    def __init__(self, corpus, binary):
        import collect
        import pkiscope

        self.name = corpus.name
        self.count = collections.Counter()
        self.differences = collections.Counter()
        self.rules = collections.Counter()
        self.objects = collections.Counter()
        self.faults = []
        # By digest: pkiscope found the object in the file by itself.
        self.records = collections.defaultdict(list)
        for record in pkiscope.records(binary, corpus.paths):
            if record.get("sha256"):
                self.records[record["sha256"]].append(record)
        seen = set()
        for blob in collect.blobs(corpus):
            digest = hashlib.sha256(blob.octets).hexdigest()
            if digest not in seen and not blob.locked:
                seen.add(digest)
                self.blob(blob, self.records.get(digest, []))

    def blob(self, blob, records):
        import openssl
        import pyca

        theirs = {"openssl": openssl.certificate(blob.octets)}
        theirs["pyca"] = pyca.certificate(blob.octets)
        if blob.label.endswith("CERTIFICATE") or any(theirs.values()):
            self.certificate(blob, records, theirs)
        else:
            self.other(blob, records, openssl.kinds(blob.octets))

    def certificate(self, blob, records, theirs):
        import pkiscope
        import pyca

        whole = [r for r in records if r.get("kind") == "certificate" and not r.get("error")]
        accepted = {"openssl"} if theirs["openssl"] is not None else set()
        accepted |= {"pyca"} if pyca.accepts(theirs["pyca"]) else set()
        self.count["certificates"] += 1
        self.count["pkiscope"] += bool(whole)
        for peer in accepted:
            self.count[peer] += 1
        self.count["both"] += len(accepted) == 2
        if not whole:
            self.count["neither"] += not accepted
            if accepted:
                self.count["rejected"] += 1
                error = next((r.get("error") for r in records), "not found")
                self.faults.append(f"{blob.name}: {', '.join(accepted)} accept it: {error}")
            return
        findings = {finding["rule"] for finding in whole[0]["findings"]}
        self.count["findings"] += bool(findings)
        self.rules.update(findings)
        ours = pkiscope.certificate(whole[0])
        for peer, fields in theirs.items():
            self.fields(blob, ours, peer, fields or {})

    def fields(self, blob, ours, peer, theirs):
        for field, value in theirs.items():
            self.count["compared"] += compared(value)
            if not same(field, ours[field], value):
                self.differences[field] += 1
                self.faults.append(
                    f"{blob.name}: {field}: pkiscope {ours[field]!r}, {peer} {value!r}"
                )

    def other(self, blob, records, kinds):
        """What OpenSSL accepts as something else must be of that kind for pkiscope too."""
        if not kinds:
            return
        whole = {r["kind"] for r in records if not r.get("error")}
        kind = min(whole & kinds or kinds)
        self.objects[kind, "openssl"] += 1
        if whole & kinds:
            self.objects[kind, "pkiscope"] += 1
        else:
            error = next((r.get("error") for r in records), None)
            self.faults.append(
                f"{blob.name}: openssl reads {sorted(kinds)}, pkiscope {sorted(whole)} {error}"
            )


def compared(value):
    """How many things a field of a peer says: a list of extensions or attributes says many."""
    if isinstance(value, list):
        return sum(item is not None for item in value)
    return value is not None


def same(field, ours, theirs):
    """Whether the field is the same, where the peer says anything about it."""
    if theirs is None:
        return True
    if field in ("issuer", "subject"):
        # A value that is no text has no text; pkiscope shows its octets.
        return [oid for oid, _ in ours] == [oid for oid, _ in theirs] and all(
            value is None or value == mine for (_, mine), (_, value) in zip(ours, theirs)
        )
    if field == "values":
        return len(ours) == len(theirs) and all(
            value is None or value == mine for mine, value in zip(ours, theirs)
        )
    return ours == theirs


def tables(corpora):
    columns = ["certificates", "pkiscope", "openssl", "pyca", "both", "rejected", "findings"]
    print("| corpus | certificates | pkiscope accepts | OpenSSL | pyca | both "
          "| rejected by pkiscope | values compared | fields that differ | with findings |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for corpus in corpora:
        cells = [str(corpus.count[column]) for column in columns]
        cells[6:6] = [str(corpus.count["compared"]), str(sum(corpus.differences.values()))]
        print(f"| {corpus.name} | {' | '.join(cells)} |")
    for corpus in corpora:
        for field, number in corpus.differences.most_common():
            print(f"\n{corpus.name}: {field} differs {number} times")
    print("\n| corpus | other objects | OpenSSL accepts | pkiscope accepts |\n|---|---|---|---|")
    for corpus in corpora:
        for kind in sorted({kind for kind, _ in corpus.objects}):
            openssl, ours = (corpus.objects[kind, who] for who in ("openssl", "pkiscope"))
            print(f"| {corpus.name} | {kind} | {openssl} | {ours} |")
    print()


def rules(corpora):
    for corpus in corpora:
        total = corpus.count["pkiscope"] or 1
        print(f"\n{corpus.name}: rules that its certificates break\n")
        for rule, number in corpus.rules.most_common():
            print(f"{number:6} {100 * number / total:5.1f} %  {rule}")
    print()


if __name__ == "__main__":
    main()
