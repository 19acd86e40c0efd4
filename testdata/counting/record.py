#!/usr/bin/env python3
"""Records how many points parametric integer sets have, as counted by barvinok.

    python3 -m venv venv && venv/bin/pip install islpy-barvinok
    venv/bin/python testdata/counting/record.py > testdata/counting/barvinok.txt

Same seed, same sets, same bytes. The package is under the GPL; it is asked here, out of process, and
neither linked nor shipped. `polyhedral/presburger/tests/barvinok.rs` compares our counts with the
answers.

The file has one block per set, empty lines between them:

    set NAME
    free 1                   columns 1 .. 1 are parameters
    counted 2                the next 2 columns are counted
    system                   one or more; the set is their union, which may overlap
    floor 8 | 0 0 1 0 0      floor(numerator / 8): a column behind the variables
    equal 0 0 1 0 -8         a form that is 0
    least -1 1 0 -1 0        a form that is not negative
    at 17 = 153              so many points where the parameters have these values

Rows are over all columns of their system: the constant, parameters, counted variables, floors.
"""

import multiprocessing
import random
import sys
from queue import Empty

import islpy as isl

SEED = 20
SECONDS = 5  # what takes longer is left out
SMALL = list(range(-4, 41))
LARGE = [63, 64, 65, 100, 127, 128, 500, 999, 1000, 1023, 1024, 4099]


class System:
    """A conjunction. Rows grow with the columns; `width` is how many there are."""

    def __init__(self, free, counted):
        self.free, self.counted = free, counted
        self.width = 1 + free + counted
        self.floors, self.equalities, self.inequalities = [], [], []

    def form(self, constant=0, **terms):
        """A row from its terms: p1, p2 are parameters, x1 … counted variables, q1 … floors."""
        row = {0: constant}
        starts = {"p": 0, "x": self.free, "q": self.free + self.counted}
        for name, coefficient in terms.items():
            column = starts[name[0]] + int(name[1:])
            row[column] = row.get(column, 0) + coefficient
        return row

    def floor(self, denominator, row):
        """Adds a floor and yields its name."""
        self.floors.append((denominator, row))
        self.width += 1
        return f"q{len(self.floors)}"

    def equal(self, row):
        self.equalities.append(row)

    def least(self, row):
        self.inequalities.append(row)

    def between(self, low, row, high):
        """low <= row <= high, all of them rows."""
        self.least(minus(row, low))
        self.least(minus(high, row))

    def dense(self, row):
        return " ".join(str(row.get(column, 0)) for column in range(self.width))

    def lines(self):
        yield "system"
        for denominator, row in self.floors:
            yield f"floor {denominator} | {self.dense(row)}"
        for row in self.equalities:
            yield f"equal {self.dense(row)}"
        for row in self.inequalities:
            yield f"least {self.dense(row)}"

    def text(self):
        """The constraints in isl's notation."""
        names = ["1"] + [f"p{i + 1}" for i in range(self.free)]
        names += [f"x{i + 1}" for i in range(self.counted)]

        def written(row):
            terms = [f"{c}*{names[column]}" for column, c in sorted(row.items()) if c]
            return " + ".join(terms) or "0"

        for denominator, row in self.floors:
            names.append(f"floor(({written(row)})/{denominator})")
        parts = [f"{written(row)} = 0" for row in self.equalities]
        parts += [f"{written(row)} >= 0" for row in self.inequalities]
        return " and ".join(parts)


def minus(a, b):
    row = dict(a)
    for column, coefficient in b.items():
        row[column] = row.get(column, 0) - coefficient
    return row


# Families of sets. Each yields a list of systems over the same columns.


def triangle(rng):
    """Loops whose bounds depend on outer iterators and parameters."""
    free, counted = rng.randint(1, 2), rng.randint(1, 3)
    s = System(free, counted)
    for x in range(1, counted + 1):
        own = s.form(**{f"x{x}": 1})
        low, high = s.form(rng.randint(-3, 3)), s.form(rng.randint(-3, 6))
        outer = [f"x{y}" for y in range(1, x)]
        if outer and rng.random() < 0.6:
            low = s.form(rng.randint(-2, 2), **{rng.choice(outer): rng.choice([1, 1, -1, 2])})
        size = f"p{rng.randint(1, free)}"
        high = s.form(rng.randint(-3, 3), **{size: rng.choice([1, 1, 1, 2])})
        if outer and rng.random() < 0.5:
            high = minus(high, s.form(**{rng.choice(outer): rng.choice([1, -1, 2, 3])}))
        s.between(low, own, high)
    return [s]


