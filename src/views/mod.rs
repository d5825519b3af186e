//! Widgets and screens: state, actions and drawing.
