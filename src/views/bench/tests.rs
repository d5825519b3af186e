use std::cell::RefCell;
use std::rc::Rc;

use crossterm::event::{KeyCode, KeyModifiers};

use super::super::event::{Opened, Payload};
use super::super::snapshot;
use super::super::theme::Palette;
use super::*;

const WINDOW: (u16, u16) = (80, 24);

/// What a fake screen was told.
type Told = Rc<RefCell<Vec<String>>>;

/// A screen that notes what it is told.
#[derive(Default)]
struct Fake {
    told: Told,
    popup: bool,
    wake: Option<Duration>,
    /// Otherwise the browser.
    pipeline: bool,
}

impl Fake {
    fn note(&self, text: impl Into<String>) -> Consumed {
        self.told.borrow_mut().push(text.into());
        Consumed::Yes
    }
}

const JOB: JobKind = JobKind("reading");

impl Screen for Fake {
    fn context(&self) -> Context {
        if self.pipeline { Context::Pipeline } else { Context::Browse }
    }

    fn shown_by(&self) -> Action {
        if self.pipeline { Action::ShowPipeline } else { Action::ShowBrowse }
    }

    fn title(&self) -> String {
        "roots  1/3".to_owned()
    }

    fn hints(&self) -> Vec<Action> {
        vec![Action::Help, Action::Search, Action::Command, Action::CopyHex, Action::NextPane]
    }

    fn key(&mut self, key: &KeyEvent, _cx: &mut Cx<'_>) -> Consumed {
        if self.popup { self.note(format!("popup {:?}", key.code)) } else { Consumed::No }
    }

    fn action(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        match action {
            Action::Search => cx.prompt(Prompt::new(PromptKind::Search, "search ")),
            Action::CopyHex => cx.copy("hex", "30 00"),
            Action::Save => cx.warn("nothing to save"),
            Action::Enter => drop(cx.start(JOB, |_| Payload::new(()))),
            Action::Cancel if self.pipeline => return Consumed::No,
            Action::Cancel => {
                cx.cancel(JOB);
                self.note("cancel");
                return Consumed::No;
            }
            Action::StartRun => drop(cx.start(JOB, |_| Payload::new(()))),
            Action::Export => {
                cx.open(vec![Opened { title: "an object".into(), octets: [5, 0].into() }]);
            }
            Action::Density | Action::Quit | Action::Back => return Consumed::No,
            _ => {}
        }
        self.note(action.entry().id)
    }

    fn mouse(&mut self, mouse: &MouseEvent, clicks: u8, _cx: &mut Cx<'_>) -> Consumed {
        self.note(format!("mouse {} {} {clicks}", mouse.column, mouse.row))
    }

    fn submit(&mut self, kind: PromptKind, text: &str, _cx: &mut Cx<'_>) -> Result<(), String> {
        self.note(format!("{kind:?} {text}"));
        if text.contains('!') { Err("no `!` here".to_owned()) } else { Ok(()) }
    }

    fn typed(&mut self, _kind: PromptKind, text: &str, _cx: &mut Cx<'_>) {
        self.note(format!("typed {text}"));
    }

    fn dismissed(&mut self, kind: PromptKind, _cx: &mut Cx<'_>) {
        self.note(format!("dismissed {kind:?}"));
    }

    fn job(&mut self, event: JobEvent, _cx: &mut Cx<'_>) -> Consumed {
        self.note(format!("job {}", event.id.0))
    }

    fn wake_at(&self) -> Option<Duration> {
        self.wake
    }

    fn tick(&mut self, _cx: &mut Cx<'_>) -> Consumed {
        self.wake = None;
        self.note("tick")
    }

    fn start(&mut self, _cx: &mut Cx<'_>) {
        self.note("start");
    }

    fn shown(&mut self, _cx: &mut Cx<'_>) {
        self.note("shown");
    }

    fn open(&mut self, objects: Vec<Opened>, _cx: &mut Cx<'_>) {
        self.note(format!("open {}", objects[0].title));
    }

    fn farewell(&self) -> Option<String> {
        self.pipeline.then(|| "a summary".to_owned())
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, _look: &Look<'_>) {
        frame.render_widget(Line::raw("what the screen shows"), row(area, 0));
    }
}

