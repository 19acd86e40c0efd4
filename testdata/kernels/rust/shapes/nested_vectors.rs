// Vectors of vectors: rows that an argument leads to, and rows that `vec!` makes.
// -P n=10
pub fn nested_vectors(n: usize, a: &Vec<Vec<f64>>) -> f64 {
    let mut b = vec![vec![0.0; n]; n];
    for j in 0..n {
        for i in 0..n {
            b[i][j] = a[i][j]; // loads 300, stores 100
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..n {
            sum += b[i][j]; // loads 200
        }
    }
    sum
}
