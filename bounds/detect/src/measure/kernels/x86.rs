//! The loops in assembly.
//!
//! All `unsafe` of this crate is here. Each block runs a loop that touches registers that it declares, and
//! memory inside of the slice or ring that it was given, in whole vectors: slices are cut to whole steps
//! before. Instructions beyond SSE2 run only where [`Width::here`] has found them.
#![expect(
    unsafe_code,
    reason = "what is timed has to be these instructions and no others"
)]

mod streams;

pub(in super::super) use streams::{read_three, write_third};

use super::{Arithmetic, LINE, Line, Ring, STEP};
use std::arch::asm;
use std::arch::is_x86_feature_detected;
use std::sync::OnceLock;

/// The longest vectors that the processor computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    Sse,
    Avx,
    Avx512,
}

impl Width {
    fn here() -> Self {
        static HERE: OnceLock<Width> = OnceLock::new();
        *HERE.get_or_init(|| {
            if is_x86_feature_detected!("avx512f") {
                Self::Avx512
            } else if is_x86_feature_detected!("avx") {
                Self::Avx
            } else {
                Self::Sse
            }
        })
    }
}

/// Bytes of the longest vectors.
pub(in super::super) fn width() -> Option<usize> {
    Some(match Width::here() {
        Width::Sse => 16,
        Width::Avx => 32,
        Width::Avx512 => 64,
    })
}

/// An instruction for each number; it says where with `\\i`, which is that number.
macro_rules! each {
    ($numbers:literal, $instruction:literal) => {
        concat!(".irp i,", $numbers, "\n", $instruction, "\n.endr\n")
    };
}
use each;

/// The same twelve times.
macro_rules! twelve {
    ($instruction:literal) => {
        each!("0,1,2,3,4,5,6,7,8,9,10,11", $instruction)
    };
}

/// One six times, then another.
macro_rules! six_and_six {
    ($one:literal, $other:literal) => {
        concat!(each!("0,1,2,3,4,5", $one), each!("6,7,8,9,10,11", $other))
    };
}

/// `turns` times the instructions `body`. It uses no memory; registers 12 and 13 hold ordinary numbers in
/// every lane, after `spread`.
macro_rules! turns {
    ($turns:expr, $spread:literal, $body:expr, $end:literal) => {
        // SAFETY: it touches nothing but registers, all of which are declared, and ends after `turns`
        // turns, of which there is one at least.
        unsafe {
            asm!(
                $spread,
                "2:",
                $body,
                "dec rdi",
                "jnz 2b",
                $end,
                inout("rdi") $turns.max(1) => _,
                inlateout("xmm12") 1.7_f64 => _,
                inlateout("xmm13") 1.3_f64 => _,
                clobber_abi("sysv64"),
                options(nomem, nostack),
            );
        }
    };
}

/// Goes over lines in steps of twelve vectors, of 192, 384 or 768 bytes.
macro_rules! sweep {
    ($ends:expr, $body:expr, $step:literal, $last:literal) => {
        // SAFETY: these are the ends of a slice of whole steps, aligned to 64 bytes, that is not empty;
        // `body` touches one step from `rdi` on, and registers that are declared.
        unsafe {
            asm!(
                "2:",
                $body,
                concat!("add rdi, ", $step),
                "cmp rdi, rsi",
                "jb 2b",
                $last,
                inout("rdi") $ends.start => _,
                in("rsi") $ends.end,
                clobber_abi("sysv64"),
                options(nostack),
            );
        }
    };
}

/// `turns` times 16 additions, each of which needs the one before.
pub(in super::super) fn adds(turns: usize) -> bool {
    turns!(turns, "", ".rept 16\nadd rax, rcx\n.endr", "");
    true
}

/// `turns` times 62 instructions that do nothing, and two that count.
pub(in super::super) fn nops(turns: usize) -> bool {
    turns!(turns, "", ".rept 62\nnop\n.endr", "");
    true
}