def tiled(rng):
    """Tiles and the places in them, the last tile cut off."""
    free, block = rng.randint(1, 2), rng.choice([2, 3, 4, 8, 16])
    s = System(free, 2)
    size = s.form(-1, **{f"p{rng.randint(1, free)}": 1})
    s.between(s.form(), s.form(x2=1), size)
    s.between(s.form(x1=block), s.form(x2=1), s.form(block - 1, x1=block))
    if rng.random() < 0.5:
        # Only tiles of one residue, or that begin within another size.
        s.least(s.form(rng.randint(0, 3), p1=1, x1=-rng.choice([1, block])))
    if rng.random() < 0.4:
        q = s.floor(2, s.form(x1=1))
        s.equal(s.form(-rng.randint(0, 1), x1=1, **{q: -2}))
    return [s]


def strided(rng):
    """Loops with steps: remainders of iterators are given."""
    free, counted = rng.randint(1, 2), rng.randint(1, 2)
    s = System(free, counted)
    for x in range(1, counted + 1):
        own, step = f"x{x}", rng.choice([2, 3, 4, 5, 8])
        low = s.form(rng.randint(-4, 4))
        if 1 < x and rng.random() < 0.6:
            low = s.form(rng.randint(0, 2), x1=1)
        s.between(low, s.form(**{own: 1}), s.form(-1, **{f"p{rng.randint(1, free)}": 1}))
        start = {own: 1}
        if rng.random() < 0.3:
            start["p1"] = rng.choice([-1, 1, 2])
        q = s.floor(step, s.form(**start))
        s.equal(s.form(-rng.randint(0, step - 1), **start, **{q: -step}))
    return [s]


def equation(rng):
    """Solutions of linear equations in a box or a triangle."""
    counted = rng.randint(2, 3)
    s = System(rng.randint(1, 2), counted)
    for x in range(1, counted + 1):
        s.least(s.form(rng.randint(0, 2), **{f"x{x}": 1}))
    terms = {f"x{x}": rng.choice([1, 1, 2, 3, 4, 5, 6]) for x in range(1, counted + 1)}
    size = {f"p{s.free}": -rng.choice([1, 1, 2])}
    s.equal(s.form(rng.randint(-3, 3), **terms, **size))
    if rng.random() < 0.5:
        s.least(s.form(rng.randint(0, 4), p1=1, x1=-1, x2=rng.choice([0, 1, -1])))
    return [s]


def footprint(rng):
    """Lines of so many elements that a stretch of elements touches: 8c <= j < 8c + 8."""
    free, counted = rng.randint(1, 2), rng.randint(1, 2)
    s = System(free, counted)
    line, last = rng.choice([2, 4, 8, 8, 8]), f"x{counted}"
    start = {} if counted == 1 else {"x1": rng.choice([1, 1, -1, 2])}
    if counted == 2:
        s.between(s.form(rng.randint(-1, 2)), s.form(x1=1), s.form(-1, p1=1))
    low = s.form(rng.randint(-2, 9), **start)
    high = s.form(rng.randint(-2, 2), **{f"p{free}": 1})
    if rng.random() < 0.3:
        low = s.form(rng.randint(-2, 2), **{f"p{free}": -1})
    s.least(minus(high, low))
    s.least(minus(high, s.form(**{last: line})))
    s.least(minus(s.form(line - 1, **{last: line}), low))
    return [s]


def rows(rng):
    """Pairs of a row and a line of it, by the floor of an address that runs on over rows."""
    s = System(rng.randint(1, 2), 2)
    line, row = rng.choice([4, 8]), rng.choice([5, 8, 12, 13])
    s.between(s.form(), s.form(x1=1), s.form(-1, p1=1))
    s.between(s.form(), s.form(x2=1), s.form(rng.randint(0, 9)))
    q = s.floor(line, s.form(rng.randint(0, 3), x1=row, x2=1))
    kind = rng.random()
    if kind < 0.4:
        s.equal(s.form(-rng.randint(0, 3), x1=row, x2=1, **{q: -line}))
    elif kind < 0.7:
        s.least(s.form(-1, **{f"p{s.free}": rng.choice([1, 2]), q: -1}))
    else:
        r = s.floor(2, s.form(**{q: 1}))
        s.equal(s.form(-rng.randint(0, 1), **{q: 1, r: -2}))
    return [s]


def free_floors(rng):
    """Bounds that are quotients of parameters and of counted variables."""
    free = rng.randint(1, 2)
    s = System(free, rng.randint(1, 2))
    q = s.floor(rng.choice([2, 3, 8]), s.form(rng.randint(-2, 7), **{f"p{free}": 1}))
    s.between(s.form(rng.randint(-2, 2)), s.form(x1=1), s.form(rng.randint(-1, 2), **{q: 1}))
    if s.counted == 2:
        r = s.floor(rng.choice([2, 3, 4]), s.form(rng.randint(-2, 2), x1=1, p1=rng.choice([0, 1])))
        s.between(s.form(**{r: 1}), s.form(x2=1), s.form(rng.randint(0, 4), p1=1))
    return [s]


