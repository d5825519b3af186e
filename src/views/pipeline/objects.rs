//! The objects of a stage: a list that grows page by page.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout::inside;
use super::sources::{ObjectQuery, ObjectRow, Objects, Octets};
use crate::views::bars::ellipsis;
use crate::views::event::{Look, Opened};
use crate::views::theme::{Theme, Token};
use crate::views::widgets::chart::{text, text_right};
use crate::views::widgets::{grouped, pane_title, scroll_bar};

/// Columns of a serial number.
const SERIAL: u16 = 20;

/// Lines above the rows: the title and the head.
pub const HEAD: u16 = 2;

/// How often an object that was taken away is looked for again.
const TRIES: u32 = 5;

/// Objects of a page.
const PAGE: usize = 500;

/// Objects that a list holds at most.
const MOST: usize = 200_000;

/// A list of objects.
#[derive(Debug)]
pub struct ObjectList {
    title: String,
    query: ObjectQuery,
    rows: Vec<ObjectRow>,
    chosen: usize,
    top: usize,
    /// No more objects come.
    complete: bool,
    loading: bool,
    /// The cursor goes to the last row when it is there.
    to_the_end: bool,
    problem: Option<String>,
}

/// An object to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    id: i64,
    /// Gets the list up to it again.
    again: ObjectQuery,
}

impl Chosen {
    /// Its octets and what to call it. Each repetition of a run takes the objects of the one
    /// before away; then it is the one that took this one's place.
    ///
    /// # Errors
    /// One sentence.
    pub fn fetch(mut self, objects: &Objects, octets: &Octets) -> Result<Opened, String> {
        let mut tries = 0;
        loop {
            match octets(self.id) {
                Ok(octets) => {
                    let title = format!("{} {} of the store", self.again.kind, self.id);
                    return Ok(Opened { title, octets });
                }
                Err(why) if tries == TRIES => return Err(why),
                Err(why) => {
                    let rows = objects(&self.again)?;
                    let row = rows.get(self.again.limit - 1).ok_or(why)?;
                    self.id = row.id;
                    tries += 1;
                }
            }
        }
    }
}

impl ObjectList {
    /// The objects of `kind` of a run; nothing is loaded yet.
    #[must_use]
    pub fn new(stage: &str, kind: &'static str, run: Option<i64>) -> Self {
        let of = run.map_or("the newest run".to_owned(), |run| format!("run {run}"));
        Self {
            title: format!("{stage}: {kind}s of {of}"),
            query: ObjectQuery { run, kind, after: None, limit: PAGE },
            rows: Vec::new(),
            chosen: 0,
            top: 0,
            complete: false,
            loading: false,
            to_the_end: false,
            problem: None,
        }
    }

    /// What to load next, if the cursor is near the end of what is there. Whoever gets it loads
    /// it and gives it to [`Self::loaded`].
    pub fn wanted(&mut self, height: usize) -> Option<ObjectQuery> {
        let near = self.to_the_end || self.chosen + 2 * height >= self.rows.len();
        if self.complete || self.loading || !near {
            return None;
        }
        self.loading = true;
        self.query.after = self.rows.last().map(|row| row.id);
        Some(self.query.clone())
    }

    /// Takes a page in.
    pub fn loaded(&mut self, page: Result<Vec<ObjectRow>, String>) {
        self.loading = false;
        match page {
            Ok(page) => {
                self.complete = page.len() < PAGE || self.rows.len() + page.len() >= MOST;
                self.rows.extend(page);
            }
            Err(why) => {
                self.complete = true;
                self.problem = Some(why);
            }
        }
        if self.to_the_end {
            self.chosen = self.rows.len().saturating_sub(1);
            self.to_the_end = !self.complete;
        }
    }

    /// Moves the cursor by so many rows; beyond the end to the end of all there is.
    pub fn step(&mut self, by: isize) {
        self.to_the_end = by == isize::MAX && !self.complete;
        let last = self.rows.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    /// Puts the cursor on a line of the screen; whether there is a row.
    pub fn choose_line(&mut self, line: usize) -> bool {
        let index = self.top + line;
        if index < self.rows.len() {
            self.chosen = index;
        }
        index < self.rows.len()
    }

    /// Scrolls the cursor into a window of so many lines.
    pub fn settle(&mut self, height: usize) {
        let lowest = (self.chosen + 1).saturating_sub(height.max(1));
        self.top = self.top.clamp(lowest, self.chosen.max(lowest));
    }

    /// The chosen object.
    #[must_use]
    pub fn chosen(&self) -> Option<Chosen> {
        let row = self.rows.get(self.chosen)?;
        let mut again = self.query.clone();
        again.after = None;
        again.limit = self.chosen + 1;
        Some(Chosen { id: row.id, again })
    }

    /// Draws the list on `area`, its title in the first line.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let theme = look.theme;
        let more = if self.complete { "" } else { "+" };
        let remark = match (self.loading, self.rows.len()) {
            (true, 0) => "loading".to_owned(),
            (_, 0) => String::new(),
            (_, n) => {
                let (row, all) = (grouped(self.chosen as u64 + 1), grouped(n as u64));
                format!("row {row} of {all}{more}")
            }
        };
        pane_title(frame, area, &self.title, &remark, true, look);
        let area = inside(area);
        let buffer = frame.buffer_mut();
        if self.rows.is_empty() && self.complete {
            let words = self.problem.as_deref().unwrap_or("nothing is stored yet");
            let token = if self.problem.is_some() { Token::Bad } else { Token::Dim };
            let line = Rect { x: area.x + 2, width: area.width.saturating_sub(3), ..area };
            text(buffer, line, &ellipsis(words, line.width.into(), theme), theme.style(token));
            return;
        }
        let head = ["number", "octets", "serial number", "subject"];
        draw_cells(buffer, Rect { height: 1, ..area }, head, [Token::Dim; 4], look.theme);
        let area = inside(area);
        let rows = self.rows.iter().enumerate().skip(self.top);
        for ((index, row), y) in rows.zip(area.top()..area.bottom()) {
            let line = Rect { y, height: 1, width: area.width.saturating_sub(1), ..area };
            draw_row(buffer, line, row, look);
            if index == self.chosen {
                let style = theme.style(Token::Selection);
                buffer.set_style(line, style);
                buffer.set_string(line.x, y, theme.glyphs.cursor, style);
            }
        }
        let bar = Rect { x: area.right().saturating_sub(1), width: 1, ..area };
        scroll_bar(frame, bar, self.rows.len() as u64, self.top as u64, look);
    }
}

