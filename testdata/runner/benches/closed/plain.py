#!/usr/bin/env python3
"""The plain pipeline: reuse distances by set operations over one schedule space, and a count.

    python3 -m venv venv && venv/bin/pip install islpy-barvinok
    venv/bin/python plain.py KERNEL NAME=VALUE … [check]

For all accesses at once: the last access before each that touches the same line (a lexicographic
maximum over the whole schedule space), the lines touched in between (a composition of relations),
and how many these are (`card`). Sizes are fixed, lines have 64 bytes and elements 8. Arrays start at
lines of their own, and rows are padded to whole lines: where a row is no multiple of 8 elements
(gemm, jacobi-2d and atax at their LARGE sizes) this is an easier question than that of true rows.

Prints `seconds=S accesses=A cold=C pieces=P`, with `check` also `distance=COUNT` for each finite
distance, by evaluation at every access. The package is under the GPL; it runs out of process and is
neither linked nor shipped.
"""

import re
import sys
import time
from collections import Counter

import islpy as isl

# A statement is its domain, its schedule, and its accesses in order. Schedules alternate places
# in the text and iterators; shorter ones are filled up with zeros.
KERNELS = {
    "gemm": [
        ("i,j", "0<=i<NI and 0<=j<NJ", "i,0,j,0", "C[i,j] C[i,j]"),
        ("i,k,j", "0<=i<NI and 0<=k<NK and 0<=j<NJ", "i,1,k,j", "C[i,j] A[i,k] B[k,j] C[i,j]"),
    ],
    "trmm": [
        ("i,j,k", "0<=i<M and 0<=j<N and i<k<M", "i,j,0,k", "B[i,j] A[k,i] B[k,j] B[i,j]"),
        ("i,j", "0<=i<M and 0<=j<N", "i,j,1,0", "B[i,j] B[i,j]"),
    ],
    "mvt": [
        ("i,j", "0<=i<N and 0<=j<N", "0,i,j", "x[i] A[i,j] y[j] x[i]"),
        ("i,j", "0<=i<N and 0<=j<N", "1,i,j", "u[i] A[j,i] v[j] u[i]"),
    ],
    "lu": [
        ("i,j,k", "0<=k<j and j<i<N", "i,0,j,0,k", "A[i,j] A[i,k] A[k,j] A[i,j]"),
        ("i,j", "0<=j<i and i<N", "i,0,j,1,0", "A[i,j] A[j,j] A[i,j]"),
        ("i,j,k", "0<=k<i and i<=j<N", "i,1,j,0,k", "A[i,j] A[i,k] A[k,j] A[i,j]"),
    ],
    "cholesky": [
        ("i,j,k", "0<=k<j and j<i<N", "i,0,j,0,k", "A[i,j] A[i,k] A[j,k] A[i,j]"),
        ("i,j", "0<=j<i and i<N", "i,0,j,1,0", "A[i,j] A[j,j] A[i,j]"),
        ("i,k", "0<=k<i and i<N", "i,1,k,0,0", "A[i,i] A[i,k] A[i,k] A[i,i]"),
        ("i", "0<=i<N", "i,2,0,0,0", "A[i,i] A[i,i]"),
    ],
    "jacobi-2d": [
        ("t,i,j", "0<=t<TSTEPS and 1<=i<N-1 and 1<=j<N-1", f"t,{n},i,j",
         f"{a}[i,j] {a}[i,j-1] {a}[i,j+1] {a}[i+1,j] {a}[i-1,j] {b}[i,j]")
        for n, (a, b) in enumerate(["AB", "BA"])
    ],
    "seidel-2d": [
        ("t,i,j", "0<=t<TSTEPS and 1<=i<N-1 and 1<=j<N-1", "t,i,j",
         "A[i-1,j-1] A[i-1,j] A[i-1,j+1] A[i,j-1] A[i,j] A[i,j+1] "
         "A[i+1,j-1] A[i+1,j] A[i+1,j+1] A[i,j]"),
    ],
    "doitgen": [
        ("r,q,p", "0<=r<NR and 0<=q<NQ and 0<=p<NP", "r,q,0,p,0,0", "s[p]"),
        ("r,q,p,k", "0<=r<NR and 0<=q<NQ and 0<=p<NP and 0<=k<NP", "r,q,0,p,1,k",
         "s[p] A[r,q,k] D[k,p] s[p]"),
        ("r,q,p", "0<=r<NR and 0<=q<NQ and 0<=p<NP", "r,q,1,p,0,0", "s[p] A[r,q,p]"),
    ],
    "atax": [
        ("i", "0<=i<N", "0,i,0,0", "y[i]"),
        ("i", "0<=i<M", "1,i,0,0", "t[i]"),
        ("i,j", "0<=i<M and 0<=j<N", "1,i,1,j", "t[i] A[i,j] x[j] t[i]"),
        ("i,j", "0<=i<M and 0<=j<N", "1,i,2,j", "y[j] A[i,j] t[i] y[j]"),
    ],
    "trisolv": [
        ("i", "0<=i<N", "i,0,0", "b[i] x[i]"),
        ("i,j", "0<=j<i and i<N", "i,1,j", "x[i] L[i,j] x[j] x[i]"),
        ("i", "0<=i<N", "i,2,0", "x[i] L[i,i] x[i]"),
    ],
}


def touched(name, sizes):
    """The relation from schedule points (the access's place last) to lines."""
    lines, arrays = None, []
    for iterators, domain, schedule, accesses in KERNELS[name]:
        domain = re.sub(r"[A-Z]+", lambda found: str(sizes[found[0]]), domain)
        for place, access in enumerate(accesses.split()):
            array, subscripts = access[0], access[2:-1].split(",")
            if array not in arrays:
                arrays.append(array)
            outer = ["0"] * (3 - len(subscripts)) + subscripts[:-1]
            line = ",".join([str(arrays.index(array)), *outer, f"floor(({subscripts[-1]})/8)"])
            at = isl.Map(f"{{ [{iterators}] -> [{schedule},{place}] : {domain} }}")
            to = isl.Map(f"{{ [{iterators}] -> [{line}] }}")
            found = at.reverse().apply_range(to)
            lines = found if lines is None else lines.union(found)
    return lines


def distances(lines):
    """The distance of each access that has a previous one to its line."""
    space = lines.domain().get_space()
    earlier = isl.Map.lex_gt(space)
    same = lines.apply_range(lines.reverse())
    previous = same.intersect(earlier).lexmax()
    after = previous.apply_range(isl.Map.lex_lt(space))
    between = after.intersect(earlier).apply_range(lines)
    return previous, between.card()


def points(domain):
    """How many points a set has that depends on no parameter."""
    count = domain.card()
    return count.eval(isl.Point.zero(count.domain().get_space())).to_python()


def histogram(previous, count):
    """How often each finite distance occurs: the count evaluated at every access."""
    found = Counter()
    previous.domain().foreach_point(lambda at: found.update([count.eval(at).to_python()]))
    return found


def main():
    name, sizes = sys.argv[1], {}
    for argument in sys.argv[2:]:
        if "=" in argument:
            size, value = argument.split("=")
            sizes[size] = int(value)
    started = time.perf_counter()
    lines = touched(name, sizes)
    previous, count = distances(lines)
    seconds = time.perf_counter() - started
    accesses = points(lines.domain())
    cold = accesses - points(previous.domain())
    print(f"seconds={seconds:.6f} accesses={accesses} cold={cold} pieces={count.n_piece()}", flush=True)
    if "check" in sys.argv:
        for distance, times in sorted(histogram(previous, count).items()):
            print(f"{distance}={times}")


if __name__ == "__main__":
    main()
