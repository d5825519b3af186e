//! Semantic colours and glyphs. Screens ask for a [`Token`], never for a colour.
//!
//! The palette is chosen once. Monochrome tells the tokens apart by style (bold, dim,
//! underlined, reversed), so that colour is a second voice only.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// Plain text.
    Text,
    /// Program name, the title of a pane without the focus, headings.
    Title,
    /// The title of the pane with the focus.
    TitleFocus,
    /// ASN.1 types and tags.
    Type,
    /// Field names of the schema.
    Name,
    /// Decoded text values and OID names.
    Value,
    /// Numbers, offsets, lengths.
    Number,
    /// Times.
    Time,
    /// All is well.
    Good,
    /// Take care.
    Warn,
    /// Broken.
    Bad,
    /// What matters less.
    Dim,
    /// The chosen row in the pane with the focus.
    Selection,
    /// The chosen row in another pane.
    SelectionDim,
    /// Tag octets of the chosen node.
    TagOctets,
    /// Length octets of the chosen node.
    LengthOctets,
    /// Content octets of the chosen node.
    ContentOctets,
    /// Octets of the ancestors' headers.
    Ancestor,
    /// A search hit.
    Hit,
    /// Lines between panes.
    Border,
    /// Lines of the pane with the focus and of popups.
    BorderFocus,
    /// A key in the footer and in the help.
    Key,
}

impl Token {
    /// Every token.
    pub const ALL: [Self; 22] = [
        Self::Text,
        Self::Title,
        Self::TitleFocus,
        Self::Type,
        Self::Name,
        Self::Value,
        Self::Number,
        Self::Time,
        Self::Good,
        Self::Warn,
        Self::Bad,
        Self::Dim,
        Self::Selection,
        Self::SelectionDim,
        Self::TagOctets,
        Self::LengthOctets,
        Self::ContentOctets,
        Self::Ancestor,
        Self::Hit,
        Self::Border,
        Self::BorderFocus,
        Self::Key,
    ];
}

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// 24-bit colours.
    TrueColor,
    /// The 256 colours of xterm.
    Ansi256,
    /// The 16 colours of the terminal's own theme.
    Ansi16,
    /// Styles only.
    Mono,
}

impl Palette {
    /// Every palette, richest first.
    pub const ALL: [Self; 4] = [Self::TrueColor, Self::Ansi256, Self::Ansi16, Self::Mono];

    /// The name for `--theme` and the configuration file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::TrueColor => "truecolor",
            Self::Ansi256 => "256",
            Self::Ansi16 => "16",
            Self::Mono => "mono",
        }
    }

    /// The palette with this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|palette| palette.id() == id)
    }

    /// What the terminal says of itself: `COLORTERM`, then `TERM`.
    #[must_use]
    pub fn detect(colorterm: Option<&str>, term: Option<&str>) -> Self {
        if matches!(colorterm, Some("truecolor" | "24bit")) {
            return Self::TrueColor;
        }
        match term {
            Some(term) if term.ends_with("-direct") => Self::TrueColor,
            Some(term) if term.contains("256color") => Self::Ansi256,
            Some("dumb" | "vt100" | "vt102" | "vt220" | "vt320") => Self::Mono,
            Some(term) if term.ends_with("-mono") || term.ends_with("-m") => Self::Mono,
            _ => Self::Ansi16,
        }
    }
}

