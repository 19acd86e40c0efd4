//! The latency and the bandwidth of a level of memory.

use super::kernels::{self, LINE, Line, Ring, STEP};
use super::trials::{BestTrial, TRIALS, as_f64, best};
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// One of this many neighbouring lines is visited, so that speculative fetches seldom help.
const GROUP: usize = 4;
/// A ring stays within this many pages until it has visited all its lines there: fewer pages than a first TLB holds.
const PAGES: usize = 32;
const PAGE: usize = 4096;

/// The time of one load among `bytes`, each needing the one before.
pub(super) fn latency(bytes: usize) -> BestTrial {
    let n_lines = (bytes / LINE).max(GROUP);
    let mut ring = Ring::new(n_lines, &order(n_lines));
    // Once around, so that a cache holds what fits.
    kernels::chase(&mut ring, n_lines / GROUP);
    let steps = 4096;
    let trial = best(|times| kernels::chase(&mut ring, steps * times));
    BestTrial {
        seconds: trial.seconds / as_f64(steps),
        ..trial
    }
}

/// Lines in a random order, all of a few pages before those of the next.
///
/// Of 8 lines, 5 and 2 may be visited, or 0 and 7: one of each group of four.
fn order(n_lines: usize) -> Vec<usize> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let groups = n_lines / GROUP;
    let mut order: Vec<usize> = (0..groups)
        .map(|group| group * GROUP + random.below(GROUP))
        .collect();
    let at_a_time = PAGES * PAGE / LINE / GROUP;
    for pages in order.chunks_mut(at_a_time) {
        for idx in (1..pages.len()).rev() {
            pages.swap(idx, random.below(idx + 1));
        }
    }
    order
}

/// Bytes that pass in a second: the most that any kind of stream reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Throughput {
    /// Bytes read.
    pub(super) read: f64,
    /// Bytes read and written.
    pub(super) both: f64,
    /// The trials of what reads most.
    pub(super) trial: BestTrial,
}

/// Ways to go over memory.
#[derive(Clone, Copy, Debug)]
enum Stream {
    Read,
    /// Three streams at once.
    ReadThree,
    /// Two streams, and a third that is written: its lines are usually read first.
    WriteThird,
}

impl Stream {
    const ALL: [Self; 3] = [Self::Read, Self::ReadThree, Self::WriteThird];

    /// Goes over all lines; returns how many are read and how many are written.
    fn go(self, lines: &mut [Line]) -> (usize, usize) {
        match self {
            Self::Read => {
                kernels::read(lines);
                (lines.len(), 0)
            }
            Self::ReadThree => (3 * kernels::read_three(lines), 0),
            Self::WriteThird => {
                let each = kernels::write_third(lines);
                (3 * each, each)
            }
        }
    }
}

impl Throughput {
    /// The best of streams, each with the lines that it read and wrote in one run.
    fn most(streams: impl Iterator<Item = ((usize, usize), BestTrial)>) -> Self {
        let none = Self {
            read: 0.0,
            both: 0.0,
            trial: BestTrial::from_seconds(&[f64::INFINITY]),
        };
        streams.fold(none, |most, ((read, written), trial)| {
            let per_second = |lines: usize| as_f64(lines * LINE) / trial.seconds;
            let both = most.both.max(per_second(read + written));
            let read = per_second(read);
            if most.read < read {
                Self { read, both, trial }
            } else {
                Self { both, ..most }
            }
        })
    }
}

/// What one core moves of `bytes` bytes, `chunk` after `chunk`, over and over.
pub(super) fn bandwidth(bytes: usize, chunk: usize) -> Throughput {
    let mut lines = lines(bytes);
    let chunk = whole_steps(chunk).min(lines.len());
    let chunks = lines.len() / chunk;
    let mut at = 0;
    Throughput::most(Stream::ALL.into_iter().map(|stream| {
        let mut moved = (0, 0);
        let trial = best(|times| {
            for _ in 0..times {
                moved = stream.go(&mut lines[at * chunk..][..chunk]);
                at = (at + 1) % chunks;
            }
        });
        (moved, trial)
    }))
}

