//! Fields of the elements of a slice.
// -P n=10

#[repr(C)]
pub struct Body {
    pub position: [f64; 3],
    pub velocity: [f64; 3],
    pub mass: f32,
    pub kind: u8,
}

pub fn points(n: usize, dt: f64, bodies: &mut [Body], masses: &mut [f32]) {
    for i in 0..n {
        for axis in 0..3 {
            bodies[i].position[axis] += dt * bodies[i].velocity[axis]; // loads 60, stores 30
        }
    }
    for (body, mass) in bodies[..n].iter_mut().zip(masses[..n].iter_mut()) {
        *mass = body.mass; // loads 10, stores 10
        body.kind = 1; // stores 10
    }
}
