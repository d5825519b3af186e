//! Netscape, 2.16.840.1.113730.

use super::family::Family;

pub(super) static FAMILIES: &[Family] = &[Family {
    arc: "2.16.840.1.113730",
    source: "Netscape",
    names: &[
        ("", "netscape"),
        ("1", "nsCertExt"),
        ("1.1", "nsCertType"),
        ("1.2", "nsBaseUrl"),
        ("1.3", "nsRevocationUrl"),
        ("1.4", "nsCaRevocationUrl"),
        ("1.5", "nsCaCrlUrl"),
        ("1.6", "nsCaCertUrl"),
        ("1.7", "nsRenewalUrl"),
        ("1.8", "nsCaPolicyUrl"),
        ("1.9", "nsHomepageUrl"),
        ("1.10", "nsEntityLogo"),
        ("1.11", "nsUserPicture"),
        ("1.12", "nsSslServerName"),
        ("1.13", "nsComment"),
        ("1.14", "nsLostPasswordUrl"),
        ("1.15", "nsCertRenewalTime"),
        ("2", "nsDataType"),
        ("2.1", "nsDataGIF"),
        ("2.2", "nsDataJPEG"),
        ("2.3", "nsDataURL"),
        ("2.4", "nsDataHTML"),
        ("2.5", "nsCertSequence"),
        ("2.6", "nsDataCertURL"),
        ("3", "nsDirectory"),
        ("4", "nsPolicy"),
        ("4.1", "nsSGC"),
        ("5", "nsCertServer"),
        ("5.1", "netscapeCRMFRequest"),
    ],
}];