/// What all cores together move of `bytes` bytes each, `chunk` after `chunk`.
pub(super) fn bandwidth_of_all(bytes: usize, chunk: usize, cores: usize) -> Throughput {
    let barrier = Barrier::new(cores);
    let chunk = whole_steps(chunk).min(whole_steps(bytes));
    let run = |stream: Stream| {
        let mut lines = lines(bytes);
        let chunks = lines.len() / chunk;
        let mut moved = (0, 0);
        let trials = (0..TRIALS).map(|trial| {
            barrier.wait();
            let start = Instant::now();
            moved = stream.go(&mut lines[trial % chunks * chunk..][..chunk]);
            barrier.wait();
            start.elapsed().as_secs_f64()
        });
        let trials: Vec<f64> = trials.collect();
        (moved, trials)
    };
    Throughput::most(Stream::ALL.into_iter().map(|stream| {
        let of_threads: Vec<((usize, usize), Vec<f64>)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(|| run(stream))).collect();
            // A thread can fail only where memory is out, which ends the process.
            threads.into_iter().filter_map(|x| x.join().ok()).collect()
        });
        // All threads end together; the one that began first has the time of the trial.
        let longest = |idx: usize| of_threads.iter().map(|x| x.1[idx]).fold(0.0, f64::max);
        let trials: Vec<f64> = (0..TRIALS).map(longest).collect();
        let sum = |of: fn(&(usize, usize)) -> usize| of_threads.iter().map(|x| of(&x.0)).sum();
        (
            (sum(|x| x.0), sum(|x| x.1)),
            BestTrial::from_seconds(&trials),
        )
    }))
}

/// Newly allocated memory, in whole steps.
pub(super) fn lines(bytes: usize) -> Vec<Line> {
    vec![Line::PLAIN; whole_steps(bytes)]
}

/// The number of lines in `bytes` bytes, in whole steps, at least one step.
fn whole_steps(bytes: usize) -> usize {
    (bytes / LINE / STEP).max(1) * STEP
}

/// Numbers without a pattern (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        usize::try_from(self.0 % limit).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_each_group_is_visited_once() {
        for n_lines in [4, 8, 2048, 10_000] {
            let order = order(n_lines);
            let mut groups: Vec<usize> = order.iter().map(|line| line / GROUP).collect();
            groups.sort_unstable();
            let expected: Vec<usize> = (0..n_lines / GROUP).collect();
            assert_eq!(groups, expected);
            assert!(order.iter().all(|line| *line < n_lines));
        }
    }

    #[test]
    fn rings_go_around() {
        let order = order(64);
        let mut ring = Ring::new(64, &order);
        let mut visited = Vec::new();
        for _ in 0..order.len() {
            visited.push(ring.at());
            kernels::chase(&mut ring, 1);
        }
        assert_eq!(visited, order);
        kernels::chase(&mut ring, 3);
        assert_eq!(ring.at(), order[3]);
    }

    #[test]
    fn streams_are_whole_steps() {
        assert_eq!(lines(1).len(), STEP);
        assert_eq!(lines(1 << 20).len() % STEP, 0);
    }

    #[test]
    fn small_memories_are_measured() {
        let latency = latency(16 << 10);
        assert!(
            0.0 < latency.seconds && latency.seconds < 1e-3,
            "{latency:?}"
        );
        for flow in [
            bandwidth(16 << 10, 16 << 10),
            bandwidth(1 << 20, 64 << 10),
            bandwidth_of_all(1 << 20, 256 << 10, 2),
        ] {
            assert!(1e6 < flow.read && flow.read <= flow.both && flow.both < 1e16);
        }
    }

    #[test]
    fn ways_tell_what_they_move() {
        let mut lines = lines(64 << 10);
        let n_lines = lines.len();
        assert_eq!(n_lines, 1020);
        for (stream, moved) in Stream::ALL
            .into_iter()
            .zip([(1020, 0), (1020, 0), (1020, 340)])
        {
            assert_eq!(stream.go(&mut lines), moved, "{stream:?}");
        }
        for stream in Stream::ALL {
            assert_eq!(stream.go(&mut []), (0, 0), "{stream:?}");
        }
    }

    #[test]
    fn the_most_of_each_counts() {
        let streams = [((10, 0), 2.0), ((9, 3), 2.0)];
        let flow = Throughput::most(
            streams
                .map(|(moved, x)| (moved, BestTrial::from_seconds(&[x])))
                .into_iter(),
        );
        let line = as_f64(LINE);
        assert_eq!((flow.read, flow.both), (5.0 * line, 6.0 * line));
    }
}
