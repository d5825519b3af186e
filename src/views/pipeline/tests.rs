//! The pipeline screen driven by keys, with made-up snapshots.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};

use super::testing::{done, running};
use super::*;
use crate::metrics::{Live, Machine, Phase, Run, Snapshot, StageResult, StageState};
use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::pipeline::STAGES;
use crate::views::browse::Browse;
use crate::views::driver::{Driver, LARGE, SMALL};
use crate::views::event::{Effect, Payload};
use crate::views::theme::{Palette, Theme};

/// What the program around the screen was asked for.
#[derive(Default)]
struct World {
    launched: Mutex<Vec<(PipelineSettings, Arc<Live>)>>,
    /// How the next run ends.
    fails: Mutex<Option<String>>,
    listed: Mutex<Vec<ObjectQuery>>,
    compared: Mutex<Vec<Question>>,
}

impl World {
    fn live(&self) -> Arc<Live> {
        Arc::clone(&self.launched.lock().unwrap().last().unwrap().1)
    }

    fn launches(&self) -> usize {
        self.launched.lock().unwrap().len()
    }
}

fn run(id: &str, threads: u32, rate: f64) -> Run {
    let stages = STAGES.iter().map(|info| StageResult {
        name: info.name.to_owned(),
        items: 1024,
        items_per_second: rate,
        ..StageResult::default()
    });
    Run {
        id: id.to_owned(),
        pipeline: "ca".to_owned(),
        started: 0,
        algorithm: "ml-dsa-65".to_owned(),
        backend: "native-ossl".to_owned(),
        batch: 1024,
        threads,
        repetitions: 1,
        settings: std::collections::BTreeMap::default(),
        machine: Machine { cpu: "Intel Core i7-12800H".to_owned(), ..Machine::default() },
        stages: stages.collect(),
        outside: Vec::new(),
    }
}

fn sources(world: &Arc<World>) -> Sources {
    let [a, b, c] = [(); 3].map(|()| Arc::clone(world));
    Sources {
        launch: Arc::new(move |settings, live, job| {
            a.launched.lock().unwrap().push((settings, live));
            job.part(run("41", 8, 64_000.0));
            let end: Result<(), String> = a.fails.lock().unwrap().take().map_or(Ok(()), Err);
            Payload::new(end)
        }),
        objects: Arc::new(move |query| {
            b.listed.lock().unwrap().push(query.clone());
            let first = query.after.unwrap_or(1000) + 1;
            Ok((first..)
                .take(query.limit.min(usize::try_from(2025 - first).unwrap()))
                .map(row)
                .collect())
        }),
        octets: Arc::new(|id| match id {
            1001 => Ok([0x30, 3, 2, 1, 7].into()),
            _ => Err("the store \u{1b}[31m is gone".to_owned()),
        }),
        compare: Arc::new(move |question| {
            c.compared.lock().unwrap().push(question.clone());
            Beside {
                reference: Some(run("ref:seed-openssl-ml-dsa-65", 16, 64_800.0)),
                last: Some(run("38", 8, 64_800.0)),
            }
        }),
        export: Arc::new(|runs| format!("{} runs", runs.len()).into_bytes()),
        backends: [("native-ossl", "OpenSSL 3.6.3"), ("aws-lc", "aws-lc-rs 1.19")]
            .map(|(id, version)| BackendChoice {
                id,
                version: version.to_owned(),
                algorithms: SignatureAlgorithm::ALL
                    .into_iter()
                    .filter(|a| id != "aws-lc" || a.rsa_bits().is_none())
                    .collect(),
            })
            .to_vec(),
        stages: &STAGES,
        store: "~/.local/state/pkiscope/pkiscope.db".to_owned(),
    }
}

fn row(id: i64) -> ObjectRow {
    ObjectRow {
        id,
        subject: format!("CN=host-{id}.example"),
        serial: format!("{id:04x}"),
        size: 5_400,
    }
}

struct Stand {
    driver: Driver,
    world: Arc<World>,
}

impl Stand {
    fn new(window: (u16, u16), theme: Theme) -> Self {
        let world = Arc::new(World::default());
        let mut settings = PipelineSettings::new("native-ossl", 8);
        settings.ca_algorithm = SignatureAlgorithm::MlDsa65;
        let screens: Vec<Box<dyn Screen>> = vec![
            Box::new(Pipeline::new(sources(&world), settings)),
            Box::new(Browse::of(Vec::new())),
        ];
        let mut driver = Driver::new(screens, window, theme);
        driver.hold = Some(super::run::PIPELINE);
        Self { driver, world }
    }

