//! Text of foreign origin made safe to show.
