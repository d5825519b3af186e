#!/bin/sh
# Copies the fixtures into the corpora of the fuzz targets, and makes small PKCS #12 files whose
# key derivation is cheap enough for a fuzzer (with the openssl command line, if there is one).
set -eu
cd "$(dirname "$0")"
samples=../fixtures/samples

for target in reader sniff certificate crl ocsp cms pkcs12; do
    mkdir -p "corpus/$target"
done

cp "$samples"/certificate-*.der corpus/certificate
cp "$samples"/crl-*.der corpus/crl
cp "$samples"/ocsp-*.der corpus/ocsp
cp "$samples"/cms-*.?er "$samples"/pkcs7-*.p7b corpus/cms
cp "$samples"/pkcs12-*.p12 corpus/pkcs12
cp "$samples"/*.der "$samples"/*.ber "$samples"/*.p7b "$samples"/*.p12 "$samples"/*.pk8 corpus/reader
cp "$samples"/*.pem "$samples"/*.txt "$samples"/concatenated.der "$samples"/public-key-*.der \
    "$samples"/cms-signed-stream.ber corpus/sniff

command -v openssl > /dev/null || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=fuzz \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2> "$work/log"
export_p12() {
    name=$1
    shift
    openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/certificate.pem" -name fuzz \
        -iter 1 "$@" -out "corpus/pkcs12/$name.p12"
}
export_p12 cheap -passout pass:pkiscope
export_p12 cheap-3des -passout pass:pkiscope -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES
export_p12 cheap-open -passout pass: -keypbe NONE -certpbe NONE -nomac
openssl pkcs8 -topk8 -in "$work/key.pem" -outform DER -iter 1 -passout pass:pkiscope \
    -out corpus/reader/cheap.pk8
openssl crl2pkcs7 -nocrl -certfile "$work/certificate.pem" -outform DER -out corpus/cms/small.p7b
openssl x509 -in "$work/certificate.pem" -outform DER -out corpus/certificate/small.der