/// The signs of a screen; every one is one column wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyphs {
    /// An open node.
    pub open: &'static str,
    /// A closed node.
    pub closed: &'static str,
    /// The mark before the chosen row.
    pub cursor: &'static str,
    /// Text goes on.
    pub ellipsis: &'static str,
    /// A finding. The same in both sets: `!`.
    pub finding: &'static str,
    /// Well.
    pub good: &'static str,
    /// Broken.
    pub bad: &'static str,
    /// Between facts on one line.
    pub dot: &'static str,
    /// Horizontal line.
    pub horizontal: &'static str,
    /// Vertical line.
    pub vertical: &'static str,
    /// A vertical line begins under a horizontal one.
    pub tee_down: &'static str,
    /// A vertical line ends on a horizontal one.
    pub tee_up: &'static str,
    /// A horizontal line leaves a vertical one to the right.
    pub tee_right: &'static str,
    /// A horizontal line leaves a vertical one to the left.
    pub tee_left: &'static str,
    /// Lines cross.
    pub cross: &'static str,
    /// Corners of a popup: top left, top right, bottom left, bottom right.
    pub corners: [&'static str; 4],
    /// Start and end of the validity bar.
    pub bar_ends: [&'static str; 2],
    /// Now, in the validity bar.
    pub bar_mark: &'static str,
    /// The thumb and the track of a scroll bar.
    pub scroll: [&'static str; 2],
    /// Marks in a scroll bar: a search hit.
    pub hit: &'static str,
    /// Arrows: left, up, right, down.
    pub arrows: [&'static str; 4],
    /// Frames of the sign that work goes on.
    pub busy: &'static [&'static str],
    /// Fillings of a cell from below, the whole one last.
    pub levels: &'static [&'static str],
    /// Fillings of a cell from the left, the whole one last.
    pub fillings: &'static [&'static str],
}

/// Box drawing and symbols.
const UNICODE: Glyphs = Glyphs {
    open: "▾",
    closed: "▸",
    cursor: "▌",
    ellipsis: "…",
    finding: "!",
    good: "✓",
    bad: "✗",
    dot: "·",
    horizontal: "─",
    vertical: "│",
    tee_down: "┬",
    tee_up: "┴",
    tee_right: "├",
    tee_left: "┤",
    cross: "┼",
    corners: ["┌", "┐", "└", "┘"],
    bar_ends: ["├", "┤"],
    bar_mark: "●",
    scroll: ["█", "░"],
    hit: "•",
    arrows: ["←", "↑", "→", "↓"],
    busy: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    levels: &["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    fillings: &["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
};

/// For terminals and fonts without them.
const ASCII: Glyphs = Glyphs {
    open: "v",
    closed: ">",
    cursor: ">",
    ellipsis: "~",
    finding: "!",
    good: "+",
    bad: "x",
    dot: "-",
    horizontal: "-",
    vertical: "|",
    tee_down: "+",
    tee_up: "+",
    tee_right: "+",
    tee_left: "+",
    cross: "+",
    corners: ["+", "+", "+", "+"],
    bar_ends: ["|", "|"],
    bar_mark: "o",
    scroll: ["#", ":"],
    hit: "*",
    arrows: ["<", "^", ">", "v"],
    busy: &["|", "/", "-", "\\"],
    levels: &[".", ":", "|", "#"],
    fillings: &["-", "#"],
};

/// The palette and the glyphs, chosen once.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    palette: Palette,
    /// The signs.
    pub glyphs: &'static Glyphs,
}

impl Theme {
    /// A theme.
    #[must_use]
    pub const fn new(palette: Palette, ascii: bool) -> Self {
        Self { palette, glyphs: if ascii { &ASCII } else { &UNICODE } }
    }

    /// Its palette.
    #[must_use]
    pub const fn palette(&self) -> Palette {
        self.palette
    }

    /// Whether lines and signs are ASCII.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.glyphs.ellipsis.is_ascii()
    }

    /// How `token` looks.
    #[must_use]
    pub fn style(&self, token: Token) -> Style {
        match self.palette {
            Palette::TrueColor => rich(
                token,
                [
                    rgb(0x7a, 0xa2, 0xf7),
                    rgb(0xbb, 0x9a, 0xf7),
                    rgb(0x7d, 0xcf, 0xff),
                    rgb(0xe0, 0xaf, 0x68),
                    rgb(0x73, 0xda, 0xca),
                    rgb(0x9e, 0xce, 0x6a),
                    rgb(0xff, 0x9e, 0x64),
                    rgb(0xf7, 0x76, 0x8e),
                    rgb(0x7f, 0x87, 0xa8),
                    rgb(0x2f, 0x3b, 0x63),
                    rgb(0x2a, 0x2d, 0x3f),
                ],
            ),
            Palette::Ansi256 => rich(
                token,
                [
                    Color::Indexed(75),
                    Color::Indexed(141),
                    Color::Indexed(117),
                    Color::Indexed(179),
                    Color::Indexed(79),
                    Color::Indexed(113),
                    Color::Indexed(215),
                    Color::Indexed(204),
                    Color::Indexed(245),
                    Color::Indexed(24),
                    Color::Indexed(236),
                ],
            ),
            Palette::Ansi16 => sixteen(token),
            Palette::Mono => mono(token),
        }
    }
}

