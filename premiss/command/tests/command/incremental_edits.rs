//! Checks after edits: with what is analyzed again and what is taken from the cache, they find what a check without a
//! cache finds.

use crate::check_cache::Tree;
use crate::edited_files::FILES;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap_or(0) % n
    }
}

#[test]
fn after_any_edit_a_check_says_what_it_says_without_memory() {
    let tree = Tree::empty("check-edits");
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
    }
    let mut random = Random(1);
    for number in 0..120 {
        let (name, versions) = FILES[random.below(FILES.len())];
        let version = versions[random.below(versions.len())];
        tree.write(&format!("one/src/{name}"), version);
        holds(&tree, number);
    }
}

/// What it comes to without sizes, or what every line costs with some: in turn, so that each finds two edits since it
/// was asked last.
#[track_caller]
fn holds(tree: &Tree, number: usize) {
    match number % 2 {
        0 => tree.holds("one", &["src", "--format", "json"]),
        _ => tree.holds("one", &["src", "-P", "N=64", "--format", "callgrind"]),
    };
}

/// What an edit does to a text.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// A comment on a line of its own, wherever that is.
    Comment,
    EmptyLine,
    /// All of it further down.
    Header,
    /// A comment behind what stands on a line.
    Behind,
    /// A digit becomes another one.
    Digit,
    Version,
    Removal,
}

const EDITS: [Edit; 10] = [
    Edit::Comment,
    Edit::Comment,
    Edit::Comment,
    Edit::EmptyLine,
    Edit::Header,
    Edit::Header,
    Edit::Behind,
    Edit::Digit,
    Edit::Version,
    Edit::Removal,
];

fn edited(random: &mut Random, edit: Edit, name: &str, text: &str) -> String {
    let comment = match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "f" | "inc" => "* as it says",
        "f90" => "  ! as it says",
        _ => "  /* as it says */",
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len() + 1);
    match edit {
        Edit::Comment => lines.insert(at, comment.to_owned()),
        Edit::EmptyLine => lines.insert(at, String::new()),
        Edit::Header => lines.insert(0, format!("{comment}\n\n{comment}")),
        Edit::Behind => {
            if let Some(line) = lines.get_mut(at) {
                line.push_str(match name.ends_with(".c") || name.ends_with(".h") {
                    true => " // here",
                    false => " ! here",
                });
            }
        }
        Edit::Digit => {
            let digits: Vec<usize> = text
                .match_indices(|c: char| c.is_ascii_digit())
                .map(|x| x.0)
                .collect();
            if !digits.is_empty() {
                let (at, new) = (digits[random.below(digits.len())], 1 + random.below(9));
                return format!("{}{new}{}", &text[..at], &text[at + 1..]);
            }
        }
        Edit::Version | Edit::Removal => {}
    }
    lines.join("\n") + "\n"
}

#[test]
fn places_follow_their_lines_whatever_is_edited() {
    let tree = Tree::empty("check-places-edits");
    let mut texts: Vec<String> = Vec::new();
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
        texts.push(versions[0].to_owned());
    }
    let mut random = Random(7);
    for number in 0..160 {
        let idx = random.below(FILES.len());
        let (name, versions) = FILES[idx];
        let path = format!("one/src/{name}");
        let edit = EDITS[random.below(EDITS.len())];
        match edit {
            Edit::Version => texts[idx] = versions[random.below(versions.len())].to_owned(),
            Edit::Removal => {
                tree.remove(&path);
                tree.holds("one", &["src", "--format", "json"]);
            }
            _ => texts[idx] = edited(&mut random, edit, name, &texts[idx]),
        }
        tree.write(&path, &texts[idx]);
        holds(&tree, number);
    }
}

/// A routine of so many statements that calls another, where one is named.
fn routine(name: &str, n_statements: usize, called: Option<&str>) -> String {
    let statement = match called {
        Some(called) => format!("      CALL {called}(N, X)\n"),
        None => "      X(N) = X(N) + 1\n".to_owned(),
    };
    let statements = statement.repeat(n_statements);
    format!("      SUBROUTINE {name}(N, X)\n      REAL X(*)\n{statements}      END\n")
}

