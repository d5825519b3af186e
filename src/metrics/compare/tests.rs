use super::*;
use crate::metrics::{Machine, Summary};

fn stage(name: &str, items: u64, times: &[u64]) -> StageResult {
    StageResult {
        name: name.to_owned(),
        items,
        wall_ns: Summary::of(times),
        repetition_ns: times.to_vec(),
        ..StageResult::default()
    }
}

fn run(id: &str, stages: Vec<StageResult>) -> Run {
    Run {
        id: id.to_owned(),
        pipeline: "ca".to_owned(),
        started: 0,
        algorithm: "ed25519".to_owned(),
        backend: "openssl".to_owned(),
        batch: 64,
        threads: 2,
        repetitions: 9,
        settings: std::iter::empty().collect(),
        machine: Machine::default(),
        stages,
        outside: Vec::new(),
    }
}

/// Times around `mean` with a spread of 2 %.
fn times(mean: u64, seed: u64) -> Vec<u64> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..20).map(|_| mean * rng.u64(980..=1020) / 1000).collect()
}

fn one(a: &Run, b: &Run) -> StageComparison {
    let mut comparison = compare(a, b);
    assert_eq!(comparison.stages.len(), 1);
    comparison.stages.remove(0)
}

fn pair(a: &[u64], b: &[u64]) -> StageComparison {
    one(&run("1", vec![stage("s", 64, a)]), &run("2", vec![stage("s", 64, b)]))
}

#[test]
fn verdicts_know_the_noise() {
    let base = times(1_000_000, 1);
    for (factor, verdict) in [
        (500, Verdict::Better),
        (960, Verdict::Better),
        (995, Verdict::Same),
        (1000, Verdict::Same),
        (1005, Verdict::Same),
        (1050, Verdict::Worse),
        (2000, Verdict::Worse),
    ] {
        let found = pair(&base, &times(1000 * factor, 2));
        assert_eq!(found.verdict, verdict, "{factor}: {found:?}");
        let (interval, ratio) = (found.interval.unwrap(), found.ratio.unwrap());
        assert!(interval.low <= ratio && ratio <= interval.high, "{found:?}");
        assert_eq!(found.reason, None);
    }
    let noisy: Vec<u64> = base.iter().enumerate().map(|(i, t)| t * (1 + i as u64 % 3)).collect();
    let noisier: Vec<u64> = noisy.iter().rev().map(|t| t * 11 / 10).collect();
    let found = pair(&noisy, &noisier);
    assert!(found.ratio.unwrap() > 1.05);
    assert_eq!(found.verdict, Verdict::Same, "the interval contains 1: {found:?}");
}

#[test]
fn a_difference_below_the_threshold_is_the_same_however_sure() {
    let found = pair(&[1_000_000; 30], &[1_015_000; 30]);
    assert_eq!(found.verdict, Verdict::Same);
    assert!(found.interval.unwrap().low > 1.0);
    assert_eq!(pair(&[1_000_000; 30], &[1_021_000; 30]).verdict, Verdict::Worse);
}

#[test]
fn a_limit_counts_what_is_surely_worse() {
    let base = times(1_000_000, 1);
    let worse = pair(&base, &times(1_100_000, 2));
    assert!(worse.is_worse_by(0.05) && !worse.is_worse_by(0.2));
    assert!(!pair(&base, &times(900_000, 2)).is_worse_by(0.0));
    let single = pair(&[1_000_000], &[9_000_000]);
    assert!(!single.is_worse_by(0.05), "one repetition says nothing");
    assert_eq!(single.ratio, Some(9.0));
}

#[test]
fn what_fails_or_is_missing_in_b_is_broken() {
    let good = run("1", vec![stage("s", 64, &times(1000, 1))]);
    let mut failed = good.clone();
    failed.stages[0].errors = 1;
    let none = run("2", Vec::new());
    assert!(one(&good, &failed).is_broken_in_b());
    assert!(one(&good, &none).is_broken_in_b());
    for (a, b) in [(&good, &good), (&failed, &good), (&none, &good)] {
        assert!(!one(a, b).is_broken_in_b());
    }
}

