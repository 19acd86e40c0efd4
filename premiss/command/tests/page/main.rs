//! The page of a report in a real browser: it asks nobody for anything, complains of nothing, can be used with
//! keys alone, and shows the numbers of the JSON document.

mod browser;
mod diff;
mod numbers;

use browser::{Browser, DOWN, END, ENTER, HOME, Key, LEFT, RIGHT, SPACE, TAB, UP, installed};
use numbers::number_text;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REPORT: [&str; 8] = [
    "report",
    "testdata/kernels/c/gemm.c",
    "-P",
    "NI=40",
    "-P",
    "NJ=40",
    "-P",
    "NK=40",
];

/// What has the focus, in a few words.
const FOCUSED: &str = "(() => { const x = document.activeElement; \
    return x === document.body ? '' : [x.tagName, x.id, x.name, x.value, x.dataset.save, \
    x.closest('figure')?.dataset.name, x.getAttribute('aria-label') || x.textContent.trim()].join('|') })()";

/// All numbers that name their place in the document.
const NUMBERS: &str = "[...document.querySelectorAll('data[data-at]')].map(x => \
    [x.dataset.at, x.value, x.dataset.kind || 'exact'])";

/// Everything that can be used, but for radio buttons, of which keys reach the chosen one.
const CONTROLS: &str = "[...document.querySelectorAll('a[href], button, summary, input:checked')]\
    .filter(x => x.checkVisibility()).length";