const fn rgb(r: u8, g: u8, b: u8) -> Color {
    Color::Rgb(r, g, b)
}

/// Colours: blue, violet, sky, sand, teal, green, orange, red, grey, selection, faint selection.
fn rich(token: Token, colours: [Color; 11]) -> Style {
    let [blue, violet, sky, sand, teal, green, orange, red, grey, chosen, faint] = colours;
    let style = Style::new();
    match token {
        Token::Text | Token::Value => style,
        Token::Title | Token::Key => style.fg(blue),
        Token::TitleFocus => style.fg(blue).add_modifier(Modifier::BOLD | Modifier::REVERSED),
        Token::Type => style.fg(violet),
        Token::Name => style.fg(sky),
        Token::Number => style.fg(sand),
        Token::Time => style.fg(teal),
        Token::Good => style.fg(green),
        Token::Warn => style.fg(orange).add_modifier(Modifier::BOLD),
        Token::Bad => style.fg(red).add_modifier(Modifier::BOLD),
        Token::Dim | Token::Border => style.fg(grey),
        Token::BorderFocus => style.fg(blue).add_modifier(Modifier::BOLD),
        Token::Selection => style.bg(chosen).add_modifier(Modifier::BOLD),
        Token::SelectionDim => style.bg(faint),
        Token::TagOctets => style.fg(Color::Black).bg(violet),
        Token::LengthOctets => style.fg(Color::Black).bg(sand),
        Token::ContentOctets => style.fg(Color::Black).bg(sky),
        Token::Ancestor => style.fg(violet).add_modifier(Modifier::UNDERLINED),
        Token::Hit => style.fg(Color::Black).bg(green),
    }
}

/// The terminal's own colours: foregrounds that read on light and on dark backgrounds.
fn sixteen(token: Token) -> Style {
    let style = Style::new();
    match token {
        Token::Text | Token::Value => style,
        Token::Title | Token::Key => style.fg(Color::Blue),
        Token::TitleFocus => {
            style.fg(Color::Blue).add_modifier(Modifier::BOLD | Modifier::REVERSED)
        }
        Token::Type => style.fg(Color::Magenta),
        Token::Name | Token::Time => style.fg(Color::Cyan),
        Token::Number => style.fg(Color::Yellow),
        Token::Good => style.fg(Color::Green),
        Token::Warn => style.fg(Color::Yellow).add_modifier(Modifier::BOLD),
        Token::Bad => style.fg(Color::Red).add_modifier(Modifier::BOLD),
        Token::Dim | Token::Border => style.add_modifier(Modifier::DIM),
        Token::BorderFocus => style.fg(Color::Blue).add_modifier(Modifier::BOLD),
        Token::Selection => style.add_modifier(Modifier::REVERSED),
        Token::SelectionDim => style.add_modifier(Modifier::UNDERLINED),
        Token::TagOctets => style.fg(Color::Black).bg(Color::Magenta),
        Token::LengthOctets => style.fg(Color::Black).bg(Color::Yellow),
        Token::ContentOctets => style.fg(Color::Black).bg(Color::Cyan),
        Token::Ancestor => style.fg(Color::Magenta).add_modifier(Modifier::UNDERLINED),
        Token::Hit => style.fg(Color::Black).bg(Color::Green),
    }
}

