//! Programs as texts.

use super::interpret::count;
use super::program::{
    Array, Comparison, Exit, Integer, Place, Program, Statement, Test, Variable, Width,
};
use crate::language::Language;
use std::collections::BTreeMap;

/// The text of some programs, and the statement of each line: the program, and its place among its statements.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) statements: BTreeMap<u32, (u64, usize)>,
    language: Language,
    line: u32,
    indent: usize,
    /// The program and the statement under way.
    place: (u64, usize),
    /// Variables that were declared.
    declared: Vec<String>,
}

impl Text {
    pub(super) fn of(programs: &[Program], language: Language) -> Self {
        let mut text = Self {
            text: String::new(),
            statements: BTreeMap::new(),
            language,
            line: 1,
            indent: 0,
            place: (0, 0),
            declared: Vec::new(),
        };
        if language == Language::C {
            text.write("#include <stdlib.h>");
            text.write("#define PUT(i) a[2 * i] = 1.0");
        }
        for program in programs {
            text.program(program);
        }
        text
    }

    fn write(&mut self, line: &str) {
        self.statements.insert(self.line, self.place);
        self.text += &"  ".repeat(self.indent);
        self.text += line;
        self.text.push('\n');
        self.line += 1;
    }

    fn is(&self, language: Language) -> bool {
        self.language == language
    }

    fn program(&mut self, program: &Program) {
        let number = program.number;
        let (n, m) = (program.size(0).name, program.size(1).name);
        self.place = (number, 0);
        let heads = match self.language {
            Language::C => [
                format!("static void g{number}(int k, double *x, double *y) {{"),
                format!("void f{number}(int {n}, int {m}, double *a, double *b) {{"),
            ],
            Language::Fortran => [
                format!("subroutine g{number}(k, x, y)"),
                format!("subroutine f{number}({n}, {m}, a, b)"),
            ],
            Language::Rust => [
                format!("fn g{number}(k: i32, x: &mut [f64], y: &mut [f64]) {{"),
                format!("pub fn f{number}({n}: i32, {m}: i32, a: &mut [f64], b: &mut [f64]) {{"),
            ],
        };
        let [called, calling] = heads;
        let names = ["k".to_owned(), "x".to_owned(), "y".to_owned()];
        self.function(&called, &names, &program.called);
        let names = [format!("{n}, {m}"), "a".to_owned(), "b".to_owned()];
        self.function(&calling, &names, &program.body);
    }

    fn function(&mut self, head: &str, names: &[String; 3], body: &[Statement]) {
        self.write(head);
        self.indent += 1;
        self.declared.clear();
        if self.is(Language::Fortran) {
            let [integers, x, y] = names;
            self.write(&format!("integer :: {integers}"));
            self.write(&format!("double precision :: {x}(*), {y}(*)"));
            let mut counters = Vec::new();
            each_counter(body, &mut counters);
            for counter in counters {
                self.write(&format!("integer :: {counter}"));
            }
        }
        self.list(body);
        self.indent -= 1;
        self.write(match self.language {
            Language::Fortran => "end subroutine",
            _ => "}",
        });
    }

    fn list(&mut self, list: &[Statement]) {
        for statement in list {
            let number = self.place.1;
            self.statement(statement);
            self.place.1 = number + count(std::slice::from_ref(statement));
        }
    }

    /// The statements inside of one.
    fn block(&mut self, list: &[Statement]) {
        self.place.1 += 1;
        self.inside(list);
    }