fn premiss(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    command.args(arguments).current_dir(root);
    for name in ["PREMISS_CACHE_DIR", "XDG_CACHE_HOME", "HOME"] {
        command.env_remove(name);
    }
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("premiss-page-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("saved")).expect("a folder");
        Self(folder.canonicalize().expect("it is there"))
    }

    /// The report as a page.
    fn page(&self) -> PathBuf {
        let file = self.0.join("report.html");
        premiss(&[&REPORT[..], &["-o", file.to_str().expect("a path")]].concat());
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The name of Chromium; nothing where there is none, which is no way to pass in CI.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn chromium() -> Option<&'static str> {
    let chromium = installed();
    if chromium.is_none() {
        let advice = "this needs Chromium (Debian: apt-get install chromium)";
        assert!(env::var_os("CI").is_none_or(|x| x.is_empty()), "{advice}");
        println!("skipped: {advice}");
    }
    chromium
}

/// Chromium with the report open.
fn open_page(name: &str) -> Option<(Folder, Browser)> {
    let chromium = chromium()?;
    let folder = Folder::new(name);
    let mut browser = Browser::start(chromium, &folder.0.join("profile"));
    browser.open(&folder.page());
    Some((folder, browser))
}

/// Presses a key until the focus is on what an expression says, at most once around.
#[track_caller]
fn go_to(browser: &mut Browser, key: &Key, selector: &str) {
    for _ in 0..400 {
        browser.press(key);
        let is_there = format!("document.activeElement.matches({})", json!(selector));
        if browser.value(&is_there) == true {
            return;
        }
    }
    panic!("keys do not reach {selector}");
}

/// Nothing was said on the console, nothing thrown, and nothing asked for but the page and what it saved.
#[track_caller]
fn check_quiet(browser: &Browser) {
    for event in &browser.events {
        let method = event["method"].as_str().unwrap_or("");
        let is_loud = [
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
        ];
        assert!(!is_loud.contains(&method), "{event}");
        if method == "Network.requestWillBeSent" {
            let url = event["params"]["request"]["url"].as_str().unwrap_or("");
            let is_own = url.starts_with("file://") && url.contains("/report.html");
            assert!(is_own || url.starts_with("blob:"), "{url}");
        }
    }
}

#[test]
fn the_browser_shows_the_numbers_of_the_document() {
    let Some((_folder, mut browser)) = open_page("numbers") else {
        return;
    };
    let json = premiss(&[&REPORT[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&json).expect("JSON");
    let embedded = browser.value("document.getElementById('premiss-report').textContent");
    let embedded: Value = serde_json::from_str(embedded.as_str().expect("text")).expect("JSON");
    assert!(embedded == document, "the document is another one");
    let numbers = browser.value(NUMBERS);
    let numbers = numbers.as_array().expect("a list");
    assert!(100 < numbers.len());
    for number in numbers {
        let [at, value, kind] = [0, 1, 2].map(|idx| number[idx].as_str().expect("text"));
        let expected = document.pointer(at).expect("a place");
        if expected.is_f64() {
            assert_eq!(value.parse::<f64>().ok(), expected.as_f64(), "{at}");
        } else {
            assert_eq!(
                (value, kind),
                (
                    &*number_text(expected),
                    expected["kind"].as_str().unwrap_or("exact")
                ),
                "{at}"
            );
        }
    }
    check_quiet(&browser);
}

#[test]
fn keys_alone_reach_everything() {
    let Some((_folder, mut browser)) = open_page("keys") else {
        return;
    };
    assert!(20 < reach_all(&mut browser, CONTROLS));
    // Each has a name of its own for those who hear the page.
    let tree = browser.call("Accessibility.getFullAXTree", &json!({}));
    for node in tree["nodes"].as_array().expect("a list") {
        let role = node["role"]["value"].as_str().unwrap_or("");
        if [
            "button",
            "link",
            "radio",
            "DisclosureTriangle",
            "img",
            "region",
        ]
        .contains(&role)
        {
            let name = node["name"]["value"].as_str().unwrap_or("");
            let is_ignored = node["ignored"] == true;
            assert!(is_ignored || !name.trim().is_empty(), "{node}");
        }
    }
    check_quiet(&browser);
}

/// Goes through a page by keys alone, and sees that they reach as many controls as there are, each with an outline;
/// yields how many.
fn reach_all(browser: &mut Browser, controls: &str) -> u64 {
    let n_controls = browser.value(controls).as_u64().expect("a number");
    let mut reached = BTreeSet::new();
    let mut n_reached = 0;
    for _ in 0..1000 {
        browser.press(&TAB);
        let focused = browser.value(FOCUSED);
        let focused = focused.as_str().unwrap_or("").to_owned();
        if focused.is_empty() {
            break;
        }
        let outline = "getComputedStyle(document.activeElement).outlineStyle";
        assert_eq!(browser.value(outline), "solid", "{focused}");
        let control = "document.activeElement.matches('a[href], button, summary, input')";
        n_reached += u64::from(browser.value(control) == true);
        reached.insert(focused);
    }
    assert_eq!(n_reached, n_controls, "{reached:#?}");
    n_controls
}

#[test]
fn keys_alone_work_everything() {
    let Some((_folder, mut browser)) = open_page("work") else {
        return;
    };
    // The link over what stands at the top.
    browser.press(&TAB);
    assert_eq!(browser.value("document.activeElement.className"), "skip");
    browser.press(&ENTER);
    browser.until("the link leads to the report", |x| {
        x.value("document.activeElement.id") == "main"
    });
    browser.open_again();
    // Levels.
    let heat = "(level => [...document.querySelectorAll('.heat[data-heat]')].every(x => \
                x.textContent.length === Number(x.dataset.heat.split(' ')[level]) && \
                x.firstElementChild.getAttribute('aria-label') === 'heat ' + x.textContent.length + ' of 4') && \
                [...document.querySelectorAll('col[data-level]')].every(x => \
                x.classList.contains('chosen') === (x.dataset.level === String(level))))";
    go_to(&mut browser, &TAB, "input[name=level]");
    assert_eq!(browser.value(&format!("{heat}(0)")), true);
    browser.press(&RIGHT);
    assert_eq!(
        browser.value("document.querySelector('input[name=level]:checked').value"),
        "1"
    );
    assert_eq!(browser.value(&format!("{heat}(1)")), true);
    browser.press(&LEFT);
    assert_eq!(browser.value(&format!("{heat}(0)")), true);
    // Light and dark.
    go_to(&mut browser, &TAB, "#theme");
    let ground = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.value(ground), "rgb(255, 255, 255)");
    browser.press(&ENTER);
    assert_eq!(browser.value(ground), "rgb(22, 22, 22)");
    assert_eq!(
        browser.value("document.activeElement.getAttribute('aria-pressed')"),
        "true"
    );
    browser.press(&SPACE);
    assert_eq!(browser.value(ground), "rgb(255, 255, 255)");
    // References.
    let is_open = "document.activeElement.parentElement.open";
    let order = "[...document.querySelectorAll('.source summary')].indexOf(document.activeElement)";
    go_to(&mut browser, &TAB, ".source summary");
    assert_eq!(
        (browser.value(order), browser.value(is_open)),
        (json!(0), json!(false))
    );
    browser.press(&ENTER);
    assert_eq!(browser.value(is_open), true);
    let shown = browser.value("document.activeElement.nextElementSibling.innerText");
    assert!(
        shown
            .as_str()
            .is_some_and(|x| x.contains("exact") && x.contains("Stride:")),
        "{shown}"
    );
    for (key, at) in [
        (&DOWN, 1),
        (&DOWN, 2),
        (&UP, 1),
        (&END, 3),
        (&DOWN, 3),
        (&HOME, 0),
    ] {
        browser.press(key);
        assert_eq!(browser.value(order), at);
    }
    browser.press(&LEFT);
    assert_eq!(browser.value(is_open), false);
    browser.press(&RIGHT);
    assert_eq!(browser.value(is_open), true);
    // Links from the table of references unfold them.
    browser.open_again();
    go_to(&mut browser, &TAB, "a[href^='#f0r']");
    browser.press(&ENTER);
    browser.until("a link unfolds", |x| {
        x.value(&format!(
            "document.activeElement.matches('summary') && {is_open}"
        )) == true
    });
    check_quiet(&browser);
}

#[test]
fn pictures_and_their_numbers_are_saved() {
    let Some((folder, mut browser)) = open_page("saved") else {
        return;
    };
    let expected = [
        "premiss-1-kernel_gemm-miss-ratio",
        "premiss-1-kernel_gemm-reuse-distances",
        "premiss-1-kernel_gemm-misses-against-NI",
        "premiss-1-kernel_gemm-misses-against-NJ",
        "premiss-1-kernel_gemm-misses-against-NK",
        "premiss-roofline",
    ];
    save_all(&mut browser, &folder, &expected);
    check_quiet(&browser);
}

/// Saves each picture of a page, which are those of these names, as SVG and as CSV, by keys alone; and yields the
/// texts of the latter.
fn save_all(browser: &mut Browser, folder: &Folder, expected: &[&str]) -> Vec<String> {
    let saved = folder.0.join("saved");
    browser.call(
        "Browser.setDownloadBehavior",
        &json!({"behavior": "allow", "downloadPath": saved, "eventsEnabled": true}),
    );
    let names = browser.value("[...document.querySelectorAll('figure')].map(x => x.dataset.name)");
    assert_eq!(names, json!(expected));
    let mut numbers = Vec::new();
    for name in expected {
        // Chromium wants to be asked before a page saves more than ten files.
        browser.open_again();
        for kind in ["svg", "csv"] {
            let button = format!("figure[data-name='{name}'] button[data-save={kind}]");
            go_to(browser, &TAB, &button);
            browser.press(&ENTER);
            let file = saved.join(format!("{name}.{kind}"));
            browser.until("it is saved", |_| {
                fs::metadata(&file).is_ok_and(|x| 0 < x.len())
            });
            let text = fs::read_to_string(&file).expect("text");
            if kind == "svg" {
                check_picture(&text, name);
            } else {
                check_numbers(browser, &text, name);
                numbers.push(text);
            }
        }
    }
    numbers
}

/// A picture by itself is well formed and has a name.
fn check_picture(text: &str, name: &str) {
    let picture =
        roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let root = picture.root_element();
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://www.w3.org/2000/svg")
    );
    assert!(
        root.children()
            .any(|x| x.has_tag_name(("http://www.w3.org/2000/svg", "title")))
    );
    assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
}

/// A row for each of the table, with whole values.
fn check_numbers(browser: &mut Browser, text: &str, name: &str) {
    let cells = format!(
        "[...document.querySelectorAll(\"figure[data-name='{name}'] details tr\")].map(row => [...row.cells].map(x => \
         x.querySelector('data')?.value ?? x.textContent).join('|'))"
    );
    let cells = browser.value(&cells);
    let rows: Vec<String> = text
        .trim_end()
        .split("\r\n")
        .map(|row| row.replace(',', "|"))
        .collect();
    assert!(1 < rows.len(), "{name}");
    assert_eq!(json!(rows), cells, "{name}");
}

#[test]
fn the_page_fits_narrow_screens_and_needs_no_script() {
    let Some((_folder, mut browser)) = open_page("narrow") else {
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
    assert_eq!(browser.value("document.documentElement.className"), "");
    let is_hidden = "[...document.querySelectorAll('.scripted')].every(x => getComputedStyle(x).display === 'none')";
    assert_eq!(browser.value(is_hidden), true);
    // Heat of the first level, numbers and references, which unfold all the same.
    assert_eq!(
        browser
            .value("[...document.querySelectorAll('.heat')].some(x => x.textContent === '████')"),
        true
    );
    go_to(&mut browser, &TAB, ".source summary");
    browser.press(&ENTER);
    assert_eq!(
        browser.value("document.activeElement.parentElement.open"),
        true
    );
    check_quiet(&browser);
}
