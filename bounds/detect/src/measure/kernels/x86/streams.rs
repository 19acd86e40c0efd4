//! Three streams side by side, as loops over several arrays have them.

use super::{Line, Width, each};
use std::arch::asm;

/// Streams go over memory in steps of four vectors: 64, 128 or 256 bytes.
const STEP: usize = 4;

/// Goes over three streams of `$bytes` bytes, the first from `rdi` on, the others `rdx` and `2 rdx` further.
macro_rules! three {
    ($start:expr, $bytes:expr, $body:literal, $step:literal, $last:literal) => {
        // SAFETY: three times `$bytes` bytes, a multiple of 256 that is not zero, begin there, aligned to 64; `body`
        // touches one step of each stream, and registers that are declared.
        unsafe {
            asm!(
                "2:",
                each!("0,1,2,3", $body),
                concat!("add rdi, ", $step),
                "cmp rdi, rsi",
                "jb 2b",
                $last,
                inout("rdi") $start => _,
                in("rsi") $start.wrapping_byte_add($bytes),
                in("rdx") $bytes,
                clobber_abi("sysv64"),
                options(nostack),
            );
        }
    };
}

/// Reads three streams; returns the number of lines of each.
pub(in super::super::super) fn read_three(lines: &[Line]) -> usize {
    let each = lines.len() / 3 / STEP * STEP;
    if each == 0 {
        return 0;
    }
    let (start, bytes) = (lines.as_ptr(), each * size_of::<Line>());
    match Width::here() {
        Width::Sse => three!(
            start,
            bytes,
            "movaps xmm0, [rdi+16*\\i]\nmovaps xmm1, [rdi+rdx+16*\\i]\nmovaps xmm2, [rdi+2*rdx+16*\\i]",
            "64",
            ""
        ),
        Width::Avx => three!(
            start,
            bytes,
            "vmovaps ymm0, [rdi+32*\\i]\nvmovaps ymm1, [rdi+rdx+32*\\i]\nvmovaps ymm2, [rdi+2*rdx+32*\\i]",
            "128",
            "vzeroupper"
        ),
        Width::Avx512 => three!(
            start,
            bytes,
            "vmovaps zmm0, [rdi+64*\\i]\nvmovaps zmm1, [rdi+rdx+64*\\i]\nvmovaps zmm2, [rdi+2*rdx+64*\\i]",
            "256",
            "vzeroupper"
        ),
    }
    each
}

/// Reads two streams and writes a third; returns the number of lines of each.
pub(in super::super::super) fn write_third(lines: &mut [Line]) -> usize {
    let each = lines.len() / 3 / STEP * STEP;
    if each == 0 {
        return 0;
    }
    let (start, bytes) = (lines.as_mut_ptr(), each * size_of::<Line>());
    match Width::here() {
        Width::Sse => three!(
            start,
            bytes,
            "movaps xmm0, [rdi+16*\\i]\nmovaps xmm1, [rdi+rdx+16*\\i]\nmovaps [rdi+2*rdx+16*\\i], xmm2",
            "64",
            ""
        ),
        Width::Avx => three!(
            start,
            bytes,
            "vmovaps ymm0, [rdi+32*\\i]\nvmovaps ymm1, [rdi+rdx+32*\\i]\nvmovaps [rdi+2*rdx+32*\\i], ymm2",
            "128",
            "vzeroupper"
        ),
        Width::Avx512 => three!(
            start,
            bytes,
            "vmovaps zmm0, [rdi+64*\\i]\nvmovaps zmm1, [rdi+rdx+64*\\i]\nvmovaps [rdi+2*rdx+64*\\i], zmm2",
            "256",
            "vzeroupper"
        ),
    }
    each
}
