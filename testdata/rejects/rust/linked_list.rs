// How often the loop runs depends on what it stores.
fn follow(next: &mut [usize], start: usize) {
    let mut at = start;
    while at != 0 { // rejects: uncounted-loop
        next[at] += 1;
        at = next[at];
    }
}