    /// With a run that has got to `snapshot`.
    fn at(snapshot: Snapshot, window: (u16, u16)) -> Self {
        let mut stand = Self::new(window, theme());
        stand.driver.keys("s");
        stand.show(snapshot);
        stand
    }

    fn show(&mut self, snapshot: Snapshot) {
        self.world.live().publish(snapshot);
        self.driver.pass(SAMPLE);
    }

    fn done(window: (u16, u16)) -> Self {
        let mut stand = Self::at(running(), window);
        stand.world.live().publish(done());
        stand.driver.release();
        stand
    }
}

fn theme() -> Theme {
    Theme::new(Palette::Ansi16, false)
}

#[test]
fn before_the_first_run_it_says_what_would_start() {
    for (name, window) in [("idle-80x24", SMALL), ("idle-200x60", LARGE)] {
        insta::assert_snapshot!(name, Stand::new(window, theme()).driver.screen());
    }
    let mut stand = Stand::new(SMALL, theme());
    assert!(stand.driver.bench.wake_at().is_none(), "nothing moves");
    stand.driver.keys("\r");
    assert_eq!(stand.world.launches(), 1);
    stand.driver.assert_has("preparing");
}

#[test]
fn a_run_is_shown_live() {
    for (name, window) in [("running-80x24", SMALL), ("running-200x60", LARGE)] {
        let stand = Stand::at(running(), window);
        insta::assert_snapshot!(name, stand.driver.screen());
    }
    insta::assert_snapshot!("running-100x30", Stand::at(running(), (100, 30)).driver.screen());
}

#[test]
fn monochrome_and_ascii_lose_nothing() {
    let mut stand = Stand::new((100, 30), Theme::new(Palette::Mono, true));
    stand.driver.keys("sjjj");
    stand.show(running());
    let screen = stand.driver.screen();
    assert!(screen.lines().take(30).all(str::is_ascii), "{screen}");
    insta::assert_snapshot!("mono-ascii-100x30", screen);
    let text = stand.driver.bench.farewell().unwrap();
    assert!(text.is_ascii() && text.contains("1.11ms"), "{text}");
}

#[test]
fn the_mark_moves_only_when_something_is_new() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.bench.take_dirty();
    stand.driver.pass(SAMPLE);
    assert!(!stand.driver.bench.take_dirty(), "the same snapshot");
    stand.show(running());
    assert!(stand.driver.bench.take_dirty());
    stand.driver.keys("2");
    let due = stand.driver.bench.wake_at().unwrap();
    assert_eq!(due, stand.driver.now.since + SAMPLE, "ten times a second");
}

#[test]
fn a_screen_that_is_not_shown_costs_nothing() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.keys("1");
    assert_eq!(stand.driver.bench.wake_at(), None);
    let mut later = running();
    later.repetition = 77;
    stand.world.live().publish(later);
    stand.driver.keys("2");
    stand.driver.assert_has("1,024 × 77");
}

#[test]
fn pause_stops_the_work() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.keys(" ");
    assert!(stand.world.live().paused());
    let mut paused = running();
    paused.phase = Phase::Paused;
    stand.show(paused.clone());
    insta::assert_snapshot!("paused-80x24", stand.driver.screen());
    stand.driver.bench.take_dirty();
    stand.show(paused);
    assert!(!stand.driver.bench.take_dirty(), "nothing moves while it stands still");
    stand.driver.keys("p");
    assert!(!stand.world.live().paused());
}

#[test]
fn a_frozen_view_stays_while_the_work_goes_on() {
    let mut stand = Stand::at(running(), LARGE);
    stand.driver.keys("f");
    let mut later = running();
    later.repetition = 99;
    stand.world.live().publish(later);
    stand.driver.pass(Duration::from_millis(12_300));
    assert!(!stand.world.live().paused());
    stand.driver.assert_has("FROZEN 12 s ago");
    assert!(!stand.driver.has("rep 99"));
    insta::assert_snapshot!("frozen-200x60", stand.driver.screen());
    stand.driver.keys("f");
    stand.driver.assert_has("rep 99");
    assert!(!stand.driver.has("FROZEN"));
}

