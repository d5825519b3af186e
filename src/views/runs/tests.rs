//! The screen driven by keys, with runs that live in memory.

use std::sync::{Arc, Mutex};

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};

use super::*;
use crate::metrics::{Machine, PartResult, StageResult, Summary};
use crate::views::driver::{Driver, LARGE, SMALL};
use crate::views::event::{Effect, Msg};
use crate::views::theme::{Palette, Theme};

/// Stages with their mean times in nanoseconds, by native-ossl and by aws-lc.
const STAGES: [(&str, u64, u64); 6] = [
    ("cert_gen", 78_200_000, 12_400_000),
    ("db_insert_certs", 5_900_000, 5_860_000),
    ("cert_verify", 14_400_000, 3_110_000),
    ("crl_build", 4_200, 4_650),
    ("crl_sign", 1_100_000, 310_000),
    ("ocsp_sign", 61_000_000, 10_900_000),
];

fn machine() -> Machine {
    Machine {
        cpu: "AMD EPYC 9R14".to_owned(),
        cores: 8,
        os: "Linux 6.12.0".to_owned(),
        allocator: "mimalloc".to_owned(),
        version: "0.1.0".to_owned(),
        openssl: "OpenSSL 3.6.3".to_owned(),
        aws_lc: Some("AWS-LC 5.12.0".to_owned()),
        sqlite: "3.54.1".to_owned(),
        ..Machine::default()
    }
}

fn stage(name: &str, mean: u64, batch: u64, repetitions: u64) -> StageResult {
    // A spread of a few per cent, the same each time.
    let times: Vec<u64> = (0..repetitions).map(|i| mean * (970 + i * 37 % 61) / 1000).collect();
    let items = if name.starts_with("crl") { 1 } else { batch };
    let wall_ns = Summary::of(&times);
    #[expect(clippy::cast_precision_loss, reason = "figures of a test")]
    let items_per_second = items as f64 * 1e9 / wall_ns.mean.max(1) as f64;
    StageResult {
        name: name.to_owned(),
        items,
        wall_ns,
        cpu_ns: mean * 7,
        items_per_second,
        parts: if name == "cert_gen" {
            [("keygen", 15), ("sign", 84), ("encode", 1)]
                .map(|(name, share)| PartResult { name: name.to_owned(), ns: mean * share / 100 })
                .into()
        } else {
            Vec::new()
        },
        repetition_ns: times,
        ..StageResult::default()
    }
}

fn run(id: &str, started: i64, backend: &str, batch: u64, repetitions: u32) -> Stored {
    let by_aws_lc = backend == "aws-lc";
    let stages = STAGES.map(|(name, openssl, aws_lc)| {
        stage(name, if by_aws_lc { aws_lc } else { openssl }, batch, repetitions.into())
    });
    let finished = repetitions > 0;
    Stored {
        run: Run {
            id: id.to_owned(),
            pipeline: "ca".to_owned(),
            started,
            algorithm: "ml-dsa-65".to_owned(),
            backend: backend.to_owned(),
            batch,
            threads: 8,
            repetitions,
            settings: [
                ("durability".to_owned(), "full".to_owned()),
                ("subscriber_keys".to_owned(), "fresh".to_owned()),
            ]
            .into(),
            machine: machine(),
            stages: if finished { stages.into() } else { Vec::new() },
            outside: vec![PartResult { name: "ca_keygen".to_owned(), ns: 240_000 }],
        },
        state: if finished { State::Finished } else { State::Interrupted },
    }
}

fn runs() -> Vec<Stored> {
    vec![
        run("42", 1_795_162_800, "aws-lc", 1024, 31),
        run("41", 1_795_162_320, "native-ossl", 1024, 31),
        run("40", 1_795_162_000, "native-ossl", 1024, 0),
        run("39", 1_795_075_920, "native-ossl", 64, 1),
    ]
}

/// What the world did to the store.
type Shelf = Arc<Mutex<Vec<Stored>>>;

