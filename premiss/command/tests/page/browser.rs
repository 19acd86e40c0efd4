//! Chromium without a window, by the DevTools protocol.
//!
//! With `--remote-debugging-pipe`, Chromium reads commands from descriptor 3 and writes answers and events to 4,
//! each a JSON object with a zero byte behind it. A shell lets these be its standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What it is called by those who package it.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// No answer takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A key as the browser is told of it.
pub(crate) struct Key {
    name: &'static str,
    code: u32,
    text: &'static str,
}

pub(crate) const TAB: Key = key("Tab", 9, "");
pub(crate) const ENTER: Key = key("Enter", 13, "\r");
pub(crate) const SPACE: Key = key(" ", 32, " ");
pub(crate) const LEFT: Key = key("ArrowLeft", 37, "");
pub(crate) const UP: Key = key("ArrowUp", 38, "");
pub(crate) const RIGHT: Key = key("ArrowRight", 39, "");
pub(crate) const DOWN: Key = key("ArrowDown", 40, "");
pub(crate) const HOME: Key = key("Home", 36, "");
pub(crate) const END: Key = key("End", 35, "");

const fn key(name: &'static str, code: u32, text: &'static str) -> Key {
    Key { name, code, text }
}

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    n_sent: u64,
    /// What it told without having been asked.
    pub(crate) events: Vec<Value>,
}

/// The first name of Chromium that is installed.
pub(crate) fn installed() -> Option<&'static str> {
    let is_there = |name: &&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    NAMES.into_iter().find(is_there)
}

impl Browser {
    /// Starts one that keeps what it has in a folder, with an empty page.
    pub(crate) fn start(name: &str, folder: &Path) -> Self {
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                "sh",
                name,
            ])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-pipe",
                "--window-size=1280,900",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let commands = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(stdout).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            commands,
            messages,
            session: None,
            n_sent: 0,
            events: Vec::new(),
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", &target);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.n_sent += 1;
        let mut command = json!({"id": self.n_sent, "method": method, "params": parameters});
        let is_of_page = !method.starts_with("Target.") && !method.starts_with("Browser.");
        if let Some(session) = self.session.as_ref().filter(|_| is_of_page) {
            command["sessionId"] = json!(session);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).expect("it listens");
        self.commands.flush().expect("it listens");
        loop {
            let message = self.next(method);
            if message["id"] == self.n_sent {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    /// Waits for an event that has not been told yet.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = self.next(method);
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    #[track_caller]
    fn next(&mut self, wanted: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|error| panic!("{wanted}: {error}"));
        if message["id"].is_null() {
            self.events.push(message.clone());
        }
        message
    }

    /// Loads a file and waits until it is there.
    pub(crate) fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", &json!({"url": url}));
        self.wait_for("Page.loadEventFired");
    }

    /// Loads the file anew, as if nobody had touched it.
    pub(crate) fn open_again(&mut self) {
        let url = self.value("location.pathname");
        let path = url.as_str().expect("a path").to_owned();
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.wait_for("Page.loadEventFired");
        self.open(Path::new(&path));
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &parameters);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].clone()
    }

    /// Presses a key and lets it go.
    pub(crate) fn press(&mut self, key: &Key) {
        let Key { name, code, text } = key;
        let kind = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        let mut parameters = json!({
            "type": kind, "key": name, "code": if *name == " " { "Space" } else { *name },
            "windowsVirtualKeyCode": code, "text": text,
        });
        self.call("Input.dispatchKeyEvent", &parameters);
        parameters["type"] = json!("keyUp");
        parameters["text"] = json!("");
        self.call("Input.dispatchKeyEvent", &parameters);
    }

    /// Asks until an expression is true.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            let events = &self.events[self.events.len().saturating_sub(3)..];
            assert!(start.elapsed() < PATIENCE, "{what}: {events:?}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({"id": self.n_sent + 1, "method": "Browser.close"});
        let _ = self.commands.write_all(format!("{close}\0").as_bytes());
        let _ = self.commands.flush();
        for _ in 0..50 {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