fn bench_of(screen: Fake) -> (Bench, Told) {
    let told = Rc::clone(&screen.told);
    let theme = Theme::new(Palette::Mono, false);
    let mut bench = Bench::new(vec![Box::new(screen)], Keymap::default(), theme, WINDOW);
    assert!(bench.take_dirty(), "the first frame");
    (bench, told)
}

fn bench() -> (Bench, Told) {
    bench_of(Fake::default())
}

fn at(seconds: u64) -> Now {
    Now { unix: 1_800_000_000, since: Duration::from_secs(seconds) }
}

fn press(bench: &mut Bench, code: KeyCode) -> Vec<Effect> {
    bench.update(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)), at(0))
}

fn type_in(bench: &mut Bench, text: &str) -> Vec<Effect> {
    text.chars().flat_map(|c| press(bench, KeyCode::Char(c))).collect()
}

fn shown(bench: &Bench, size: (u16, u16)) -> String {
    snapshot::screen(size, |frame| bench.draw(frame, at(0)))
}

#[test]
fn keys_become_actions_and_nothing_else_draws() {
    let (mut bench, told) = bench();
    press(&mut bench, KeyCode::Down);
    assert!(bench.take_dirty());
    for code in [KeyCode::F(9), KeyCode::CapsLock, KeyCode::Char('d')] {
        press(&mut bench, code);
        assert!(!bench.take_dirty(), "{code:?} changes nothing");
    }
    bench.update(Msg::Tick, at(1));
    assert!(!bench.take_dirty(), "time alone changes nothing");
    let release = KeyEvent::new_with_kind(KeyCode::Down, KeyModifiers::NONE, KeyEventKind::Release);
    bench.update(Msg::Key(release), at(1));
    assert!(!bench.take_dirty());
    assert_eq!(*told.borrow(), ["down"]);
}

#[test]
fn sequences_wait_and_show_what_can_follow() {
    let (mut bench, told) = bench();
    type_in(&mut bench, "y");
    assert!(shown(&bench, WINDOW).contains("Copy the octets as PEM"));
    let effects = type_in(&mut bench, "h");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == "30 00"), "{effects:?}");
    assert!(!shown(&bench, WINDOW).contains("Copy the octets as PEM"));
    type_in(&mut bench, "yzg!");
    assert_eq!(*told.borrow(), ["copy-hex", "next-finding"]);
}

#[test]
fn a_popup_of_the_screen_gets_the_key_first() {
    let (mut bench, told) = bench_of(Fake { popup: true, ..Fake::default() });
    assert!(type_in(&mut bench, "q").is_empty());
    assert_eq!(*told.borrow(), ["popup Char('q')"]);
}

#[test]
fn help_takes_keys_until_it_is_closed() {
    let (mut bench, told) = bench();
    type_in(&mut bench, "?");
    insta::assert_snapshot!("help", shown(&bench, WINDOW));
    press(&mut bench, KeyCode::End);
    assert!(shown(&bench, WINDOW).contains("Stop pkiscope and return to the shell"));
    type_in(&mut bench, "/n");
    let wheel = MouseEvent {
        kind: MouseEventKind::ScrollUp,
        column: 5,
        row: 5,
        modifiers: KeyModifiers::NONE,
    };
    bench.update(Msg::Mouse(wheel), at(0));
    assert!(type_in(&mut bench, "q").is_empty(), "q closes the help first");
    assert!(matches!(type_in(&mut bench, "q")[..], [Effect::Quit]));
    assert!(told.borrow().is_empty());
}

#[test]
fn a_prompt_asks_until_the_answer_will_do() {
    let (mut bench, told) = bench();
    type_in(&mut bench, "/a!");
    press(&mut bench, KeyCode::Enter);
    let text = shown(&bench, WINDOW);
    assert!(text.contains("search a!") && text.contains("no `!` here"), "{text}");
    press(&mut bench, KeyCode::Backspace);
    bench.update(Msg::Paste("b\u{1b}\nc\n".to_owned()), at(0));
    press(&mut bench, KeyCode::Enter);
    assert!(bench.prompt.is_none());
    type_in(&mut bench, "/");
    press(&mut bench, KeyCode::Esc);
    let wanted = [
        "search",
        "typed a",
        "typed a!",
        "Search a!",
        "typed a",
        "typed ab c",
        "Search ab c",
        "search",
        "dismissed Search",
    ];
    assert_eq!(*told.borrow(), wanted);
}

