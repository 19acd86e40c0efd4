"""Computes the misses and the least time of the only function from data and from algebra, at sizes and a
capacity: misses of both, then times of both."""
import json, re, sys
from fractions import Fraction
from math import floor

data, algebra, *given = sys.argv[1:]
*sizes, capacity = map(int, given)
of = json.load(open(data))["functions"][0]
names = dict(zip(of["sizes"], sizes))

def dot(row, columns):
    return sum(int(a) * x for a, x in zip(row, [1] + columns))

def value(piece, columns):
    domain = piece["domain"]
    for quotient in domain["floors"]:
        numerator = quotient["numerator"][:1 + len(columns)]
        columns = columns + [dot(numerator, columns) // int(quotient["denominator"])]
    if any(dot(row, columns) != 0 for row in domain["zero"]):
        return 0
    if any(dot(row, columns) < 0 for row in domain["not_negative"]):
        return 0
    total = 0
    for factors, coefficient in piece["terms"]:
        term = int(coefficient)
        for column in factors:
            term *= columns[column - 1]
        total += term
    return Fraction(total, int(piece["denominator"]))

def looped(part, columns, depth):
    if depth == len(part["bounds"]):
        columns = columns + [value(part["computed"], columns)]
        return sum(value(piece, columns) for piece in part["pieces"])
    low, high = [], []
    for row in part["bounds"][depth]:
        rest, slope = dot(row[:-1], columns), int(row[-1])
        low += [-(rest // slope)] if slope > 0 else []
        high += [rest // -slope] if slope < 0 else []
    return sum(looped(part, columns + [v], depth + 1) for v in range(max(low), min(high) + 1))

def evaluated(name, capacity):
    quantity, = [x for x in of["quantities"] if x["name"] == name]
    if "combined" in quantity:
        combined = quantity["combined"]
        term = lambda x: int(x["factor"]) * evaluated(x["quantity"], x.get("lines"))
        total = sum(max(sum(map(term, terms)) for terms in lists) for lists in combined["sum"])
        return total // int(combined["denominator"])
    form, = quantity["forms"]
    columns = [names[x["name"]] // x["factor"] for x in form["sizes"]]
    columns += [] if capacity is None else [int(capacity)]
    given_columns = columns
    columns = columns + [value(x, given_columns) for x in form["computed"]]
    total = sum(value(piece, columns) for piece in form["pieces"])
    return total + sum(looped(part, given_columns, 0) for part in form["looped"])

print(evaluated("misses", capacity))

lines = open(algebra).read().splitlines()
functions = {}
for i, line in enumerate(lines):
    head = re.match(r"# (\w+)\(([^()]*)\)$", line)
    if head:
        text = next(line for line in lines[i:] if line and line[0] != "#")
        functions[head[1]] = head[2].split(", "), text

class Parser:
    """Evaluates f of sum(v, a, b, f) anew for each v: expressions are turned into closures."""
    def __init__(self, text):
        import ast
        self.tree = ast.parse(text, mode="eval").body
    def run(self, node, scope):
        import ast
        if isinstance(node, ast.Constant):
            return Fraction(node.value)
        if isinstance(node, ast.Name):
            return scope[node.id]
        if isinstance(node, ast.UnaryOp):
            return -self.run(node.operand, scope)
        if isinstance(node, ast.BinOp):
            a, b = self.run(node.left, scope), self.run(node.right, scope)
            kind = type(node.op).__name__
            return {"Add": lambda: a + b, "Sub": lambda: a - b, "Mult": lambda: a * b, "Div": lambda: a / b}[kind]()
        name, args = node.func.id, node.args
        if name == "Fraction":
            return self.run(args[0], scope)
        if name == "sum":
            low, high = self.run(args[1], scope), self.run(args[2], scope)
            return sum(self.run(args[3], {**scope, args[0].id: Fraction(v)}) for v in range(int(low), int(high) + 1))
        args = [self.run(x, scope) for x in args]
        if name in functions:
            names, text = functions[name]
            parser = Parser(text)
            return parser.run(parser.tree, dict(zip(names, args)))
        return {
            "floor": lambda x: Fraction(floor(x)), "mod": lambda a, b: a - b * floor(a / b),
            "max": lambda *x: max(x), "min": lambda *x: min(x),
            "at_least_zero": lambda x: int(x >= 0), "zero": lambda x: int(x == 0),
        }[name](*args)

sys.setrecursionlimit(100000)
scope = {k: Fraction(v) for k, v in names.items()}
scope["capacity"] = Fraction(capacity)
def named(end):
    text, = [text for name, (_, text) in functions.items() if name.endswith(end)]
    parser = Parser(text)
    return parser.run(parser.tree, scope)

print(named("_misses"))
print(evaluated("least_picoseconds", None))
print(named("_least_picoseconds"))
