//! The page of a comparison: keys alone work its table, and it shows the numbers of its document.

use crate::browser::{Browser, DOWN, ENTER, RIGHT, SPACE, TAB};
use crate::numbers::number_text;
use crate::{Folder, NUMBERS, check_quiet, chromium, go_to, reach_all, save_all};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const BASE: &str = "void rows(int n, double a[n][n], double b[n][n])\n{\n  for (int i = 0; i < n; i++)\n    \
                    for (int j = 0; j < n; j++)\n      b[i][j] += a[i][j];\n}\n\
                    void same(int n, double x[n])\n{\n  for (int i = 0; i < n; i++)\n    x[i] = 0;\n}\n";

/// Everything that can be used.
const CONTROLS: &str = "[...document.querySelectorAll('a[href], button, summary, input:checked, input[type=checkbox], \
    input[type=search]')].filter(x => x.checkVisibility()).length";

/// The nests and metrics of the rows that are shown, and what they grew by.
const ROWS: &str = "[...document.querySelectorAll('table.nests tbody tr')].filter(x => !x.hidden).map(x => \
    x.cells[1].textContent + ' ' + (x.cells[4].querySelector('data')?.value ?? ''))";

/// Chromium with a comparison open, and the document of it; nothing where there is none.
fn open_page(name: &str) -> Option<(Folder, Browser, Value)> {
    let chromium = chromium()?;
    let folder = Folder::new(&format!("diff-{name}"));
    let worse = BASE.replace("a[i][j]", "a[j][i]");
    for (file, text) in [("base.c", BASE), ("head.c", &worse)] {
        fs::write(folder.0.join(file), text).expect("it is written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    command
        .args([
            "diff",
            "base.c",
            "head.c",
            "-P",
            "n=100",
            "-m",
            "spr",
            "--limit",
            "0%",
            "--exit-zero",
        ])
        .args(["--format", "html:report.html,json"])
        .current_dir(&folder.0);
    for name in ["PREMISS_CACHE_DIR", "XDG_CACHE_HOME", "HOME"] {
        command.env_remove(name);
    }
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let document = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut browser = Browser::start(chromium, &folder.0.join("profile"));
    browser.open(&folder.0.join("report.html"));
    Some((folder, browser, document))
}

#[test]
fn the_page_shows_the_numbers_of_the_comparison() {
    let Some((_folder, mut browser, document)) = open_page("numbers") else {
        return;
    };
    let embedded = browser.value("document.getElementById('premiss-diff').textContent");
    let embedded: Value = serde_json::from_str(embedded.as_str().expect("text")).expect("JSON");
    assert!(embedded == document, "the document is another one");
    let numbers = browser.value(NUMBERS);
    let numbers = numbers.as_array().expect("a list");
    // Twelve metrics before and after, and more where they grew.
    assert!(24 < numbers.len());
    for number in numbers {
        let [at, value, kind] = [0, 1, 2].map(|idx| number[idx].as_str().expect("text"));
        let expected = document.pointer(at).expect("a place");
        assert_eq!(value, number_text(expected), "{at}");
        assert_eq!(kind, expected["kind"], "{at}");
    }
    check_quiet(&browser);
}

#[test]
fn keys_alone_reach_everything_of_a_comparison() {
    let Some((_folder, mut browser, _)) = open_page("keys") else {
        return;
    };
    assert!(25 < reach_all(&mut browser, CONTROLS));
    check_quiet(&browser);
}

#[test]
fn keys_alone_filter_and_sort() {
    let Some((_folder, mut browser, _)) = open_page("sort") else {
        return;
    };
    let rows = |browser: &mut Browser| -> Vec<String> {
        let rows = browser.value(ROWS);
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|x| x.as_str().expect("text").to_owned()).collect()
    };
    // Unchanged nests are not shown at first.
    let first = rows(&mut browser);
    assert_eq!(first.len(), 6, "{first:?}");
    go_to(&mut browser, &TAB, "input[value=unchanged]");
    browser.press(&SPACE);
    assert_eq!(rows(&mut browser).len(), 12);
    browser.press(&SPACE);
    assert_eq!(rows(&mut browser), first);
    // Words of a filter.
    go_to(&mut browser, &TAB, "#filter");
    browser.call("Input.insertText", &json!({"text": "L1_miss rows"}));
    let filtered = rows(&mut browser);
    assert!(
        matches!(filtered.as_slice(), [one] if one.starts_with("l1_miss")),
        "{filtered:?}"
    );
    browser.value("document.activeElement.select()");
    browser.call("Input.insertText", &json!({"text": "no such row"}));
    assert_eq!(rows(&mut browser), Vec::<String>::new());
    browser.open_again();
    // Rising, falling, and as it was.
    let change = |row: &String| -> i64 {
        let (_, number) = row.split_once(' ').expect("a number");
        number.parse().expect("a number")
    };
    go_to(&mut browser, &TAB, "button[data-sort='4']");
    let sort = "document.activeElement.closest('th').getAttribute('aria-sort')";
    browser.press(&ENTER);
    assert_eq!(browser.value(sort), "ascending");
    let rising: Vec<i64> = rows(&mut browser).iter().map(change).collect();
    assert!(rising.is_sorted(), "{rising:?}");
    browser.press(&ENTER);
    assert_eq!(browser.value(sort), "descending");
    let falling: Vec<i64> = rows(&mut browser).iter().map(change).collect();
    assert!(falling.is_sorted_by(|a, b| a >= b), "{falling:?}");
    assert!(0 < falling[0]);
    browser.press(&SPACE);
    assert_eq!(browser.value(sort), Value::Null);
    assert_eq!(rows(&mut browser), first);
    // The name of a nest leads to its function, where references unfold as in a report.
    go_to(&mut browser, &TAB, "table.nests a");
    browser.press(&ENTER);
    browser.until("the link leads there", |x| {
        x.value("location.hash") == "#f0"
    });
    go_to(&mut browser, &TAB, ".source summary");
    browser.press(&DOWN);
    browser.press(&RIGHT);
    assert_eq!(
        browser.value("document.activeElement.parentElement.open"),
        true
    );
    check_quiet(&browser);
}

#[test]
fn pictures_of_both_programs_are_saved() {
    let Some((folder, mut browser, _)) = open_page("saved") else {
        return;
    };
    let expected = [
        "premiss-1-rows-miss-ratio",
        "premiss-1-rows-reuse-distances",
        "premiss-1-rows-misses-against-n",
        "premiss-roofline",
    ];
    for text in save_all(&mut browser, &folder, &expected) {
        assert!(
            text.contains("\r\nbase,") && text.contains("\r\nhead,"),
            "{text}"
        );
    }
    check_quiet(&browser);
}

#[test]
fn a_comparison_fits_narrow_screens_and_needs_no_script() {
    let Some((_folder, mut browser, _)) = open_page("narrow") else {
        return;
    };
    let narrow = json!({"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", &narrow);
    let width = browser.value("document.documentElement.scrollWidth");
    assert!(width.as_u64().is_some_and(|width| width <= 390), "{width}");
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        &json!({"value": true}),
    );
    browser.open_again();
    let is_hidden = "[...document.querySelectorAll('.scripted')].every(x => getComputedStyle(x).display === 'none')";
    assert_eq!(browser.value(is_hidden), true);
    // Without a script all rows are shown.
    assert_eq!(browser.value(ROWS).as_array().map(Vec::len), Some(12));
    check_quiet(&browser);
}
