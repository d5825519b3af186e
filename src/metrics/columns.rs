//! Rows of cells as lines of text, each column as wide as its widest cell.

/// The lines of `rows`. Column `n` stands at its left edge when `left(n)`, otherwise at its
/// right one. No line ends with spaces.
#[must_use]
pub fn lines(rows: &[Vec<String>], left: impl Fn(usize) -> bool) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            let gap = " ".repeat(width - cell.chars().count());
            let parts = if left(column) { [cell, &gap] } else { [&gap, cell] };
            line.extend(parts.map(String::as_str));
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [["a", "1 µs", "x"], ["bcd", "10 µs", ""], ["", "", "yz"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let found = lines(&rows, |column| column != 1);
        assert_eq!(found, ["a     1 µs  x", "bcd  10 µs", "            yz"]);
        assert_eq!(lines(&[], |_| true), Vec::<String>::new());
    }
}
