//! BER that is not DER: ends of indefinite values, conversion to DER.