fn sources(shelf: &Shelf) -> Sources {
    let [listed, found, both, deleted] = std::array::from_fn(|_| Arc::clone(shelf));
    let find = |shelf: &Shelf, id: &str| {
        let id = if id == "last" { "42" } else { id };
        let stored = shelf.lock().unwrap().iter().find(|stored| stored.run.id == id).cloned();
        let published =
            || reference::find(id, None).map(|run| Stored { run, state: State::Published });
        stored.or_else(published).ok_or_else(|| format!("there is no run {id}"))
    };
    Sources {
        list: Arc::new(move || {
            let head = |stored: &Stored| {
                let run = Run { stages: Vec::new(), ..stored.run.clone() };
                Stored { run, state: stored.state }
            };
            Ok(listed.lock().unwrap().iter().map(head).collect())
        }),
        load: Arc::new(move |id| find(&found, id)),
        pair: Arc::new(move |a, b| Ok((find(&both, a)?, find(&both, b)?))),
        delete: Arc::new(move |number| {
            if number == 42 {
                return Err("pkiscope.db: the database is in use by process 7".to_owned());
            }
            deleted.lock().unwrap().retain(|stored| stored.run.id != number.to_string());
            Ok(())
        }),
        export: Arc::new(|exported, form| {
            let what = match exported {
                Exported::Run(stored) => stored.run.id.clone(),
                Exported::Pair(pair) => format!("{} {}", pair.a.run.id, pair.b.run.id),
            };
            format!("{what} {form:?}").into_bytes()
        }),
        store: "pkiscope.db".to_owned(),
    }
}

fn theme() -> Theme {
    Theme::new(Palette::Ansi16, false)
}

fn driver_of(runs: Vec<Stored>, window: (u16, u16), theme: Theme) -> Driver {
    let shelf = Arc::new(Mutex::new(runs));
    Driver::new(vec![Box::new(Runs::new(sources(&shelf), First::List))], window, theme)
}

fn driver(window: (u16, u16)) -> Driver {
    driver_of(runs(), window, theme())
}

#[test]
fn the_first_screen_answers_in_every_window() {
    let small = driver(SMALL);
    small.assert_has("#42 compared with #41: 4 better, 1 worse, 1 same");
    insta::assert_snapshot!("list-80x24", small.screen());
    let large = driver(LARGE);
    large.assert_has("B compared with A");
    insta::assert_snapshot!("list-200x60", large.screen());
}

#[test]
fn two_runs_are_compared_stage_by_stage() {
    let mut driver = driver(SMALL);
    driver.keys("c");
    driver.assert_has("cert_gen");
    driver.assert_has("better");
    insta::assert_snapshot!("comparison-80x24", driver.screen());
    driver.keys("jj");
    driver.assert_has("cert_verify: 0.216 times the time of A (95 %: ");
    driver.keys("\u{1b}");
    driver.assert_has("Runs");
    assert!(!driver.has("B/A"));
}

#[test]
fn a_reference_stands_beside_the_own_run() {
    let mut driver = driver(LARGE);
    driver.keys(":ref:seed-openssl-ml-dsa-65-1024\ra");
    driver.keys(":42\rbc");
    driver.assert_has("i7-12800H");
    driver.assert_has("not comparable: subscriber keys shared and fresh");
    driver.assert_has("not comparable: only in A");
    insta::assert_snapshot!("reference-200x60", driver.screen());
}

#[test]
fn a_run_is_shown_in_detail() {
    for (name, window) in [("details-80x24", SMALL), ("details-200x60", LARGE)] {
        let mut driver = driver(window);
        driver.keys("j\r");
        driver.assert_has("Run #41");
        driver.assert_has("outside of the stages");
        insta::assert_snapshot!(name, driver.screen());
        driver.keys("G");
        driver.assert_has("subscriber keys");
        driver.keys("\u{1b}");
        assert!(!driver.has("Run #41"));
    }
}

#[test]
fn nothing_is_lost_without_colour_or_beyond_ascii() {
    let mut driver = driver_of(runs(), SMALL, Theme::new(Palette::Mono, true));
    driver.keys("c");
    let text = driver.rows().join("\n");
    assert!(text.chars().all(|c| c.is_ascii() || c == 'µ'), "{text}");
    insta::assert_snapshot!("comparison-mono-ascii-80x24", driver.screen());
}

