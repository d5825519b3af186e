//! ETSI and eIDAS: qualified certificate statements, certificate policies, CAdES, PSD2; ISIS-MTT.

use super::family::Family;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        arc: "0.4.0.1862.1",
        source: "ETSI EN 319 412-5",
        names: &[
            ("1", "id-etsi-qcs-QcCompliance"),
            ("2", "id-etsi-qcs-QcLimitValue"),
            ("3", "id-etsi-qcs-QcRetentionPeriod"),
            ("4", "id-etsi-qcs-QcSSCD"),
            ("5", "id-etsi-qcs-QcPDS"),
            ("6", "id-etsi-qcs-QcType"),
            ("6.1", "id-etsi-qct-esign"),
            ("6.2", "id-etsi-qct-eseal"),
            ("6.3", "id-etsi-qct-web"),
            ("7", "id-etsi-qcs-QcCClegislation"),
        ],
    },
    Family {
        arc: "0.4.0.1456.1",
        source: "ETSI TS 101 456",
        names: &[("1", "qcp-public-with-sscd"), ("2", "qcp-public")],
    },
    Family {
        arc: "0.4.0.2042.1",
        source: "ETSI EN 319 411-1",
        names: &[
            ("1", "ncp"),
            ("2", "ncpplus"),
            ("3", "lcp"),
            ("4", "evcp"),
            ("5", "evcpplus"),
            ("6", "dvcp"),
            ("7", "ovcp"),
        ],
    },
    Family {
        arc: "0.4.0.194112.1",
        source: "ETSI EN 319 411-2",
        names: &[
            ("0", "qcp-natural"),
            ("1", "qcp-legal"),
            ("2", "qcp-natural-qscd"),
            ("3", "qcp-legal-qscd"),
            ("4", "qevcp-w"),
            ("5", "qncp-w"),
            ("6", "qncp-w-gen"),
        ],
    },
    Family {
        arc: "0.4.0.194121.1",
        source: "ETSI EN 319 412-1",
        names: &[
            ("1", "id-etsi-qcs-semanticsId-Natural"),
            ("2", "id-etsi-qcs-semanticsId-Legal"),
            ("3", "id-etsi-qcs-semanticsId-eIDASNatural"),
            ("4", "id-etsi-qcs-semanticsId-eIDASLegal"),
        ],
    },
    Family {
        arc: "0.4.0.19495",
        source: "ETSI TS 119 495",
        names: &[
            ("1.1", "id-psd2-role-psp-as"),
            ("1.2", "id-psd2-role-psp-pi"),
            ("1.3", "id-psd2-role-psp-ai"),
            ("1.4", "id-psd2-role-psp-ic"),
            ("2", "id-etsi-psd2-qcStatement"),
            ("3.1", "qcp-web-psd2"),
        ],
    },
    Family {
        arc: "0.4.0.19422.1",
        source: "ETSI EN 319 422",
        names: &[("1", "esi4-qtstStatement-1")],
    },
    Family {
        arc: "0.4.0.2023.1",
        source: "ETSI EN 319 421",
        names: &[("1", "baseline-ts-policy")],
    },
    Family {
        arc: "0.4.0.1733",
        source: "ETSI TS 101 733, RFC 5126",
        names: &[
            ("1.4.1", "id-etsi-es-IDUP-Mechanism-v1"),
            ("2.1", "id-aa-ets-mimeType"),
            ("2.2", "id-aa-ets-longTermValidation"),
            ("2.4", "id-aa-ets-archiveTimestampV3"),
            ("2.5", "id-aa-ATSHashIndex"),
        ],
    },
    Family {
        arc: "0.4.0.19122.1",
        source: "ETSI EN 319 122-1",
        names: &[
            ("1", "id-aa-ets-signerAttrV2"),
            ("3", "id-aa-ets-sigPolicyStore"),
            ("4", "id-aa-ATSHashIndex-v2"),
            ("5", "id-aa-ATSHashIndex-v3"),
        ],
    },
    Family {
        arc: "0.4.0.2231.3",
        source: "ETSI TS 119 612",
        names: &[("0", "id-tsl-kp-tslSigning")],
    },
    Family {
        arc: "1.3.36.8.3",
        source: "ISIS-MTT, Common PKI",
        names: &[
            ("1", "dateOfCertGen"),
            ("2", "procuration"),
            ("3", "x509ExtAdmission"),
            ("4", "monetaryLimit"),
            ("5", "declarationOfMajority"),
            ("6", "iCCSN"),
            ("7", "pKReference"),
            ("8", "restriction"),
            ("9", "retrieveIfAllowed"),
            ("10", "requestedCertificate"),
            ("11", "namingAuthorities"),
            ("11.1", "rechtWirtschaftSteuern"),
            ("12", "certInDirSince"),
            ("13", "certHash"),
            ("14", "nameAtBirth"),
            ("15", "additionalInformation"),
        ],
    },
    Family {
        arc: "0.2.262.1.10.7",
        source: "Deutsche Telekom (TeleSec)",
        names: &[("20", "nameDistinguisher")],
    },
    Family {
        arc: "1.2.752.201.5",
        source: "RFC 7773",
        names: &[("", "id-eleg-ce"), ("1", "id-ce-authContext")],
    },
];