#[test]
fn a_routine_that_grows_concerns_those_who_follow_it_no_longer() {
    let tree = Tree::empty("check-growing-edits");
    let user = "      SUBROUTINE USER(N, X)\n      REAL X(*)\n      CALL MIDDLE(N, X)\n      DO 10 I = 1, N\n\
        \x20       X(I) = 0\n   10 CONTINUE\n      END\n";
    tree.write("one/src/user.f", user);
    tree.write("one/src/middle.f", &routine("MIDDLE", 200, Some("LEAF")));
    let mut told = Vec::new();
    for n_statements in [3, 4, 20, 40, 1000, 30, 3] {
        let leaf = routine("LEAF", n_statements, None);
        tree.write("one/src/leaf.f", &leaf);
        told.push(tree.holds("one", &["src", "--format", "json"]));
    }
    let gives_up = |told: &String| told.contains("steps for calls into other files");
    let given_up: Vec<bool> = told.iter().map(gives_up).collect();
    assert!(!given_up[0] && given_up[4] && !given_up[6], "{given_up:?}");
    // What the middle changes, and that it leads back to itself, is asked for where it is not followed, too.
    let leaf = routine("LEAF", 1000, None);
    for more in [
        "      COMMON /C/ M\n      M = N\n",
        "      CALL USER(N, X)\n",
    ] {
        let leaf = leaf.replacen("      REAL X(*)\n", &format!("      REAL X(*)\n{more}"), 1);
        tree.write("one/src/leaf.f", &leaf);
        told.push(tree.holds("one", &["src", "--format", "json"]));
    }
}

#[test]
fn profiles_follow_their_lines() {
    let tree = Tree::empty("check-profiles-edits");
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
    }
    let arguments = ["src", "-P", "N=64", "--format", "callgrind"];
    tree.holds("one", &arguments);
    for (name, comment) in [
        ("axpy.f", "C one\n"),
        ("user.f90", "! one\n\n"),
        ("scale.c", "// one\n"),
    ] {
        let (_, versions) = FILES
            .iter()
            .find(|(file, _)| *file == name)
            .expect("it is there");
        tree.write(
            &format!("one/src/{name}"),
            &format!("{comment}{}", versions[0]),
        );
        tree.holds("one", &arguments);
    }
}

const HEADER: &str = "#define STEP 2\nstruct point { double x, y; };\nextern double near[200], far[200];\nextern int count;\n\
    enum { ROWS = 20 };\ndouble *first(void);\ntypedef double number;\n";

/// Files that use one thing each of what the header declares; the first ones show that all begin with it.
const USERS: [(&str, &str); 9] = [
    ("a.c", "int a;\n"),
    ("b.c", "int b;\n"),
    (
        "bounds.c",
        "void f(double *x) { for (int i = 0; i < ROWS; i++) x[i] = 0; }\n",
    ),
    (
        "elements.c",
        "void g(int n) { for (int i = 0; i < n; i++) near[9 * i] = far[i]; }\n",
    ),
    (
        "fields.c",
        "void h(int n, struct point *p) { for (int i = 0; i < n; i++) p[i].y = 0; }\n",
    ),
    (
        "integers.c",
        "void k(int n, double *x) { for (int i = 0; i < n; i++) x[count + i] = x[STEP * i]; }\n",
    ),
    (
        "nothing.c",
        "void l(int n, double *x) { for (int i = 0; i < n; i++) x[3 * i] = 0; }\n",
    ),
    (
        "pointers.c",
        "void m(int n) { for (int i = 0; i < n; i++) first()[9 * i] = 0; }\n",
    ),
    (
        "types.c",
        "void o(int n, number *x) { for (int i = 0; i < n; i++) x[9 * i] = 0; }\n",
    ),
];

#[test]
fn edits_of_a_header_reach_what_uses_it() {
    let tree = Tree::empty("check-header-edits");
    for (name, text) in USERS {
        tree.write(
            &format!("one/src/{name}"),
            &format!("#include \"all.h\"\n{text}"),
        );
    }
    let mut told = Vec::new();
    for (before, after) in [
        ("", ""),
        ("STEP 2", "STEP 5"),
        ("double x, y;", "float x, y;"),
        ("double x, y;", "double x, y; int more[9];"),
        ("double near[200]", "float near[100]"),
        ("int count", "long long count"),
        ("ROWS = 20", "ROWS = 30"),
        ("double *first", "char *first"),
        ("typedef double", "typedef float"),
        ("near[200], far[200]", "far[200], near[200]"),
        ("extern int count;\n", ""),
        (
            "int count;\n",
            "int count;\nextern int more;\nint others(void);\n",
        ),
        ("enum", "/* rows */\n\nenum"),
    ] {
        tree.write("one/src/all.h", &HEADER.replace(before, after));
        tree.holds("one", &["src", "--format", "json"]);
        told.push(tree.holds("one", &["src", "-P", "n=1000", "--format", "callgrind"]));
    }
    told.dedup();
    assert!(9 < told.len(), "most of it is seen in what is told");
}
