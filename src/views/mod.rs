//! Widgets and screens: state, actions and drawing.

pub mod action;
pub mod bars;
pub mod bench;
pub mod browse;
#[cfg(test)]
mod driver;
pub mod event;
pub mod help;
pub mod key_table;
pub mod keymap;
pub mod pipeline;
pub mod prompt;
pub mod runs;
#[cfg(test)]
pub mod snapshot;
pub mod theme;
pub mod widgets;