fn mono(token: Token) -> Style {
    let modifier = match token {
        Token::Text | Token::Value | Token::Number | Token::Time | Token::Good | Token::Type => {
            Modifier::empty()
        }
        Token::Dim | Token::Border => Modifier::DIM,
        Token::Title | Token::Key | Token::Name | Token::BorderFocus => Modifier::BOLD,
        Token::TitleFocus | Token::Bad => Modifier::BOLD.union(Modifier::REVERSED),
        Token::Warn => Modifier::BOLD.union(Modifier::UNDERLINED),
        Token::Selection | Token::ContentOctets => Modifier::REVERSED,
        Token::SelectionDim | Token::Ancestor => Modifier::UNDERLINED,
        Token::TagOctets => Modifier::REVERSED.union(Modifier::BOLD).union(Modifier::UNDERLINED),
        Token::LengthOctets => Modifier::REVERSED.union(Modifier::UNDERLINED),
        Token::Hit => Modifier::BOLD.union(Modifier::ITALIC).union(Modifier::UNDERLINED),
    };
    Style::new().add_modifier(modifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_says_its_colours() {
        let cases = [
            (Some("truecolor"), Some("xterm"), Palette::TrueColor),
            (Some("24bit"), None, Palette::TrueColor),
            (None, Some("xterm-256color"), Palette::Ansi256),
            (Some(""), Some("tmux-256color"), Palette::Ansi256),
            (None, Some("xterm-direct"), Palette::TrueColor),
            (None, Some("linux"), Palette::Ansi16),
            (None, Some("dumb"), Palette::Mono),
            (None, Some("xterm-mono"), Palette::Mono),
            (None, None, Palette::Ansi16),
        ];
        for (colorterm, term, wanted) in cases {
            assert_eq!(Palette::detect(colorterm, term), wanted, "{colorterm:?} {term:?}");
        }
    }

    #[test]
    fn monochrome_keeps_what_must_be_told_apart() {
        let theme = Theme::new(Palette::Mono, false);
        for token in Token::ALL {
            let style = theme.style(token);
            assert_eq!((style.fg, style.bg), (None, None), "{token:?} has a colour");
        }
        let octets = [
            Token::Text,
            Token::TagOctets,
            Token::LengthOctets,
            Token::ContentOctets,
            Token::Ancestor,
            Token::Hit,
        ];
        for palette in Palette::ALL {
            let theme = Theme::new(palette, true);
            for (index, a) in octets.iter().enumerate() {
                for b in &octets[index + 1..] {
                    assert_ne!(theme.style(*a), theme.style(*b), "{a:?} and {b:?} in {palette:?}");
                }
            }
            assert_ne!(theme.style(Token::Selection), theme.style(Token::SelectionDim));
            assert_ne!(theme.style(Token::Selection), theme.style(Token::Text));
        }
    }

    #[test]
    fn every_glyph_is_one_column_wide() {
        use unicode_width::UnicodeWidthStr as _;
        for (glyphs, ascii) in [(&UNICODE, false), (&ASCII, true)] {
            let mut all = vec![
                glyphs.open,
                glyphs.closed,
                glyphs.cursor,
                glyphs.ellipsis,
                glyphs.finding,
                glyphs.good,
                glyphs.bad,
                glyphs.dot,
                glyphs.horizontal,
                glyphs.vertical,
                glyphs.tee_down,
                glyphs.tee_up,
                glyphs.tee_right,
                glyphs.tee_left,
                glyphs.cross,
                glyphs.bar_mark,
                glyphs.hit,
            ];
            all.extend(glyphs.corners);
            all.extend(glyphs.bar_ends);
            all.extend(glyphs.scroll);
            all.extend(glyphs.arrows);
            all.extend(glyphs.busy);
            all.extend(glyphs.levels);
            all.extend(glyphs.fillings);
            for glyph in all {
                assert_eq!(glyph.width(), 1, "{glyph:?}");
                assert_eq!(glyph.is_ascii(), ascii || glyph == glyphs.finding, "{glyph:?}");
            }
        }
    }

    #[test]
    fn names_of_palettes_read_back() {
        for palette in Palette::ALL {
            assert_eq!(Palette::by_id(palette.id()), Some(palette));
        }
        assert_eq!(Palette::by_id("pink"), None);
    }
}