#[test]
fn the_colon_runs_actions_and_leaves_the_rest_to_the_screen() {
    let (mut bench, told) = bench();
    for text in [":next-finding", ":0x1f", ":", ": help "] {
        type_in(&mut bench, text);
        press(&mut bench, KeyCode::Enter);
    }
    assert!(bench.help.is_some() && bench.prompt.is_none());
    told.borrow_mut().retain(|line| !line.starts_with("typed"));
    assert_eq!(*told.borrow(), ["next-finding", "Command 0x1f"]);
}

#[test]
fn words_are_completed_both_ways() {
    let (mut bench, _) = bench();
    let text = |bench: &Bench| bench.prompt.as_ref().unwrap().text().to_owned();
    type_in(&mut bench, ":copy-c");
    press(&mut bench, KeyCode::Tab);
    assert_eq!(text(&bench), "copy-c-array");
    for _ in 0.."array".len() + 2 {
        press(&mut bench, KeyCode::Backspace);
    }
    assert_eq!(text(&bench), "copy-");
    press(&mut bench, KeyCode::Tab);
    press(&mut bench, KeyCode::Tab);
    assert_eq!(text(&bench), "copy-base64");
    press(&mut bench, KeyCode::BackTab);
    assert_eq!(text(&bench), "copy-hex");
    press(&mut bench, KeyCode::BackTab);
    assert_eq!(text(&bench), "copy-oid");
}

/// A browser and a pipeline, the second one on top, and what each was told.
fn two_screens() -> (Bench, Told, Told) {
    let (browser, pipeline) = (Fake::default(), Fake { pipeline: true, ..Fake::default() });
    let told = (Rc::clone(&browser.told), Rc::clone(&pipeline.told));
    let theme = Theme::new(Palette::Mono, false);
    let screens: Vec<Box<dyn Screen>> = vec![Box::new(browser), Box::new(pipeline)];
    let mut bench =
        Bench::new(screens, Keymap::default(), theme, WINDOW).with_first(Action::ShowPipeline);
    bench.start(at(0));
    (bench, told.0, told.1)
}

#[test]
fn a_screen_begins_when_it_is_shown_first() {
    let (mut bench, browser, pipeline) = two_screens();
    assert!(browser.borrow().is_empty(), "what is not shown costs nothing");
    assert_eq!(*pipeline.borrow(), ["start", "shown"]);
    type_in(&mut bench, "1221");
    assert_eq!(*browser.borrow(), ["start", "shown", "shown"]);
    assert_eq!(*pipeline.borrow(), ["start", "shown", "shown"]);
    assert_eq!(bench.farewell().as_deref(), Some("a summary"));
}

#[test]
fn an_object_opens_in_the_browser_and_esc_comes_back() {
    let (mut bench, browser, pipeline) = two_screens();
    type_in(&mut bench, "e");
    assert_eq!(*browser.borrow(), ["start", "open an object", "shown"]);
    assert_eq!(bench.context(), Context::Browse);
    press(&mut bench, KeyCode::Esc);
    assert_eq!(bench.context(), Context::Pipeline);
    assert_eq!(*pipeline.borrow(), ["start", "shown", "export", "shown"]);
    press(&mut bench, KeyCode::Esc);
    assert_eq!(bench.context(), Context::Pipeline, "Esc leads nowhere from here");
    // Whoever goes elsewhere by himself does not come back by Esc.
    type_in(&mut bench, "e21");
    press(&mut bench, KeyCode::Esc);
    assert_eq!(bench.context(), Context::Browse);
}

#[test]
fn a_hidden_screen_is_told_of_its_jobs_without_a_frame() {
    let (mut bench, _, pipeline) = two_screens();
    type_in(&mut bench, "s1");
    bench.take_dirty();
    let report = JobReport::Part(Payload::new(()));
    bench.update(Msg::Job(JobEvent { kind: JOB, id: JobId(1), report }), at(0));
    assert!(!bench.take_dirty());
    assert_eq!(pipeline.borrow().last().map(String::as_str), Some("job 1"));
}