fn draw_row(buffer: &mut Buffer, line: Rect, row: &ObjectRow, look: &Look<'_>) {
    let (number, size) = (row.id.to_string(), grouped(row.size));
    let cells = [number.as_str(), size.as_str(), row.serial.as_str(), row.subject.as_str()];
    let tokens = [Token::Dim, Token::Number, Token::Dim, Token::Value];
    draw_cells(buffer, line, cells, tokens, look.theme);
}

/// Number, length, serial number, subject.
fn draw_cells(
    buffer: &mut Buffer,
    line: Rect,
    [number, size, serial, subject]: [&str; 4],
    tokens: [Token; 4],
    theme: &Theme,
) {
    let cell = |x: u16, width: u16| {
        let from = x.min(line.width);
        Rect { x: line.x + from, width: width.min(line.width - from), ..line }
    };
    let style = tokens.map(|token| theme.style(token));
    text_right(buffer, cell(1, 10), number, style[0]);
    text_right(buffer, cell(12, 8), size, style[1]);
    text(buffer, cell(22, SERIAL), &ellipsis(serial, SERIAL.into(), theme), style[2]);
    let rest = cell(24 + SERIAL, u16::MAX);
    text(buffer, rest, &ellipsis(subject, rest.width.into(), theme), style[3]);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn page(from: i64, count: usize) -> Vec<ObjectRow> {
        let row = |id| ObjectRow { id, subject: String::new(), serial: String::new(), size: 700 };
        (from..).take(count).map(row).collect()
    }

    #[test]
    fn pages_are_asked_for_as_the_cursor_comes_near() {
        let mut list = ObjectList::new("cert_gen", "certificate", Some(7));
        let query = list.wanted(20).unwrap();
        assert_eq!((query.run, query.after), (Some(7), None));
        assert_eq!(list.wanted(20), None, "one at a time");
        list.loaded(Ok(page(100, PAGE)));
        assert_eq!(list.wanted(20), None, "far from the end");
        list.step(isize::try_from(PAGE).unwrap() - 10);
        assert_eq!(list.wanted(20).and_then(|query| query.after), Some(599));
        list.loaded(Ok(page(600, 3)));
        list.step(isize::MAX);
        assert_eq!(list.chosen().map(|chosen| chosen.id), Some(602));
        assert_eq!(list.wanted(20), None);
    }

    #[test]
    fn an_object_that_was_taken_away_is_found_by_its_place() {
        let mut list = ObjectList::new("cert_gen", "certificate", Some(7));
        list.wanted(20);
        list.loaded(Ok(page(100, 3)));
        list.step(1);
        let objects: Objects = Arc::new(|query| Ok(page(200, query.limit)));
        let octets: Octets = Arc::new(|id| match id {
            201 => Ok([5, 0].into()),
            _ => Err("it is gone".to_owned()),
        });
        let opened = list.chosen().unwrap().fetch(&objects, &octets).unwrap();
        assert_eq!(
            (&*opened.octets, opened.title.as_str()),
            (&[5, 0][..], "certificate 201 of the store")
        );
        let none: Objects = Arc::new(|_| Ok(Vec::new()));
        for objects in [none, Arc::new(|query: &ObjectQuery| Ok(page(300, query.limit)))] {
            let gone = list.chosen().unwrap().fetch(&objects, &octets);
            assert_eq!(gone.map(|_| ()), Err("it is gone".to_owned()));
        }
    }

    #[test]
    fn the_end_is_the_end_of_all() {
        let mut list = ObjectList::new("cert_gen", "certificate", None);
        list.wanted(20);
        list.loaded(Ok(page(0, PAGE)));
        list.step(isize::MAX);
        assert_eq!(list.wanted(20).and_then(|query| query.after), Some(499));
        list.loaded(Ok(page(500, PAGE)));
        assert_eq!(list.wanted(20).and_then(|query| query.after), Some(999));
        list.loaded(Ok(page(1000, 1)));
        assert_eq!(list.chosen().map(|chosen| chosen.id), Some(1000));
        list.settle(20);
        assert_eq!(list.top, 981);
        assert!(list.choose_line(0) && !list.choose_line(40));
        assert_eq!(list.chosen, 981);
        list.loaded(Err("gone".into()));
        assert_eq!(list.wanted(20), None);
    }
}