#[test]
fn what_cannot_be_compared_says_why() {
    let good = run("1", vec![stage("s", 64, &times(1000, 1))]);
    let reason = |a: &Run, b: &Run| {
        let found = one(a, b);
        assert_eq!((found.verdict, found.interval), (Verdict::NotComparable, None));
        found.reason.unwrap()
    };
    let with = |change: &dyn Fn(&mut Run)| {
        let mut other = good.clone();
        change(&mut other);
        other
    };
    let other = with(&|run| run.batch = 1024);
    assert_eq!(reason(&good, &other), "batches of 64 and 1,024");
    let other = with(&|run| run.pipeline = "mtc".to_owned());
    assert_eq!(reason(&good, &other), "pipelines ca and mtc");
    let other = with(&|run| run.stages[0].items = 1);
    assert_eq!(reason(&good, &other), "64 and 1 items");
    let other = with(&|run| run.stages[0].errors = 3);
    assert_eq!(reason(&good, &other), "3 of 64 items failed in B");
    let other = with(&|run| run.stages[0].repetition_ns.truncate(1));
    assert_eq!(reason(&good, &other), "one repetition in B");
    assert_eq!(reason(&other, &other), "one repetition");
    let few = with(&|run| run.stages[0].repetition_ns.truncate(4));
    assert_eq!(reason(&few, &good), "4 of 5 repetitions needed in A");
    assert_eq!(reason(&few, &other), "4 of 5 repetitions needed in A, 1 in B");
    let other = with(&|run| run.stages.clear());
    assert_eq!(reason(&good, &other), "only in A");
    assert_eq!(reason(&other, &good), "only in B");
    let other = with(&|run| run.stages[0] = stage("s", 64, &[0; 9]));
    assert_eq!(reason(&good, &other), "no time was measured");
}

#[test]
fn keys_made_inside_are_other_work() {
    let with = |keys: &str| {
        let stages = vec![stage("cert_gen", 64, &times(1000, 1)), stage("s", 64, &times(1000, 2))];
        let mut run = run("1", stages);
        run.settings.insert("subscriber_keys".to_owned(), keys.to_owned());
        run
    };
    let found = compare(&with("fresh"), &with("shared"));
    assert_eq!(found.stages[0].reason.as_deref(), Some("subscriber keys fresh and shared"));
    assert_eq!(found.stages[1].verdict, Verdict::Same);
    let difference = &found.differences[0];
    assert_eq!(
        (&*difference.what, &*difference.a, &*difference.b),
        ("subscriber_keys", "fresh", "shared")
    );
    assert_eq!(compare(&with("fresh"), &with("fresh")).count(Verdict::Same), 2);
}

#[test]
fn a_reference_is_a_fixed_mark() {
    let reference = reference::find("ref:seed-openssl-rsa2048-64", None).unwrap();
    let published = reference.stages.iter().find(|stage| stage.name == "ocsp_sign").unwrap();
    let mine = |factor: u64| {
        run("1", vec![stage("ocsp_sign", 64, &times(published.wall_ns.mean * factor / 1000, 3))])
    };
    let find = |comparison: Comparison| {
        comparison.stages.into_iter().find(|stage| stage.name == "ocsp_sign").unwrap()
    };
    let found = find(compare(&reference, &mine(2000)));
    assert_eq!(found.verdict, Verdict::Worse);
    assert!((found.ratio.unwrap() - 2.0).abs() < 0.02);
    let found = find(compare(&mine(2000), &reference));
    assert_eq!(found.verdict, Verdict::Better);
    // 5.53 ms may be 5.525 ms, and 0.02 ms anything from 0.015 to 0.025.
    assert!(found.interval.unwrap().high - found.interval.unwrap().low > 0.001);
    let nss = reference::find("ref:seed-nss-rsa2048-64", None).unwrap();
    let found = find(compare(&reference, &nss));
    assert_eq!(found.reason.as_deref(), Some("two published figures"));
    assert!(found.ratio.unwrap() > 9.0);
}

#[test]
fn differences_are_listed_and_change_no_verdict() {
    let mut a = run("1", vec![stage("s", 64, &times(1000, 1))]);
    a.settings.insert("durability".to_owned(), "full".to_owned());
    let mut b = Run { id: "2".to_owned(), ..a.clone() };
    assert!(compare(&a, &b).differences.is_empty());
    "aws-lc".clone_into(&mut b.backend);
    "other".clone_into(&mut b.machine.cpu);
    b.machine.aws_lc = Some("1.19".to_owned());
    b.settings.insert("durability".to_owned(), "normal".to_owned());
    let found = compare(&a, &b);
    let what: Vec<&str> = found.differences.iter().map(|d| d.what.as_str()).collect();
    assert_eq!(what, ["backend", "durability"], "what A does not say is no difference");
    assert_eq!(found.stages[0].verdict, Verdict::Same);
}

#[test]
fn a_comparison_is_the_same_each_time() {
    let a = run("1", vec![stage("s", 64, &times(1000, 1)), stage("t", 64, &times(5000, 4))]);
    let b = run("2", vec![stage("s", 64, &times(1100, 2)), stage("t", 64, &[5000])]);
    let found = compare(&a, &b);
    assert_eq!(found, compare(&a, &b));
    assert_eq!(found.main_reason(), Some("one repetition in B"));
    assert_eq!((found.count(Verdict::Worse), found.count(Verdict::NotComparable)), (1, 1));
}