/// Follows a ring for `steps` steps, from where it was left.
pub(in super::super) fn chase(ring: &mut Ring, steps: usize) {
    let start = ring.lines.as_ptr();
    let mut at = start.wrapping_add(ring.at).addr();
    // SAFETY: every line of the ring begins with the address of another one of it, all in `ring.lines`.
    unsafe {
        asm!(
            "2:",
            "mov {at}, [{at}]",
            "dec {steps}",
            "jnz 2b",
            at = inout(reg) at,
            steps = inout(reg) steps.max(1) => _,
            options(nostack, readonly),
        );
    }
    ring.at = (at - start.addr()) / LINE;
}

/// Reads all whole steps of the lines.
pub(in super::super) fn read(lines: &[Line]) {
    let whole = &lines[..lines.len() / STEP * STEP];
    if whole.is_empty() {
        return;
    }
    let ends = whole.as_ptr_range();
    match Width::here() {
        Width::Sse => sweep!(ends, twelve!("movaps xmm\\i, [rdi+16*\\i]"), "192", ""),
        Width::Avx => sweep!(
            ends,
            twelve!("vmovaps ymm\\i, [rdi+32*\\i]"),
            "384",
            "vzeroupper"
        ),
        Width::Avx512 => sweep!(
            ends,
            twelve!("vmovaps zmm\\i, [rdi+64*\\i]"),
            "768",
            "vzeroupper"
        ),
    }
}

/// Writes all whole steps of the lines.
pub(in super::super) fn stores(lines: &mut [Line]) -> bool {
    let n_whole = lines.len() / STEP * STEP;
    let whole = &mut lines[..n_whole];
    if whole.is_empty() {
        return false;
    }
    let ends = whole.as_mut_ptr_range();
    match Width::here() {
        Width::Sse => sweep!(ends, twelve!("movaps [rdi+16*\\i], xmm\\i"), "192", ""),
        Width::Avx => sweep!(
            ends,
            twelve!("vmovaps [rdi+32*\\i], ymm\\i"),
            "384",
            "vzeroupper"
        ),
        Width::Avx512 => sweep!(
            ends,
            twelve!("vmovaps [rdi+64*\\i], zmm\\i"),
            "768",
            "vzeroupper"
        ),
    }
    true
}

/// Reads two vectors, writes one, and so on.
pub(in super::super) fn loads_and_stores(lines: &mut [Line]) -> bool {
    let n_whole = lines.len() / STEP * STEP;
    let whole = &mut lines[..n_whole];
    if whole.is_empty() {
        return false;
    }
    let ends = whole.as_mut_ptr_range();
    match Width::here() {
        Width::Sse => sweep!(
            ends,
            each!(
                "0,3,6,9",
                "movaps xmm0, [rdi+16*\\i]\nmovaps xmm1, [rdi+16*\\i+16]\n\
                 movaps [rdi+16*\\i+32], xmm2"
            ),
            "192",
            ""
        ),
        Width::Avx => sweep!(
            ends,
            each!(
                "0,3,6,9",
                "vmovaps ymm0, [rdi+32*\\i]\nvmovaps ymm1, [rdi+32*\\i+32]\n\
                 vmovaps [rdi+32*\\i+64], ymm2"
            ),
            "384",
            "vzeroupper"
        ),
        Width::Avx512 => sweep!(
            ends,
            each!(
                "0,3,6,9",
                "vmovaps zmm0, [rdi+64*\\i]\nvmovaps zmm1, [rdi+64*\\i+64]\n\
                 vmovaps [rdi+64*\\i+128], zmm2"
            ),
            "768",
            "vzeroupper"
        ),
    }
    true
}

/// Computes, twelve vectors a turn; false where the processor cannot.
pub(in super::super) fn arithmetic(what: Arithmetic, turns: usize) -> bool {
    let is_fused = matches!(what, Arithmetic::Fused | Arithmetic::AddAndFused);
    if is_fused && (Width::here() == Width::Sse || !is_x86_feature_detected!("fma")) {
        return false;
    }
    match Width::here() {
        Width::Sse => sse(what, turns),
        Width::Avx => avx(what, turns),
        Width::Avx512 => avx512(what, turns),
    }
    true
}