#[test]
fn a_failed_stage_says_why_in_its_row() {
    let mut snapshot = running();
    let why = "database or disk is full: /var/\u{1b}[31mpkiscope.db";
    snapshot.stages[4].state = StageState::Failed(why.to_owned());
    snapshot.stages[3].errors = 3;
    snapshot.stages[3].state = StageState::Done;
    for (name, window) in [("failed-80x24", SMALL), ("failed-200x60", LARGE)] {
        let mut stand = Stand::at(snapshot.clone(), window);
        *stand.world.fails.lock().unwrap() = Some(why.to_owned());
        stand.driver.keys("r");
        stand.driver.release();
        stand.world.live().publish(snapshot.clone());
        stand.driver.release();
        stand.driver.key(KeyCode::F(9));
        insta::assert_snapshot!(name, stand.driver.screen());
        let text = stand.driver.bench.farewell().unwrap();
        assert!(text.contains("failed: database or disk is full"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }
}

#[test]
fn results_stay_when_it_is_done() {
    for (name, window) in [("done-80x24", SMALL), ("done-200x60", LARGE)] {
        insta::assert_snapshot!(name, Stand::done(window).driver.screen());
    }
    let mut stand = Stand::done(SMALL);
    assert_eq!(stand.driver.bench.wake_at(), None);
    insta::assert_snapshot!("farewell", stand.driver.bench.farewell().unwrap());
    stand.driver.keys("e\r");
    match stand.driver.left.pop() {
        Some(Effect::Save { path, octets }) => {
            assert_eq!(path.to_str(), Some("pipeline-ml-dsa-65-native-ossl.json"));
            assert_eq!((*octets.0).as_ref(), b"1 runs");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_is_stopped_and_started_again() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.keys("s");
    stand.driver.assert_has("a run goes on");
    stand.driver.keys(" x");
    assert!(matches!(stand.driver.left.pop(), Some(Effect::Cancel(super::run::PIPELINE))));
    assert!(!stand.world.live().paused(), "work that stands still would not end");
    stand.driver.assert_has("stopping");
    stand.driver.release();
    stand.driver.assert_has("stopped; stored as runs 41 to 49");
    stand.driver.keys("x");
    stand.driver.assert_has("nothing runs that could stop");
    stand.driver.keys("r");
    assert_eq!(stand.world.launches(), 2);
    stand.show(running());
    stand.driver.keys("rr");
    assert_eq!(stand.world.launches(), 2, "it waits for the end");
    stand.driver.release();
    assert_eq!(stand.world.launches(), 3);
}

#[test]
fn workers_change_within_what_there_is() {
    let mut stand = Stand::at(running(), LARGE);
    stand.driver.keys("--");
    assert_eq!(stand.world.live().workers(), 6);
    let mut fewer = running();
    fewer.active_workers = 6;
    stand.show(fewer);
    stand.driver.keys("1");
    stand.driver.keys("2");
    stand.driver.assert_has("of 6 of 8");
    stand.driver.keys("+++");
    assert_eq!(stand.world.live().workers(), 8);
    stand.driver.assert_has("8 workers work: all it was started with");
}

#[test]
fn settings_are_chosen_with_arrows() {
    let mut stand = Stand::new(SMALL, theme());
    stand.driver.keys("a");
    insta::assert_snapshot!("settings-80x24", stand.driver.screen());
    // ML-DSA-65, 87, then RSA, which aws-lc lacks here.
    for code in [KeyCode::Right, KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Right] {
        stand.driver.key(code);
    }
    stand.driver.assert_has("aws-lc (aws-lc-rs 1.19) has no rsa2048");
    stand.driver.keys("s");
    assert_eq!(stand.world.launches(), 0);
    stand.driver.keys("\u{1b}zx\r");
    stand.driver.assert_has("a size is a number");
    for _ in 0.."1,2,4,8,16,32,64,128,256,512,1024x".len() {
        stand.driver.key(KeyCode::Backspace);
    }
    stand.driver.keys("8,16\r");
    stand.driver.assert_has("8, 16");
    stand.driver.keys("\u{1b}b\r");
    stand.driver.assert_has("native-ossl, OpenSSL 3.6.3");
    stand.driver.keys("s");
    let launched = stand.world.launched.lock().unwrap();
    assert_eq!(launched[0].0.sizes, [8, 16]);
    assert_eq!(launched[0].0.ca_algorithm, SignatureAlgorithm::Rsa2048);
}

#[test]
fn q_closes_the_popup_first() {
    let mut stand = Stand::new(SMALL, theme());
    stand.driver.keys("oq");
    assert!(stand.driver.left.is_empty() && !stand.driver.has("Settings"));
    stand.driver.keys("q");
    assert!(matches!(stand.driver.left.pop(), Some(Effect::Quit)));
}

#[test]
fn the_objects_of_a_stage_open_in_the_browser() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.keys("j\r");
    insta::assert_snapshot!("objects-80x24", stand.driver.screen());
    {
        let listed = stand.world.listed.lock().unwrap();
        assert_eq!(
            (listed[0].run, listed[0].kind, listed[0].after),
            (Some(50), "certificate", None)
        );
    }
    stand.driver.keys("\r");
    stand.driver.assert_has("certificate 1001 of the store  1/1");
    stand.driver.key(KeyCode::Esc);
    stand.driver.assert_has("row 1 of 500+");
    stand.driver.keys("j\r");
    stand.driver.assert_has("the store \\x1b[31m is gone");
    stand.driver.keys("G");
    stand.driver.assert_has("row 1,024 of 1,024");
    stand.driver.key(KeyCode::Esc);
    stand.driver.assert_has("items/s");
    stand.driver.key(KeyCode::Esc);
    stand.driver.assert_has("items/s");
}

#[test]
fn figures_of_a_window_count_what_is_new() {
    let mut stand = Stand::at(running(), SMALL);
    let mut later = running();
    later.at += Duration::from_secs(5);
    let fresh = super::testing::stage(3, StageState::Running, 1024, 22);
    later.stages[3] = fresh;
    stand.show(later);
    stand.driver.keys("w");
    stand.driver.assert_has("last 5 s");
    let rows = stand.driver.rows();
    let quiet = rows.iter().find(|row| row.contains("cert_gen")).unwrap();
    assert!(quiet.contains('…'), "nothing came in it: {quiet}");
    let busy = rows.iter().find(|row| row.contains("cert_verify")).unwrap();
    assert!(busy.contains("169µs") && busy.contains("100 %"), "{busy}");
    stand.driver.keys("w");
    assert!(!stand.driver.has("last 5 s"));
}

#[test]
fn what_is_compared_is_asked_once_a_point() {
    let mut stand = Stand::at(running(), (100, 30));
    stand.show(running());
    let mut next = running();
    next.batch = 2048;
    stand.show(next);
    let compared = stand.world.compared.lock().unwrap();
    let batches: Vec<u64> = compared.iter().map(|question| question.batch).collect();
    assert_eq!(batches, [1024, 2048]);
    assert_eq!(compared[0].except, [41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
    stand.driver.assert_has("seed-openssl-ml-dsa-65");
}

#[test]
fn a_narrow_window_shows_the_comparison_in_its_turn() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.assert_has("service time");
    stand.driver.keys("\t");
    stand.driver.assert_has("beside");
    assert!(!stand.driver.has("service time"));
}

#[test]
fn the_mouse_chooses_scrolls_and_opens() {
    let mut stand = Stand::at(running(), SMALL);
    stand.driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 5);
    stand.driver.assert_has("cert_verify: service time");
    stand.driver.mouse(MouseEventKind::ScrollDown, 10, 5);
    stand.driver.assert_has("crl_sign: service time");
    stand.driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 3);
    stand.driver.mouse(MouseEventKind::Up(MouseButton::Left), 10, 3);
    stand.driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 3);
    stand.driver.assert_has("cert_gen: certificates of run 50");
    stand.driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 4);
    stand.driver.assert_has("row 2 of 500+");
}

