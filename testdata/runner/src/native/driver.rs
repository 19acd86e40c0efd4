//! Programs that say where their arrays are, then call a kernel.
//!
//! Arrays are objects of the program that nothing initialises, so that only the kernel touches them.

use super::Program;
use crate::language::Language;
use crate::truth::testdata;

/// What a Rust kernel is given: an array as the type that it asks for. Everything else in a driver is
/// generated.
const RUST_MEMORY: &str = r#"
#[repr(align(4096))]
struct Aligned<const BYTES: usize>([u8; BYTES]);

#[derive(Clone, Copy)]
struct Memory { at: *mut u8, bytes: usize }

impl Memory {
    fn array<T>(self) -> &'static mut T {
        assert_eq!(size_of::<T>(), self.bytes);
        unsafe { &mut *self.at.cast() }
    }

    fn slice<T>(self) -> &'static mut [T] {
        let length = self.bytes / size_of::<T>();
        unsafe { std::slice::from_raw_parts_mut(self.at.cast(), length) }
    }
}
"#;

/// The text of a program that calls the kernel; in C, but for kernels in Rust.
pub(super) fn driver_text(program: &Program<'_>) -> String {
    let kernel = testdata().join(program.path);
    let kernel = kernel.display();
    match Language::of(program.path) {
        Language::C => {
            let define = |(name, value): &(&str, i64)| format!("#define {name} {value}\n");
            let macros: String = program.macros.iter().map(define).collect();
            let declarations = format!("{macros}#include \"{kernel}\"\n");
            in_c(program, &declarations)
        }
        Language::Fortran => in_c(program, &fortran_declarations(program)),
        Language::Rust => in_rust(program, &kernel.to_string()),
    }
}

/// The procedure, and variables for its sizes and for scalars that kernels are given.
fn fortran_declarations(program: &Program<'_>) -> String {
    let procedure = program.call.split('(').next().unwrap_or_default();
    let mut text = format!("void {procedure}();\n");
    text += "static double alpha = 1.5, beta = 1.2, float_n = 3.0;\n";
    for (name, value) in program.sizes {
        text += &format!("static int {} = {value};\n", name.to_lowercase());
    }
    text
}

fn in_c(program: &Program<'_>, declarations: &str) -> String {
    let mut text = format!("#include <stdio.h>\n{declarations}{}", program.statics);
    for (name, bytes) in program.arrays {
        let memory = memory(name);
        if !program.statics.contains(&memory) {
            text += &format!("static char {memory}[{bytes}] __attribute__((aligned(4096)));\n");
        }
    }
    text += "int main(void) {\n";
    for (name, _) in program.arrays {
        let memory = memory(name);
        if !name.contains("->") {
            text += &format!("  void *{name} = (void *)&{memory};\n");
        }
        text += &format!("  printf(\"{name} %lx\\n\", (unsigned long)&{memory});\n");
    }
    text + &format!("  {};\n  return 0;\n}}\n", program.call)
}

/// The object that an array is in the driver.
fn memory(name: &str) -> String {
    format!("memory_{}", name.replace("->", "__"))
}

fn in_rust(program: &Program<'_>, kernel: &str) -> String {
    let mut text = format!(
        "#[path = {kernel:?}]\nmod kernel;\n{RUST_MEMORY}{}",
        program.statics
    );
    for (name, value) in program.sizes {
        text += &format!("const {}: usize = {value};\n", name.to_uppercase());
    }
    for (name, bytes) in program.arrays {
        let memory = memory(name);
        text += &format!("static mut {memory}: Aligned<{bytes}> = Aligned([0; {bytes}]);\n");
    }
    text += "fn main() {\n";
    for (name, bytes) in program.arrays {
        let at = format!("(&raw mut {}).cast()", memory(name));
        text += &format!("    let {name} = Memory {{ at: {at}, bytes: {bytes} }};\n");
        text += &format!("    println!(\"{name} {{:x}}\", {name}.at.addr());\n");
    }
    text + &format!("    kernel::{};\n}}\n", program.call)
}