fn sse(what: Arithmetic, turns: usize) {
    match what {
        Arithmetic::Add => turns!(
            turns,
            "unpcklpd xmm12, xmm12\nunpcklpd xmm13, xmm13",
            twelve!("addpd xmm\\i, xmm12"),
            ""
        ),
        // SSE2 has none.
        Arithmetic::Fused | Arithmetic::AddAndFused => {}
        Arithmetic::AddAndMultiply => turns!(
            turns,
            "unpcklpd xmm12, xmm12\nunpcklpd xmm13, xmm13",
            six_and_six!("addpd xmm\\i, xmm12", "mulpd xmm\\i, xmm12"),
            ""
        ),
        Arithmetic::Divide => turns!(
            turns,
            "unpcklpd xmm12, xmm12\nunpcklpd xmm13, xmm13",
            twelve!("divpd xmm\\i, xmm12"),
            ""
        ),
        Arithmetic::SquareRoot => turns!(
            turns,
            "unpcklpd xmm12, xmm12\nunpcklpd xmm13, xmm13",
            twelve!("sqrtpd xmm\\i, xmm12"),
            ""
        ),
    }
}

fn avx(what: Arithmetic, turns: usize) {
    match what {
        Arithmetic::Add => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            twelve!("vaddpd ymm\\i, ymm12, ymm13"),
            "vzeroupper"
        ),
        Arithmetic::Fused => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            twelve!("vfmadd231pd ymm\\i, ymm12, ymm13"),
            "vzeroupper"
        ),
        Arithmetic::AddAndFused => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            six_and_six!(
                "vaddpd ymm\\i, ymm12, ymm13",
                "vfmadd231pd ymm\\i, ymm12, ymm13"
            ),
            "vzeroupper"
        ),
        Arithmetic::AddAndMultiply => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            six_and_six!("vaddpd ymm\\i, ymm12, ymm13", "vmulpd ymm\\i, ymm12, ymm13"),
            "vzeroupper"
        ),
        Arithmetic::Divide => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            twelve!("vdivpd ymm\\i, ymm12, ymm13"),
            "vzeroupper"
        ),
        Arithmetic::SquareRoot => turns!(
            turns,
            "vmovddup xmm12, xmm12\nvinsertf128 ymm12, ymm12, xmm12, 1\nvmovddup xmm13, xmm13\nvinsertf128 ymm13, ymm13, xmm13, 1",
            twelve!("vsqrtpd ymm\\i, ymm12"),
            "vzeroupper"
        ),
    }
}

fn avx512(what: Arithmetic, turns: usize) {
    match what {
        Arithmetic::Add => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            twelve!("vaddpd zmm\\i, zmm12, zmm13"),
            "vzeroupper"
        ),
        Arithmetic::Fused => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            twelve!("vfmadd231pd zmm\\i, zmm12, zmm13"),
            "vzeroupper"
        ),
        Arithmetic::AddAndFused => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            six_and_six!(
                "vaddpd zmm\\i, zmm12, zmm13",
                "vfmadd231pd zmm\\i, zmm12, zmm13"
            ),
            "vzeroupper"
        ),
        Arithmetic::AddAndMultiply => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            six_and_six!("vaddpd zmm\\i, zmm12, zmm13", "vmulpd zmm\\i, zmm12, zmm13"),
            "vzeroupper"
        ),
        Arithmetic::Divide => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            twelve!("vdivpd zmm\\i, zmm12, zmm13"),
            "vzeroupper"
        ),
        Arithmetic::SquareRoot => turns!(
            turns,
            "vbroadcastsd zmm12, xmm12\nvbroadcastsd zmm13, xmm13",
            twelve!("vsqrtpd zmm\\i, zmm12"),
            "vzeroupper"
        ),
    }
}