#[test]
fn every_action_works_in_every_state_and_window() {
    let actions = crate::views::action::TABLE
        .iter()
        .filter(|entry| entry.context == Context::Pipeline || entry.context == Context::Global);
    for window in [(60, 16), SMALL, (120, 40), LARGE] {
        for entry in actions.clone() {
            for begin in ["", "o", "s", "s\r"] {
                let mut stand = Stand::new(window, theme());
                stand.driver.keys(begin);
                if begin.contains('s') {
                    stand.show(running());
                }
                stand.driver.keys(":");
                stand.driver.keys(entry.id);
                stand.driver.keys("\r");
                stand.driver.screen();
            }
        }
    }
}

mod hostile {
    use std::time::Duration;

    use hdrhistogram::Histogram;
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::{StageSnapshot, Trend, WorkerSnapshot};

    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(1), Just(u64::MAX), 0..100_000_u64, any::<u64>()]
    }

    fn duration() -> impl Strategy<Value = Duration> {
        prop_oneof![
            Just(Duration::MAX),
            Just(Duration::ZERO),
            number().prop_map(Duration::from_nanos)
        ]
    }

    fn state() -> impl Strategy<Value = StageState> {
        prop_oneof![
            Just(StageState::Waiting),
            Just(StageState::Running),
            Just(StageState::Done),
            "\\PC{0,300}".prop_map(StageState::Failed),
        ]
    }

    fn histogram() -> impl Strategy<Value = Histogram<u64>> {
        prop::collection::vec((number(), 0..1_000_000_000_u64), 0..20).prop_map(|values| {
            let mut histogram = Histogram::new(2).unwrap();
            for (value, count) in values {
                histogram.saturating_record_n(value, count);
            }
            histogram
        })
    }

    fn trend() -> impl Strategy<Value = Trend> {
        let points = prop::collection::vec(prop::option::of(any::<f32>()), 0..300);
        (duration(), points).prop_map(|(step, points)| Trend { step, points })
    }

    fn stage() -> impl Strategy<Value = StageSnapshot> {
        let parts = prop::collection::vec(duration(), 0..6);
        let counts = (number(), number(), number());
        (0..15_usize, state(), counts, duration(), any::<f64>(), histogram(), parts, trend())
            .prop_map(|(info, state, counts, wall, rate, service, parts, trend)| StageSnapshot {
                info: &STAGES[info],
                state,
                items: counts.0,
                done: counts.1,
                errors: counts.2,
                wall,
                rate,
                service: Arc::new(service),
                parts,
                trend,
            })
    }

    fn phase() -> impl Strategy<Value = Phase> {
        prop_oneof![
            Just(Phase::Preparing),
            Just(Phase::Running),
            Just(Phase::Paused),
            Just(Phase::Done)
        ]
    }

    prop_compose! {
        fn snapshot()(
            at in duration(),
            phase in phase(),
            batch in number(),
            point in (any::<usize>(), any::<usize>()),
            repetition in any::<u32>(),
            stages in prop::collection::vec(stage(), 0..20),
            workers in prop::collection::vec((any::<f32>(), prop::option::of(any::<usize>())), 0..1000),
            active_workers in any::<usize>(),
            finished_runs in prop::collection::vec(any::<i64>(), 0..20),
            backlog in number(),
            run in prop::option::of(any::<i64>()),
        ) -> Snapshot {
            let worker = |(busy, stage)| WorkerSnapshot { busy, stage };
            let workers = workers.into_iter().map(worker).collect();
            Snapshot {
                at, phase, batch, point, run, repetition, stages, workers, active_workers,
                finished_runs, backlog,
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn odd_snapshots_are_drawn(
            snapshots in prop::collection::vec(snapshot(), 1..4),
            window in (60..200_u16, 16..60_u16),
            keys in "[jkGfwL pe\t+-]{0,8}",
        ) {
            let mut stand = Stand::new(window, theme());
            stand.driver.keys("s");
            for snapshot in snapshots {
                let mut after = snapshot.clone();
                after.at = after.at.saturating_add(Duration::from_secs(3));
                for snapshot in [snapshot, after] {
                    stand.show(snapshot);
                    stand.driver.screen();
                }
                stand.driver.keys(&keys);
                stand.driver.screen();
            }
            stand.driver.key(KeyCode::Esc);
            stand.driver.release();
            stand.driver.screen();
            let _ = stand.driver.bench.farewell();
        }
    }

    proptest! {
        #[test]
        fn no_size_is_too_odd_to_draw_on(width in 0..250_u16, height in 0..80_u16) {
            let mut stand = Stand::at(running(), (width, height));
            for keys in ["", "o", "q\r"] {
                stand.driver.keys(keys);
                stand.driver.screen();
            }
        }
    }
}
