//! Microsoft, 1.3.6.1.4.1.311.

use super::table::Family;

pub(super) static FAMILIES: &[Family] = &[Family {
    arc: "1.3.6.1.4.1.311.60.2.1",
    source: "Microsoft, CA/Browser Forum EV Guidelines",
    names: &[
        ("1", "jurisdictionLocalityName"),
        ("2", "jurisdictionStateOrProvinceName"),
        ("3", "jurisdictionCountryName"),
    ],
}];