#[test]
fn only_the_newest_job_reports() {
    let (mut bench, told) = bench();
    let report =
        |id: u64, report: JobReport| Msg::Job(JobEvent { kind: JOB, id: JobId(id), report });
    let effects =
        [press(&mut bench, KeyCode::Enter), press(&mut bench, KeyCode::Enter)].concat_all();
    assert!(matches!(effects[..], [Effect::Start(_), Effect::Start(_)]));
    bench.update(report(1, JobReport::Part(Payload::new(()))), at(0));
    bench.update(report(2, JobReport::Part(Payload::new(()))), at(0));
    bench.update(report(2, JobReport::Done(Payload::new(()))), at(0));
    bench.update(report(2, JobReport::Part(Payload::new(()))), at(0));
    press(&mut bench, KeyCode::Enter);
    assert!(matches!(press(&mut bench, KeyCode::Esc)[..], [Effect::Cancel(JOB)]));
    bench.update(report(3, JobReport::Done(Payload::new(()))), at(0));
    assert_eq!(*told.borrow(), ["enter", "enter", "job 2", "job 2", "enter", "cancel"]);
}

/// Joins what several keys asked for.
trait ConcatAll {
    fn concat_all(self) -> Vec<Effect>;
}

impl<const N: usize> ConcatAll for [Vec<Effect>; N] {
    fn concat_all(self) -> Vec<Effect> {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn a_failed_job_is_told() {
    let (mut bench, told) = bench();
    press(&mut bench, KeyCode::Enter);
    let report = JobReport::Failed("out of luck".to_owned());
    bench.update(Msg::Job(JobEvent { kind: JOB, id: JobId(1), report }), at(0));
    assert!(shown(&bench, WINDOW).contains("reading failed: out of luck"));
    assert_eq!(told.borrow().last().map(String::as_str), Some("job 1"));
}

#[test]
fn a_note_goes_by_itself_or_with_the_next_key() {
    let (mut bench, _) = bench();
    type_in(&mut bench, "s");
    insta::assert_snapshot!("note", shown(&bench, WINDOW));
    assert_eq!(bench.wake_at(), Some(NOTE_STAYS));
    bench.take_dirty();
    bench.update(Msg::Tick, Now { since: NOTE_STAYS, ..at(0) });
    assert!(bench.take_dirty() && bench.wake_at().is_none());
    assert!(shown(&bench, WINDOW).contains("? keys"));
    type_in(&mut bench, "s");
    bench.take_dirty();
    press(&mut bench, KeyCode::F(9));
    assert!(bench.take_dirty());
    assert!(shown(&bench, WINDOW).contains("? keys"));
}

#[test]
fn a_screen_is_woken_when_it_asked() {
    let (mut bench, told) =
        bench_of(Fake { wake: Some(Duration::from_secs(3)), ..Fake::default() });
    assert_eq!(bench.wake_at(), Some(Duration::from_secs(3)));
    bench.update(Msg::Tick, at(2));
    assert!(told.borrow().is_empty());
    bench.update(Msg::Tick, at(3));
    assert_eq!(*told.borrow(), ["tick"]);
    assert_eq!(bench.wake_at(), None);
}

#[test]
fn clicks_are_counted_by_place_and_time() {
    let (mut bench, told) = bench();
    let click = |column, row, millis| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        (Msg::Mouse(mouse), Now { unix: 0, since: Duration::from_millis(millis) })
    };
    for (column, row, millis) in
        [(5, 5, 0), (5, 5, 300), (5, 5, 500), (6, 5, 600), (6, 5, 1001), (11, 0, 2000)]
    {
        let (msg, now) = click(column, row, millis);
        bench.update(msg, now);
    }
    let wanted = ["mouse 5 5 1", "mouse 5 5 2", "mouse 5 5 1", "mouse 6 5 1", "mouse 6 5 1"];
    assert_eq!(*told.borrow(), wanted, "the header is the bench's own");
}

#[test]
fn a_small_window_says_so() {
    let (mut bench, _) = bench();
    bench.update(Msg::Resize(59, 16), at(0));
    assert!(shown(&bench, (59, 16)).contains("The window is 59 x 16."));
    assert!(shown(&bench, (60, 15)).contains("pkiscope needs 60 x 16."));
    assert!(shown(&bench, (60, 16)).contains("what the screen shows"));
    for columns in 1..70 {
        for rows in 1..20 {
            shown(&bench, (columns, rows));
        }
    }
}

#[test]
fn overlays_fit_in_every_window() {
    for keys in ["?", "y", ":", "/x!\n", "s"] {
        let (mut bench, _) = bench();
        for c in keys.chars() {
            press(&mut bench, if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) });
        }
        for size in [(60, 16), (61, 17), (80, 24), (200, 60)] {
            shown(&bench, size);
        }
    }
}
