//! The progress of a run over files, or functions: a line on standard error that is erased at the end.
//!
//! It is shown only to people: on a terminal that can erase a line, outside of CI, and after half a second. All other
//! messages go through [`say`], which erases the line first.

use premiss_check::Progress;
use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use terminal_size::{Width, terminal_size_of};

/// Shorter runs show nothing.
const SILENCE: Duration = Duration::from_millis(500);
/// Before, a rate would tell little.
const FEWEST_SECONDS: f64 = 2.0;
const BETWEEN: Duration = Duration::from_millis(100);
/// Erases the line.
const CLEAR: &str = "\r\x1b[K";

/// Whether the line is shown. The holder of the lock may write to standard error.
static IS_DRAWN: Mutex<bool> = Mutex::new(false);

/// The line; `None` if nobody would see it. It is erased on drop.
pub(crate) struct ProgressLine(Option<Display>);

struct Display {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Default)]
struct State {
    activity: &'static str,
    /// What is counted: `files`.
    items: &'static str,
    done: usize,
    total: usize,
    /// The item in progress, or the last one; empty before the first.
    item: String,
    is_over: bool,
}

impl ProgressLine {
    /// A line for `total` items; `activity` is the work in progress: `reading` so many `files`.
    pub(crate) fn new(activity: &'static str, items: &'static str, total: usize) -> Self {
        if total == 0 || !is_visible() {
            return Self(None);
        }
        let shared = Arc::new(Shared::default());
        *lock(&shared.state) = State {
            activity,
            items,
            total,
            ..State::default()
        };
        let drawing = shared.clone();
        let thread = std::thread::Builder::new().spawn(move || draw_until_over(&drawing));
        Self(thread.ok().map(|thread| Display {
            shared,
            thread: Some(thread),
        }))
    }
}

impl Progress for ProgressLine {
    fn advance(&self, done: usize, activity: &'static str, item: &str) {
        if let Some(Display { shared, .. }) = &self.0 {
            let mut state = lock(&shared.state);
            // Threads that are done at the same time may come in any order.
            (state.done, state.activity) = (done.max(state.done), activity);
            item.clone_into(&mut state.item);
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        lock(&self.shared.state).is_over = true;
        self.shared.over.notify_all();
        // A thread that panicked has nothing left to show.
        let _ = self.thread.take().map(JoinHandle::join);
        say("");
    }
}

/// Writes a message to standard error, erasing the line first. Errors are ignored.
pub(crate) fn say(text: &str) {
    let mut is_drawn = lock(&IS_DRAWN);
    let clear = if std::mem::take(&mut *is_drawn) {
        CLEAR
    } else {
        ""
    };
    let _ = io::stderr()
        .lock()
        .write_all(format!("{clear}{text}").as_bytes());
}

/// Whether somebody sees the line, and wants to.
fn is_visible() -> bool {
    let value = |name| env::var(name).unwrap_or_default();
    let in_ci = !matches!(value("CI").as_str(), "" | "0" | "false");
    io::stderr().is_terminal() && !in_ci && !matches!(value("TERM").as_str(), "" | "dumb")
}

fn draw_until_over(shared: &Shared) {
    let start = Instant::now();
    let mut wait = SILENCE;
    let mut state = lock(&shared.state);
    loop {
        let waited = shared.over.wait_timeout(state, wait);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.is_over {
            return;
        }
        wait = BETWEEN;
        draw(&state, start.elapsed());
    }
}

fn draw(state: &State, elapsed: Duration) {
    let width = terminal_size_of(io::stderr()).map_or(80, |(Width(width), _)| width);
    // The last column stays free: some terminals wrap the line otherwise.
    let line = state.line(elapsed, usize::from(width).saturating_sub(1));
    let mut is_drawn = lock(&IS_DRAWN);
    *is_drawn = io::stderr()
        .lock()
        .write_all(format!("{CLEAR}{line}").as_bytes())
        .is_ok();
}

impl State {
    /// `counting 17/2243 functions, 1 %, 34/s, 65 s left: src/a.c`, in at most `width` characters. How many are done in a
    /// second, and how long the others take, stands there once there is enough to tell from.
    fn line(&self, elapsed: Duration, width: usize) -> String {
        let Self {
            activity,
            items,
            done,
            total,
            item,
            ..
        } = self;
        let mut line = match item.is_empty() {
            true => format!("{activity} {total} {items}"),
            false => format!(
                "{activity} {done}/{total} {items}, {} %",
                100 * done / total
            ),
        };
        let seconds = elapsed.as_secs_f64();
        if FEWEST_SECONDS < seconds && 0 < *done {
            let rate = *done as f64 / seconds;
            let left = total.saturating_sub(*done) as f64 / rate;
            line += &format!(", {rate:.1}/s, {left:.0} s left");
        }
        if !item.is_empty() {
            line += &format!(": {item}");
        }
        let plain = line.chars().map(|x| if x.is_control() { '?' } else { x });
        plain.take(width).collect()
    }
}

/// Locks a mutex; its content is valid even if a holder panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::State;
    use std::time::Duration;

    #[test]
    fn the_line_fits_and_has_no_controls() {
        let mut state = State {
            activity: "reading",
            items: "files",
            total: 12,
            ..State::default()
        };
        let line = |state: &State, width| state.line(Duration::ZERO, width);
        assert_eq!(line(&state, 80), "reading 12 files");
        (state.activity, state.done, state.item) = ("counting", 3, "src/\u{1b}[2J.c".to_owned());
        assert_eq!(line(&state, 80), "counting 3/12 files, 25 %: src/?[2J.c");
        assert_eq!(line(&state, 9), "counting ");
        assert_eq!(
            state.line(Duration::from_secs(6), 80),
            "counting 3/12 files, 25 %, 0.5/s, 18 s left: src/?[2J.c"
        );
    }
}