def empty(rng):
    """No point, for one reason or another."""
    s = rng.choice([triangle, tiled, strided])(rng)[0]
    kind = rng.randint(0, 2)
    if kind == 0:
        s.least(s.form(-5, x1=2))
        s.least(s.form(4, x1=-2))
    elif kind == 1:
        s.equal(s.form(1, x1=2, p1=4))
    else:
        q = s.floor(4, s.form(x1=1))
        s.least(s.form(-4, x1=1, **{q: -4}))
    return [s]


def mixed(rng):
    """Whatever coefficients, in a box that grows with a parameter."""
    free, counted = rng.randint(1, 2), rng.randint(1, 3)
    s = System(free, counted)
    names = [f"p{i + 1}" for i in range(free)] + [f"x{i + 1}" for i in range(counted)]
    some = lambda: {n: rng.choice([0, 0, 0, 1, -1, 1, -1, 2, -3]) for n in names}
    for x in range(1, counted + 1):
        high = s.form(rng.randint(0, 6), **{f"p{rng.randint(1, free)}": 1})
        s.between(s.form(rng.randint(-3, 1)), s.form(**{f"x{x}": 1}), high)
    for _ in range(rng.randint(1, 2)):
        s.least(s.form(rng.randint(-4, 9), **some()))
    if rng.random() < 0.3:
        q = s.floor(rng.choice([2, 3, 4]), s.form(rng.randint(-3, 3), **some()))
        s.least(s.form(rng.randint(-2, 6), **some(), **{q: rng.choice([-1, 1, 2])}))
    return [s]


def union(rng):
    """Some systems over the same columns; many of them overlap."""
    family = rng.choice([triangle, tiled, strided, footprint, footprint, rows, mixed])
    first, wanted = family(rng)[0], rng.randint(2, 4)
    systems = [first]
    for _ in range(200):
        other = rng.choice([family, family, triangle, footprint])(rng)[0]
        if (other.free, other.counted) == (first.free, first.counted):
            systems.append(other)
        if len(systems) == wanted:
            break
    return systems


FAMILIES = [
    (triangle, 60), (tiled, 40), (strided, 40), (equation, 40), (footprint, 60), (rows, 30),
    (free_floors, 30), (empty, 15), (mixed, 60), (union, 75),
]


def points(rng, free):
    """A dozen points of the parameters: small ones of all residues, and large ones."""
    found = []
    while len(found) < 12:
        choices = SMALL if len(found) < 8 else SMALL + 4 * LARGE
        point = tuple(rng.choice(choices) for _ in range(free))
        if point not in found:
            found.append(point)
    return sorted(found)


def answers(text, at, queue):
    """Sends the counts at some points; run in a process of its own."""
    try:
        queue.put(counted(text, at))
    except isl.Error as error:
        print(error, file=sys.stderr)
        queue.put(None)


def counted(text, at):
    count = isl.Set(text).card()
    space = count.domain().get_space()
    found = []
    for point in at:
        place = isl.Point.zero(space)
        for index, value in enumerate(point):
            place = place.set_coordinate_val(isl.dim_type.param, index, isl.Val(value))
        found.append(count.eval(place).to_python())
    return found


def asked(text, at):
    """The counts, or None where that takes too long or fails."""
    queue = multiprocessing.Queue()
    child = multiprocessing.Process(target=answers, args=(text, at, queue))
    child.start()
    try:
        return queue.get(timeout=SECONDS)
    except Empty:
        return None
    finally:
        child.kill()
        child.join()


def recorded(name, systems, at):
    first = systems[0]
    parameters = ", ".join(f"p{i + 1}" for i in range(first.free))
    variables = ", ".join(f"x{i + 1}" for i in range(first.counted))
    parts = " or ".join(f"({s.text()})" for s in systems)
    counts = asked(f"[{parameters}] -> {{ [{variables}] : {parts} }}", at)
    if counts is None:
        print(f"{name}: no answer", file=sys.stderr)
        return
    print(f"\nset {name}\nfree {first.free}\ncounted {first.counted}")
    for system in systems:
        print("\n".join(system.lines()))
    for point, count in zip(at, counts):
        assert count == int(count), name
        print("at", *point, "=", int(count))


def main():
    rng = random.Random(SEED)
    print(f"# {isl_version()}; seed {SEED}; written by record.py, which describes the format")
    for family, sets in FAMILIES:
        for index in range(sets):
            systems = family(rng)
            recorded(f"{family.__name__}-{index}", systems, points(rng, systems[0].free))


def isl_version():
    from importlib.metadata import version

    return f"islpy-barvinok {version('islpy-barvinok')}"


if __name__ == "__main__":
    main()
