//! A test is no part of what is shipped.

#[test]
fn sums() {
    let a = [1.0; 8];
    assert_eq!(a.iter().sum::<f64>(), 8.0);
}