#[test]
fn what_cannot_be_compared_says_why() {
    let mut driver = driver(SMALL);
    driver.keys("jja");
    driver.assert_has("#40 was interrupted: it has no figures");
    driver.keys("ja");
    driver.assert_has("#42 compared with #39: not comparable, batches of 64 and 1,024");
}

#[test]
fn a_run_is_deleted_after_a_yes() {
    let mut driver = driver(SMALL);
    driver.keys("jd");
    driver.assert_has("Delete run #41 and all objects");
    insta::assert_snapshot!("delete-80x24", driver.screen());
    driver.keys("n");
    driver.assert_has("nothing was deleted");
    driver.assert_has("#41");
    driver.keys("dy");
    driver.assert_has("run #41 is deleted");
    driver.assert_has("3 runs");
    // With A gone the next best is chosen.
    driver.assert_has("#42 compared with ref:seed-openssl-ml-dsa-65-1024");
    driver.keys("ggdy");
    driver.assert_has("the database is in use by process 7");
    driver.keys("Gd");
    driver.assert_has("a published reference is built in");
}

#[test]
fn results_are_saved_in_the_form_of_the_name() {
    let mut driver = driver(SMALL);
    let saved = |driver: &mut Driver| match driver.left.pop() {
        Some(Effect::Save { path, octets }) => {
            let text = String::from_utf8((*octets.0).as_ref().to_vec()).unwrap();
            (path.to_str().unwrap().to_owned(), text)
        }
        other => panic!("{other:?}"),
    };
    driver.keys("ce\r");
    assert_eq!(saved(&mut driver), ("runs-41-42.md".to_owned(), "41 42 Markdown".to_owned()));
    driver.keys("\u{1b}\re\r");
    assert_eq!(saved(&mut driver), ("run-42.json".to_owned(), "42 Json".to_owned()));
    driver.keys("e");
    for _ in 0..4 {
        driver.key(KeyCode::Backspace);
    }
    driver.keys("txt\r");
    driver.assert_has("must end in .json, .csv or .md");
}

#[test]
fn the_mouse_chooses_and_scrolls() {
    let mut driver = driver(SMALL);
    let press = MouseEventKind::Down(MouseButton::Left);
    driver.mouse(press, 10, 4);
    driver.assert_has("2 of 32");
    driver.mouse(MouseEventKind::ScrollDown, 10, 6);
    driver.assert_has("5 of 32");
    driver.mouse(press, 10, 3);
    driver.mouse(press, 10, 3);
    driver.assert_has("Run #42");
}

#[test]
fn every_window_is_drawn_whole() {
    for window in [(60, 16), SMALL, (100, 30), (120, 50), (169, 43), (170, 44), LARGE] {
        let mut driver = driver(window);
        for keys in ["G", "\r", "G", "\u{1b}", "c", "G", "\t", "gg", "i"] {
            driver.keys(keys);
            driver.send(Msg::Resize(70, 18));
            driver.send(Msg::Resize(window.0, window.1));
        }
    }
}

#[test]
fn a_store_that_cannot_be_read_is_told() {
    let shelf = Shelf::default();
    let list: List = Arc::new(|| Err("pkiscope.db: the database is in use\u{1b}[31m".to_owned()));
    let sources = Sources { list, ..sources(&shelf) };
    let mut driver = Driver::new(vec![Box::new(Runs::new(sources, First::List))], SMALL, theme());
    driver.assert_has("the database is in use\\x1b[31m");
    driver.assert_has("choose two runs");
    driver.keys("ajjbc");
    driver.assert_has("two published figures");
}

#[test]
fn what_was_named_is_shown_first() {
    let driver = |first| {
        let shelf = Arc::new(Mutex::new(runs()));
        Driver::new(vec![Box::new(Runs::new(sources(&shelf), first))], SMALL, theme())
    };
    let mut compared = driver(First::Comparison("41".to_owned(), "last".to_owned()));
    compared.assert_has("B compared with A");
    compared.assert_has("cert_gen");
    compared.keys("\u{1b}");
    compared.assert_has("B  #42");
    driver(First::Details("41".to_owned())).assert_has("Run #41");
    driver(First::Details("77".to_owned())).assert_has("there is no run 77");
    let none = driver(First::Comparison("41".to_owned(), "77".to_owned()));
    none.assert_has("there is no run 77");
}
