// Innermost loops, each with what it may be as a vector: `vector:` in the line of its header.

pub fn axpy(n: usize, alpha: f64, x: &[f64], y: &mut [f64]) {
    for i in 0..n { // vector: yes
        y[i] += alpha * x[i];
    }
}

pub fn dot(n: usize, x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..n { // vector: reduction of s
        s += x[i] * y[i];
    }
    s
}

pub fn prefix(n: usize, x: &mut [f64]) {
    for i in 1..n { // vector: no: flow 1
        x[i] += x[i - 1];
    }
    for i in 4..n { // vector: yes, at most 4
        x[i] = x[i - 4] + 1.0;
    }
    for i in 0..n - 1 { // vector: yes
        x[i] = x[i + 1];
    }
}

pub fn recurrence(n: usize, x: &mut [f64], first: f64) {
    let mut last = first;
    for i in 0..n { // vector: no: scalar last
        let t = x[i];
        x[i] = last;
        last = t;
    }
}

pub fn indirect(n: usize, x: &mut [f64], y: &[f64], k: &[usize]) {
    for i in 0..n { // vector: no: scatter
        x[k[i]] = y[i];
    }
    for i in 0..n { // vector: yes
        x[i] = y[k[i]];
    }
    for i in 0..n { // vector: yes, masked
        if y[i] > 0.0 {
            x[i] = y[i].sqrt();
        }
    }
}

pub fn greatest(n: usize, x: &[f64]) -> f64 {
    let mut greatest = x[0];
    for i in 1..n { // vector: reduction of greatest
        greatest = greatest.max(x[i]);
    }
    greatest
}
