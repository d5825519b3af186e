//! Circles among the files and folders of one folder.
//!
//! A circle of files that stand in several folders is a circle of those folders, or of the files
//! and folders of the folder that they share; so it is enough to look at each folder's own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::names::{Edge, Target};

/// A file or a folder of one folder, and the edge that leads to it.
type Steps<'a> = BTreeMap<String, BTreeMap<String, &'a Edge>>;

/// A line for each circle: its files and folders in order, each with the import that leads on.
pub(crate) fn circles(edges: &[Edge]) -> Vec<String> {
    let mut folders: BTreeMap<Vec<String>, Steps> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| !edge.test) {
        let Target::Module(to) = &edge.to else { continue };
        let shared = edge.from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // `mod` is the folder's own file beside the others.
        let unit = |path: &[String]| path.get(shared).map_or("mod", String::as_str).to_owned();
        let (from, to) = (unit(&edge.from), unit(to));
        let steps = folders.entry(edge.from[..shared].to_vec()).or_default();
        steps.entry(from).or_default().entry(to).or_insert(edge);
    }
    folders.iter().flat_map(|(folder, steps)| circles_in(folder, steps)).collect()
}

fn circles_in(folder: &[String], steps: &Steps) -> Vec<String> {
    let mut lines = BTreeSet::new();
    for (start, nexts) in steps {
        for next in nexts.keys() {
            let Some(way) = shortest_way(steps, next, start) else { continue };
            // Every member would find the circle: the one that starts at the least name stays.
            if way.iter().all(|unit| start <= unit) {
                lines.insert(describe(folder, steps, start, &way));
            }
        }
    }
    lines.into_iter().collect()
}

/// The units from `start` to `goal`, both included, found breadth first.
fn shortest_way(steps: &Steps, start: &str, goal: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, Option<&str>> = BTreeMap::from([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(unit) = queue.pop_front() {
        if unit == goal {
            let mut way = vec![unit.to_owned()];
            let mut at = unit;
            while let Some(Some(previous)) = before.get(at) {
                at = previous;
                way.insert(0, at.to_owned());
            }
            return Some(way);
        }
        for next in steps.get(unit).into_iter().flat_map(BTreeMap::keys) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some(unit)
            });
        }
    }
    None
}

fn describe(folder: &[String], steps: &Steps, start: &str, way: &[String]) -> String {
    let place = ["src"].into_iter().chain(folder.iter().map(String::as_str)).collect::<Vec<_>>();
    let mut line = format!("circle in {}: {start}", place.join("/"));
    let mut at = start;
    for next in way {
        if let Some(edge) = steps.get(at).and_then(|nexts| nexts.get(next)) {
            let Edge { file, line: at_line, written, .. } = edge;
            line += " -> ";
            line += next;
            line.extend([" (src/", file, ":", &at_line.to_string(), " ", written, ")"]);
        }
        at = next;
    }
    line
}
