//! Contestants take turns on one thread; each turn is timed by the thread's CPU time.

use std::time::Duration;

use anyhow::Result;
use pkiscope::metrics::machine::thread_cpu_time;

/// One way to do the work. `run` does so many items.
pub struct Contestant<'a> {
    pub name: &'static str,
    pub run: Box<dyn FnMut(u64) -> Result<()> + 'a>,
}

impl<'a> Contestant<'a> {
    /// A contestant that does one item a call.
    pub fn new(name: &'static str, mut item: impl FnMut() -> Result<()> + 'a) -> Self {
        let run = move |items| (0..items).try_for_each(|_| item());
        Self { name, run: Box::new(run) }
    }
}

/// What one contestant needed for an item, in microseconds.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    pub name: &'static str,
    pub median: f64,
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

/// A turn is at least this long, so that reading the clock does not count.
const TURN: Duration = Duration::from_millis(4);
/// Nobody gets fewer turns.
const FEWEST: usize = 5;

/// Lets them take turns, each time in another order, until the thread has worked for `total`.
pub fn race(mut contestants: Vec<Contestant<'_>>, total: Duration) -> Result<Vec<Time>> {
    let mut items = Vec::new();
    for contestant in &mut contestants {
        items.push(items_of_a_turn(contestant)?);
    }
    let mut samples = vec![Vec::new(); contestants.len()];
    let start = thread_cpu_time();
    for round in 0.. {
        if round >= FEWEST && thread_cpu_time() - start >= total {
            break;
        }
        for at in 0..contestants.len() {
            let which = (at + round) % contestants.len();
            let before = thread_cpu_time();
            (contestants[which].run)(items[which])?;
            let spent = thread_cpu_time() - before;
            samples[which].push(spent.as_secs_f64() * 1e6 / items[which] as f64);
        }
    }
    let times = contestants.iter().zip(&mut samples).map(|(contestant, samples)| {
        samples.sort_by(f64::total_cmp);
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        Time {
            name: contestant.name,
            median: samples[samples.len() / 2],
            mean,
            error: (squares / (count - 1.0) / count).sqrt(),
        }
    });
    Ok(times.collect())
}

/// How many items make a turn; trying it out also warms the contestant up. What a library does
/// only once, as gathering entropy, must not make the turns short.
fn items_of_a_turn(contestant: &mut Contestant<'_>) -> Result<u64> {
    let mut items = 1;
    loop {
        let mut shortest = Duration::MAX;
        for _ in 0..3 {
            let before = thread_cpu_time();
            (contestant.run)(items)?;
            shortest = shortest.min(thread_cpu_time() - before);
        }
        if shortest >= TURN {
            return Ok(items);
        }
        items *= 2;
    }
}
