"""What pkiscope says: one run over a list of files and folders."""

import datetime
import json
import subprocess

import values


def records(binary, paths, password=None):
    """The records of all objects found under `paths`."""
    command = [binary, "--batch", "inspect", "--format", "ndjson"]
    if password is not None:
        command += ["--password", password]
    done = subprocess.run(
        [*command, *map(str, paths)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    # 1 is findings, 3 says that some file is no object: a corpus has such files.
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{binary} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def certificate(record):
    """The fields of a certificate's record, in the form of the peers'."""
    return {
        "version": record["version"],
        "serial": int.from_bytes(bytes.fromhex(record["serial_number"]), "big", signed=True),
        "not_before": moment(record["not_before"]),
        "not_after": moment(record["not_after"]),
        "issuer": name(record["issuer"]),
        "subject": name(record["subject"]),
        "signature": record["signature_algorithm"]["oid"],
        "key": record["public_key"]["oid"],
        "bits": record["public_key"]["bits"],
        "extensions": [(e["oid"], e["critical"]) for e in record["extensions"]],
        "values": [values.ours(e) for e in record["extensions"]],
    }


def moment(text):
    """The six numbers of an RFC 3339 time in UTC; None when pkiscope says that it does not read."""
    try:
        time = datetime.datetime.fromisoformat(text or "")
        return time.astimezone(datetime.timezone.utc).timetuple()[:6]
    except ValueError:
        return None


def name(field):
    return [(attribute["oid"], attribute["value"]) for attribute in field["attributes"]]
