#!/usr/bin/env bash
# Builds the source of the vendored OpenSSL once more, by its own Configure with
# enable-ec_nistp_64_gcc_128 as distributions do, and lets its `openssl speed` time P-384 and
# P-521: what `pkiscope-bench table --only ecdsa` prints must not be slower.
set -euo pipefail
cd "$(dirname "$0")"

manifest=$(cargo metadata --format-version 1 --locked |
    grep -o '"manifest_path":"[^"]*/openssl-src-[^"]*/Cargo.toml"' | head -n 1 | cut -d'"' -f4)
source=$(dirname "$manifest")/openssl
build=${CARGO_TARGET_DIR:-target}/reference-openssl
if [ ! -x "$build/apps/openssl" ]; then
    mkdir -p "$build"
    (
        cd "$build"
        "$source/Configure" enable-ec_nistp_64_gcc_128 no-shared no-module no-tests >configure.log
        make build_generated >make.log 2>&1
        make -j"$(nproc)" apps/openssl >>make.log 2>&1
    )
fi
"$build/apps/openssl" version
"$build/apps/openssl" speed -seconds "${1:-3}" ecdsap256 ecdsap384 ecdsap521 2>/dev/null |
    sed -n '/sign/,$p'
