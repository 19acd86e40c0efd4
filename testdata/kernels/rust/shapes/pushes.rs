// Vectors that grow: each element lies behind the one before, whatever it is made of.
// -P n=10 -P m=3 -P c.len()=4
pub struct Point {
    x: f64,
    y: f64,
}

pub fn pushes(n: usize, m: usize, b: &[f64], c: &mut Vec<Point>) -> f64 {
    let mut a = Vec::new();
    for i in 0..n {
        a.push(Point { x: b[i], y: 1.0 }); // loads 10, stores 20
    }
    let mut sum = 0.0;
    for point in &a {
        sum += point.y; // loads 10
    }
    c.clear();
    for _ in 0..n {
        for j in 0..m {
            c.push(Point { x: b[j], y: 2.0 }); // loads 30, stores 60
        }
    }
    for point in c.iter() {
        sum += point.x * point.y; // loads 60
    }
    sum
}