    fn inside(&mut self, list: &[Statement]) {
        self.indent += 1;
        self.list(list);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Store(place) => {
                let line = format!("{} = 1.0", self.element(place));
                self.simple(&line);
            }
            Statement::Update(place) => {
                let element = self.element(place);
                let line = match self.language {
                    Language::Fortran => format!("{element} = {element} + 1.5"),
                    _ => format!("{element} += 1.5"),
                };
                self.simple(&line);
            }
            Statement::Copy(to, from) => {
                let line = format!("{} = {}", self.element(to), self.element(from));
                self.simple(&line);
            }
            Statement::Assign(variable, value) => self.assign(variable, value),
            Statement::Step(variable, by) => self.step(variable, *by),
            Statement::If(test, then, otherwise) => self.branch(test, then, otherwise),
            Statement::Section(array, first, last, step) => {
                self.section(*array, first, last, *step);
            }
            Statement::Zip(a, b) => self.zip(a, b),
            Statement::Put(variable, plus) => self.put(variable, *plus),
            Statement::Shadow(variable, value, body) => self.shadow(variable, value, body),
            Statement::Call(x, y, size) => self.call(*x, *y, size),
            Statement::Leave(exit) => self.leave(*exit),
            _ => self.loops(statement),
        }
    }

    fn simple(&mut self, line: &str) {
        let end = if self.is(Language::Fortran) { "" } else { ";" };
        self.write(&format!("{line}{end}"));
    }

    fn assign(&mut self, variable: &Variable, value: &Integer) {
        let name = &variable.name;
        let value = self.integer(value);
        let is_new = !self.declared.contains(name);
        self.declared.push(name.clone());
        let kind = self.kind(variable.width);
        let line = match self.language {
            Language::C if is_new => format!("{kind} {name} = {value}"),
            Language::Rust if is_new => format!("let mut {name} = ({value}) as {kind}"),
            Language::Rust => format!("{name} = ({value}) as {kind}"),
            _ => format!("{name} = {value}"),
        };
        self.simple(&line);
    }

    fn step(&mut self, variable: &Variable, by: i64) {
        let name = &variable.name;
        let line = match self.language {
            Language::C if by == 1 => format!("{name}++"),
            Language::C if by == -1 => format!("--{name}"),
            Language::C => format!("{name} += {by}"),
            Language::Fortran => format!("{name} = {name} + ({by})"),
            Language::Rust => {
                let kind = self.kind(variable.width);
                format!("{name} = {name}.wrapping_add({by}i32 as {kind})")
            }
        };
        self.simple(&line);
    }

    fn branch(&mut self, test: &Test, then: &[Statement], otherwise: &[Statement]) {
        let test = self.test(test);
        let (head, middle, end) = match self.language {
            Language::C => (format!("if ({test}) {{"), "} else {", "}"),
            Language::Fortran => (format!("if ({test}) then"), "else", "end if"),
            Language::Rust => (format!("if {test} {{"), "} else {", "}"),
        };
        self.write(&head);
        self.block(then);
        if !otherwise.is_empty() {
            self.write(middle);
            self.inside(otherwise);
        }
        self.write(end);
    }

    fn leave(&mut self, exit: Exit) {
        let line = match (self.language, exit) {
            (Language::Fortran, Exit::Break) => "exit",
            (Language::Fortran, Exit::Continue) => "cycle",
            (_, Exit::Break) => "break",
            (_, Exit::Continue) => "continue",
            (_, Exit::Return) => "return",
            (Language::C, Exit::Stop) => "exit(1)",
            (Language::Fortran, Exit::Stop) => "stop",
            (Language::Rust, Exit::Stop) => "panic!()",
        };
        self.simple(line);
    }

    fn loops(&mut self, statement: &Statement) {
        match statement {
            Statement::For {
                counter,
                first,
                bound,
                step,
                body,
            } => {
                let (first, bound) = (self.integer(first), self.integer(bound));
                let head = self.counted(counter, (&first, &bound), *step);
                self.repeat(&head, body, &[]);
            }
            Statement::While(test, body) => {
                let head = self.while_head(&self.test(test));
                self.repeat(&head, body, &[]);
            }
            Statement::Geometric {
                counter,
                first,
                bound,
                factor,
                body,
            } => {
                let (name, bound) = (&counter.name, self.integer(bound));
                let step = match self.language {
                    Language::Fortran => format!("{name} = {name} * {factor}"),
                    _ => format!("{name} *= {factor}"),
                };
                if self.is(Language::C) {
                    let head = format!("for (int {name} = {first}; {name} < {bound}; {step}) {{");
                    return self.repeat(&head, body, &[]);
                }
                self.declare(name, &first.to_string());
                let head = self.while_head(&format!("{name} < {bound}"));
                self.repeat(&head, body, &[step]);
            }
            Statement::Meet {
                low,
                high,
                end,
                body,
            } => {
                let (l, h, end) = (&low.name, &high.name, self.integer(end));
                if self.is(Language::C) {
                    let head =
                        format!("for (int {l} = 0, {h} = {end}; {l} < {h}; {l}++, {h}--) {{");
                    return self.repeat(&head, body, &[]);
                }
                self.declare(l, "0");
                self.declare(h, &end);
                let head = self.while_head(&format!("{l} < {h}"));
                let steps = [format!("{l} = {l} + 1"), format!("{h} = {h} - 1")];
                self.repeat(&head, body, &steps);
            }
            _ => {}
        }
    }

    fn declare(&mut self, name: &str, value: &str) {
        let line = match self.language {
            Language::Rust => format!("let mut {name}: i32 = {value}"),
            _ => format!("{name} = {value}"),
        };
        self.simple(&line);
    }

    fn counted(&self, counter: &Variable, (first, bound): (&str, &str), step: i64) -> String {
        let (name, by) = (&counter.name, step.abs());
        match (self.language, step < 0) {
            (Language::C, is_down) => {
                let kind = self.kind(counter.width);
                let (test, sign) = if is_down { (">", "-") } else { ("<", "+") };
                format!(
                    "for ({kind} {name} = {first}; {name} {test} {bound}; {name} {sign}= {by}) {{"
                )
            }
            (Language::Fortran, false) => format!("do {name} = {first}, {bound} - 1, {by}"),
            (Language::Fortran, true) => format!("do {name} = {first}, {bound} + 1, -{by}"),
            (Language::Rust, false) if by == 1 => format!("for {name} in {first}..{bound} {{"),
            (Language::Rust, false) => {
                format!("for {name} in ({first}..{bound}).step_by({by}) {{")
            }
            (Language::Rust, true) => {
                format!("for {name} in ({bound} + 1..={first}).rev().step_by({by}) {{")
            }
        }
    }

    fn while_head(&self, test: &str) -> String {
        match self.language {
            Language::C => format!("while ({test}) {{"),
            Language::Fortran => format!("do while ({test})"),
            Language::Rust => format!("while {test} {{"),
        }
    }

    fn repeat(&mut self, head: &str, body: &[Statement], steps: &[String]) {
        self.write(head);
        self.block(body);
        self.indent += 1;
        for step in steps {
            self.simple(step);
        }
        self.indent -= 1;
        self.write(match self.language {
            Language::Fortran => "end do",
            _ => "}",
        });
    }

    fn section(&mut self, array: Array, first: &Integer, last: &Integer, step: i64) {
        let (first, last) = (self.integer(first), self.integer(last));
        let (name, by) = (name_of(array), step.abs());
        let line = match (self.language, step < 0) {
            (Language::C, false) => {
                format!("for (int t = {first}; t <= {last}; t += {by}) {name}[t] = 1.0")
            }
            (Language::C, true) => {
                format!("for (int t = {first}; t >= {last}; t -= {by}) {name}[t] = 1.0")
            }
            (Language::Fortran, _) => {
                format!("{name}({first} + 1:{last} + 1:{step}) = 1.0")
            }
            (Language::Rust, false) => format!(
                "for x in {name}[({first}) as usize..({last} + 1) as usize].iter_mut().step_by({by}) {{ *x = 1.0; }}"
            ),
            (Language::Rust, true) => format!(
                "for x in {name}[({last}) as usize..({first} + 1) as usize].iter_mut().rev().step_by({by}) {{ *x = 1.0; }}"
            ),
        };
        self.simple(&line);
    }

    fn zip(&mut self, a: &Integer, b: &Integer) {
        let (a, b) = (self.integer(a), self.integer(b));
        let line = match self.language {
            Language::C => format!("for (int t = 0; t < {a} && t < {b}; t++) a[t] = b[t]"),
            Language::Fortran => format!("a(1:min({a}, {b})) = b(1:min({a}, {b}))"),
            Language::Rust => format!(
                "for (x, y) in a[..({a}) as usize].iter_mut().zip(b[..({b}) as usize].iter()) {{ *x = *y; }}"
            ),
        };
        self.simple(&line);
    }

    fn put(&mut self, variable: &Variable, plus: i64) {
        let value = self.integer(&Integer::Variable(variable.clone()));
        let line = match self.language {
            Language::C => format!("PUT({value} + {plus})"),
            Language::Fortran => format!("a(2 * ({value} + {plus}) + 1) = 1.0"),
            Language::Rust => format!(
                "{{ let mut put = |i: i32| a[(2 * i) as usize] = 1.0; put({value} + {plus}); }}"
            ),
        };
        self.simple(&line);
    }

    fn shadow(&mut self, variable: &Variable, value: &Integer, body: &[Statement]) {
        let (name, kind) = (&variable.name, self.kind(variable.width));
        let value = self.integer(value);
        let (head, end) = match self.language {
            Language::C => (format!("{{ {kind} {name} = {value};"), "}"),
            Language::Fortran => ("block".to_owned(), "end block"),
            Language::Rust => (format!("{{ let mut {name} = ({value}) as {kind};"), "}"),
        };
        self.write(&head);
        if self.is(Language::Fortran) {
            self.write(&format!("integer :: {name}"));
            self.write(&format!("{name} = {value}"));
        }
        self.block(body);
        self.write(end);
    }

    fn call(&mut self, x: (Array, i64), y: (Array, i64), size: &Integer) {
        let size = self.integer(size);
        let part = |(array, first): (Array, i64)| {
            let name = name_of(array);
            match self.language {
                Language::C => format!("{name} + {first}"),
                Language::Fortran => format!("{name}({})", first + 1),
                Language::Rust => format!("&mut {name}[{first}..]"),
            }
        };
        let call = match self.language {
            Language::Fortran => "call ",
            _ => "",
        };
        let line = format!("{call}g{}({size}, {}, {})", self.place.0, part(x), part(y));
        self.simple(&line);
    }

    fn kind(&self, width: Width) -> &'static str {
        let is_c = self.is(Language::C);
        match width {
            Width::I32 if is_c => "int",
            Width::U32 if is_c => "unsigned",
            Width::U8 if is_c => "unsigned char",
            Width::I16 if is_c => "short",
            Width::I32 => "i32",
            Width::U32 => "u32",
            Width::U8 => "u8",
            Width::I16 => "i16",
        }
    }

    fn element(&self, place: &Place) -> String {
        let (name, subscript) = (name_of(place.array), self.integer(&place.subscript));
        match self.language {
            Language::C => format!("{name}[{subscript}]"),
            Language::Fortran => format!("{name}({subscript} + 1)"),
            Language::Rust => format!("{name}[({subscript}) as usize]"),
        }
    }

    fn test(&self, test: &Test) -> String {
        match test {
            Test::Compare(comparison, a, b) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Equal => "==",
                    Comparison::NotEqual if self.is(Language::Fortran) => "/=",
                    Comparison::NotEqual => "!=",
                    Comparison::Greater => ">",
                };
                format!("{} {operator} {}", self.integer(a), self.integer(b))
            }
            Test::Element(place) => format!("{} > 0.5", self.element(place)),
            Test::Both(a, b) => {
                let and = if self.is(Language::Fortran) {
                    ".and."
                } else {
                    "&&"
                };
                format!("{} {and} {}", self.test(a), self.test(b))
            }
        }
    }

    fn integer(&self, integer: &Integer) -> String {
        match integer {
            Integer::Constant(x) => x.to_string(),
            Integer::Variable(variable) => match (self.language, variable.width) {
                (Language::C, Width::U32) => format!("(int){}", variable.name),
                (Language::Rust, width) if width != Width::I32 => {
                    format!("({} as i32)", variable.name)
                }
                _ => variable.name.clone(),
            },
            Integer::Plus(a, b) => format!("({} + {})", self.integer(a), self.integer(b)),
            Integer::Minus(a, b) => format!("({} - {})", self.integer(a), self.integer(b)),
            Integer::Times(factor, x) => format!("{factor} * {}", self.integer(x)),
            Integer::Quotient(x, by) => format!("{} / {by}", self.integer(x)),
            Integer::Remainder(x, by) if self.is(Language::Fortran) => {
                format!("mod({}, {by})", self.integer(x))
            }
            Integer::Remainder(x, by) => format!("{} % {by}", self.integer(x)),
        }
    }
}

fn name_of(array: Array) -> &'static str {
    match array {
        Array::A => "a",
        Array::B => "b",
        Array::X => "x",
        Array::Y => "y",
    }
}

/// The names of all variables that statements bind, without those of shadowing blocks.
fn each_counter(list: &[Statement], names: &mut Vec<String>) {
    for statement in list {
        let own: Vec<&Variable> = match statement {
            Statement::Assign(variable, _) => vec![variable],
            Statement::For { counter, .. } | Statement::Geometric { counter, .. } => vec![counter],
            Statement::Meet { low, high, .. } => vec![low, high],
            _ => Vec::new(),
        };
        for variable in own {
            if !names.contains(&variable.name) {
                names.push(variable.name.clone());
            }
        }
        for body in super::interpret::inner(statement) {
            each_counter(body, names);
        }
    }
}
