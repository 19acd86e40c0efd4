//! Random types as C text, with the names of their members.

use std::fmt::Write;

/// A struct or union with the text that declares it.
pub(crate) struct Declared {
    /// `struct t7`.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) members: Vec<Member>,
    is_flexible: bool,
    n_bits: u32,
}

/// A member that can be named.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) is_bit_field: bool,
}

/// What every program starts with.
pub(crate) const PRELUDE: &str = "\
#include <stddef.h>
enum colour { RED, GREEN = 5, BLUE };
enum __attribute__((packed)) small { LOW = -3, HIGH = 100 };
enum large { HUGE_VALUE = 1L << 40 };
typedef int int_at_16 __attribute__((aligned(16)));
typedef long long_at_2 __attribute__((aligned(2)));
typedef double pair __attribute__((vector_size(16)));
typedef struct { char c; short s[3]; } plain;
";

/// Types for members, none of which is part of an array here that may not be.
const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "void *",
    "__int128",
    "float _Complex",
    "double _Complex",
    "long double _Complex",
    "enum colour",
    "enum small",
    "enum large",
    "plain",
    "const volatile int",
    "struct { char x; double y; }",
];
/// Types with an alignment of their own, of which there are no arrays.
const ALIGNED: &[&str] = &["int_at_16", "long_at_2", "pair"];
/// Types of bit-fields with their numbers of bits.
const BIT_FIELDS: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long", 64),
    ("unsigned long", 64),
    ("long long", 64),
    ("_Bool", 1),
    ("enum colour", 32),
    ("int_at_16", 32),
];

/// Xorshift: the same types for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let n = u64::try_from(items.len()).expect("a short list");
        &items[usize::try_from(self.below(n)).expect("an index")]
    }
}

/// So many types, each of which may hold earlier ones.
pub(crate) fn types(random: &mut Random, n: usize) -> Vec<Declared> {
    let mut types: Vec<Declared> = Vec::new();
    for idx in 0..n {
        let next = declared(random, idx, &types);
        types.push(next);
    }
    types
}

fn declared(random: &mut Random, idx: usize, earlier: &[Declared]) -> Declared {
    let is_union = random.one_in(5);
    let keyword = if is_union { "union" } else { "struct" };
    let name = format!("{keyword} t{idx}");
    let mut new = Declared {
        name: name.clone(),
        text: String::new(),
        members: Vec::new(),
        is_flexible: false,
        n_bits: 0,
    };
    let pack = if random.one_in(6) {
        Some(*random.of(&[1, 2, 4, 8]))
    } else {
        None
    };
    if let Some(pack) = pack {
        writeln!(new.text, "#pragma pack(push, {pack})").expect("a string");
    }
    let before = struct_attributes(random);
    let (mut front, mut back) = (String::new(), String::new());
    if random.one_in(2) {
        front = before;
    } else {
        back = before;
    }
    writeln!(new.text, "{keyword} {front} t{idx} {{").expect("a string");
    body(random, &mut new, earlier, 0);
    if !is_union && !new.members.is_empty() && random.one_in(12) {
        writeln!(
            new.text,
            "  {} last[];",
            random.of(&["char", "double", "int"])
        )
        .expect("a string");
        new.members.push(Member {
            name: "last".to_owned(),
            is_bit_field: false,
        });
        new.is_flexible = true;
    }
    writeln!(new.text, "}} {back};").expect("a string");
    if pack.is_some() {
        new.text.push_str("#pragma pack(pop)\n");
    }
    new
}

/// Attributes of a whole struct.
fn struct_attributes(random: &mut Random) -> String {
    let packed = random.one_in(5);
    let aligned = random.one_in(6);
    let n = *random.of(&[1, 2, 4, 8, 16, 32, 64]);
    match (packed, aligned) {
        (false, false) => String::new(),
        (true, false) => "__attribute__((packed))".to_owned(),
        (false, true) if random.one_in(4) => "__attribute__((aligned))".to_owned(),
        (false, true) => format!("__attribute__((__aligned__({n})))"),
        (true, true) => format!("__attribute__((packed, aligned({n})))"),
    }
}

fn body(random: &mut Random, new: &mut Declared, earlier: &[Declared], depth: u32) {
    let n = 1 + random.below(if depth == 0 { 6 } else { 3 });
    for _ in 0..n {
        match random.below(10) {
            0..=3 if new.n_bits < 60 => bit_field(random, new),
            4 if depth < 2 => {
                let keyword = if random.one_in(2) { "union" } else { "struct" };
                writeln!(new.text, "  {keyword} {{").expect("a string");
                body(random, new, earlier, depth + 1);
                let attribute = if random.one_in(4) {
                    struct_attributes(random)
                } else {
                    String::new()
                };
                writeln!(new.text, "  }} {attribute};").expect("a string");
            }
            5 if !earlier.is_empty() => {
                let inner = random.of(earlier);
                let array = if random.one_in(3) { "[2]" } else { "" };
                if !inner.is_flexible {
                    let kind = inner.name.clone();
                    member(random, new, &kind, array);
                }
            }
            6 => {
                let kind = *random.of(ALIGNED);
                member(random, new, kind, "");
            }
            _ => {
                let kind = *random.of(SCALARS);
                let array = *random.of(&["", "", "", "[3]", "[2][2]", "[0]"]);
                member(random, new, kind, array);
            }
        }
    }
}

fn member(random: &mut Random, new: &mut Declared, kind: &str, array: &str) {
    let name = format!("m{}", new.members.len());
    let attribute = of_member(random);
    let (before, after) = match random.below(3) {
        0 => (attribute.as_str(), ""),
        _ => ("", attribute.as_str()),
    };
    let is_scalar = SCALARS.contains(&kind);
    let alignas = if is_scalar && attribute.is_empty() && random.one_in(12) {
        "_Alignas(64) "
    } else {
        ""
    };
    writeln!(
        new.text,
        "  {before} {alignas}{kind} {name}{array} {after};"
    )
    .expect("a string");
    new.members.push(Member {
        name,
        is_bit_field: false,
    });
}

/// Attributes of one member.
fn of_member(random: &mut Random) -> String {
    let n = *random.of(&[1, 2, 4, 8, 16, 32]);
    match random.below(14) {
        0 => "__attribute__((packed))".to_owned(),
        1 => format!("__attribute__((aligned({n})))"),
        2 => format!("__attribute__((packed, aligned({n})))"),
        3 => format!("__attribute__((aligned(sizeof(int[{n}]))))"),
        _ => String::new(),
    }
}

fn bit_field(random: &mut Random, new: &mut Declared) {
    for _ in 0..1 + random.below(4) {
        let (kind, bits) = *random.of(BIT_FIELDS);
        let name = format!("m{}", new.members.len());
        new.n_bits += 1;
        if random.one_in(6) {
            let width = if random.one_in(2) {
                0
            } else {
                1 + random.below(bits)
            };
            writeln!(new.text, "  {kind} : {width};").expect("a string");
            continue;
        }
        let width = if random.one_in(5) {
            bits
        } else {
            1 + random.below(bits)
        };
        let attribute = if random.one_in(8) {
            of_member(random)
        } else {
            String::new()
        };
        writeln!(new.text, "  {kind} {name} : {width} {attribute};").expect("a string");
        new.members.push(Member {
            name,
            is_bit_field: true,
        });
    }
}
