//! Functions of the C library, by their accesses to the program's arrays.

use crate::domain::types::NumberType;
use premiss_ast::is_program_end;
use std::collections::HashSet;
use std::sync::LazyLock;

const FLOATING: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp \
    exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 logb \
    modf nan nearbyint nextafter nexttoward pow powi remainder rint round scalbln scalbn sin sinh sqrt tan \
    tanh tgamma trunc j0 j1 jn y0 y1 yn exp10 pow10 cabs carg cimag creal remquo inf huge_val nans";

const COMPLEX: &str = "cexp clog cpow csqrt csin ccos ctan casin cacos catan csinh ccosh ctanh casinh \
    cacosh catanh conj cproj CMPLX";

const INTEGER: &str = "open close fsync ftruncate isatty printf fprintf vprintf vfprintf puts putchar \
    fputs fputc putc fflush fclose feof ferror getchar fgetc getc ungetc remove rename system atoi rand random random_r lrand48 mrand48 \
    isnan isinf isfinite isnormal signbit fpclassify ilogb gettimeofday clock_gettime getrusage \
    isalpha isdigit isspace isupper islower isalnum ispunct isxdigit isprint iscntrl toupper tolower \
    omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_num_procs omp_in_parallel \
    omp_get_level omp_get_team_num omp_get_num_teams atexit usleep sleep getpid sched_yield usleep \
    nanosleep sched_getcpu sysconf setvbuf fseek posix_fadvise madvise mlockall sched_setscheduler \
    sched_setaffinity getopt rand_r sched_get_priority_max isgreater isless isgreaterequal \
    islessequal islessgreater isunordered pthread_join pthread_detach pthread_mutex_init \
    pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy pthread_cond_init \
    pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy pthread_barrier_init \
    pthread_barrier_wait pthread_barrier_destroy pthread_attr_init pthread_attr_destroy \
    pthread_attr_setdetachstate pthread_attr_setstacksize pthread_setaffinity_np scanf fscanf \
    __builtin_popcount __builtin_ctz __builtin_clz __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_cpu_supports omp_get_nested \
    strcmp strncmp strcasecmp strncasecmp strcoll sprintf snprintf vsprintf vsnprintf sscanf";

const LONG: &str = "pthread_self read write pread pwrite lseek fread fwrite clock time atol \
    lround lrint llround llrint ftell times atoll __rdtsc __builtin_ia32_rdtsc strlen strnlen strspn strcspn strtol strtoul strtoll strtoull";

const NOTHING: &str = "free assert __assert_fail srand srandom srand48 \
    perror omp_set_num_threads omp_set_dynamic omp_set_nested omp_init_lock omp_set_lock \
    omp_unset_lock omp_destroy_lock omp_set_schedule __builtin_unreachable __builtin_trap __builtin_prefetch \
    _mm_prefetch _mm_mfence _mm_sfence _mm_lfence _mm_pause _mm_free setbuf va_start va_end va_copy \
    __builtin_va_start __builtin_va_end __builtin_assume rewind clearerr polybench_timer_start \
    polybench_timer_stop polybench_timer_print polybench_flush_cache polybench_prepare_instruments \
    polybench_free_data __sync_synchronize";

const HANDLE: &str = "fopen fdopen freopen tmpfile getenv strerror ctime localtime gmtime strchr \
    strrchr strstr strpbrk strdup strndup fgets";

/// The name lists as sets, built once.
static SETS: LazyLock<NameSets> = LazyLock::new(NameSets::new);

/// Functions that read the text in their arguments and access no other array.
const READERS: &str = "open err errx printf fprintf vprintf vfprintf puts fputs perror remove rename system atoi atol \
    atoll atof fopen fdopen freopen getenv strtod strtol strtoul strtoll strtoull strcmp strncmp \
    strcasecmp strncasecmp strcoll strlen strnlen strspn strcspn strdup strndup";

/// Functions that access no array apart from their arguments; in these, a data-dependent number of characters or
/// numbers.
const TEXT: &str = "setvbuf setbuf difftime time ctime localtime gmtime getrandom random_r strchr \
    strrchr strstr strpbrk";

/// The effect of a library function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LibraryFunction {
    /// Accesses no array; its result is a floating-point number of this many bytes.
    Floating(u32),
    /// Accesses no array; its result is an integer of this many bits.
    Integer(u8),
    /// Accesses no array; its result is a vector, or a number taken out of one.
    Vector,
    /// Accesses no array and has no result.
    Nothing,
    /// Accesses no array; its result is a pointer to memory outside of the program's arrays.
    Handle,
    /// The absolute value of an integer of this many bits.
    Absolute(u8),
    /// Allocates memory; the size in bytes is the product of these arguments.
    Allocate(&'static [usize]),
    /// Allocates memory and stores its address through the first argument; the size in bytes is the third argument.
    AllocateInto,
    /// Resizes the allocation that is the first argument.
    Reallocate,
    /// Copies from the second argument to the first; the size in bytes is the third argument.
    Copy,
    /// Stores to the first argument; the size in bytes is the third argument.
    Fill,
    /// Stores one scalar through each pointer; its result is a floating-point number of this many bytes.
    StoresThrough(u32),
}

struct NameSets {
    floating: HashSet<&'static str>,
    complex: HashSet<&'static str>,
    integer: HashSet<&'static str>,
    long: HashSet<&'static str>,
    nothing: HashSet<&'static str>,
    handle: HashSet<&'static str>,
    text: HashSet<&'static str>,
    readers: HashSet<&'static str>,
}

impl NameSets {
    fn new() -> Self {
        let set = |list: &'static str| list.split_whitespace().collect();
        Self {
            floating: set(FLOATING),
            complex: set(COMPLEX),
            integer: set(INTEGER),
            long: set(LONG),
            nothing: set(NOTHING),
            handle: set(HANDLE),
            text: set(TEXT),
            readers: set(READERS),
        }
    }
}

/// The effect of a function that is not defined in the program, if it is a library function.
pub(crate) fn library_function(name: &str) -> Option<LibraryFunction> {
    if let Some(plain) = name.strip_prefix("__builtin_")
        && let Some(known) = library_function(plain)
    {
        return Some(known);
    }
    if let Some(known) = allocation_function(name).or_else(|| copy_function(name)) {
        return Some(known);
    }
    Some(match name {
        "frexp" | "modf" | "remquo" | "lgamma_r" => LibraryFunction::StoresThrough(8),
        "frexpf" | "modff" | "remquof" | "lgammaf_r" => LibraryFunction::StoresThrough(4),
        "sincos" | "sincosf" | "sincosl" => LibraryFunction::StoresThrough(0),
        "abs" => LibraryFunction::Absolute(32),
        "labs" | "llabs" | "imaxabs" => LibraryFunction::Absolute(64),
        "drand48" | "atof" | "omp_get_wtime" | "omp_get_wtick" | "difftime" | "MPI_Wtime" => {
            LibraryFunction::Floating(8)
        }
        _ if SETS.integer.contains(name) => LibraryFunction::Integer(32),
        _ if SETS.long.contains(name) => LibraryFunction::Integer(64),
        _ if SETS.nothing.contains(name) || is_program_end(name) => LibraryFunction::Nothing,
        _ if SETS.handle.contains(name) => LibraryFunction::Handle,
        _ if is_mathematical(name) => LibraryFunction::Floating(math_result_size(name)),
        _ if computes_vectors(name) => LibraryFunction::Vector,
        _ => return None,
    })
}

/// Whether an intrinsic of SSE or AVX computes, without an access to memory: `_mm256_add_pd`. Those that load and store are
/// defined in the header `immintrin.h`, but for those that access single elements or parts that a mask selects.
fn computes_vectors(name: &str) -> bool {
    const ACCESSING: [&str; 6] = [
        "load",
        "store",
        "stream",
        "gather",
        "scatter",
        "mask_compress",
    ];
    let is_intrinsic = ["_mm_", "_mm256_", "_mm512_"]
        .iter()
        .any(|start| name.starts_with(start));
    is_intrinsic && !ACCESSING.iter().any(|word| name.contains(word))
}

/// The mathematical function that a name denotes, regardless of its precision: `sqrt` for `sqrtf`.
pub(crate) fn math_function(name: &str) -> Option<&str> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    is_mathematical(name).then(|| base_name(name))
}

/// A name without its affix for the precision.
pub(crate) fn base_name(name: &str) -> &str {
    let is_listed = |name: &str| SETS.floating.contains(name) || SETS.complex.contains(name);
    match name.strip_suffix(['f', 'l']) {
        Some(base) if !is_listed(name) => base,
        _ => name,
    }
}

pub(crate) fn is_mathematical(name: &str) -> bool {
    let base = |suffix| name.strip_suffix(suffix).unwrap_or(name);
    [name, base('f'), base('l')]
        .iter()
        .any(|name| SETS.floating.contains(name) || SETS.complex.contains(name))
}

/// The type of the result of a function on numbers of this many bytes.
pub(crate) fn math_result_type(name: &str, size: u32) -> NumberType {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_complex = [name, base_name(name)]
        .iter()
        .any(|name| SETS.complex.contains(name));
    match is_complex {
        true => NumberType::complex(size / 2),
        false => NumberType::real(size),
    }
}

fn math_result_size(name: &str) -> u32 {
    let is_listed = |name: &str| SETS.floating.contains(name) || SETS.complex.contains(name);
    let real = match name {
        _ if is_listed(name) => 8,
        _ if name.ends_with('f') => 4,
        _ => 16,
    };
    let is_complex = |name: &str| SETS.complex.contains(name);
    let trimmed = name.strip_suffix(['f', 'l']).unwrap_or(name);
    if is_complex(name) || is_complex(trimmed) {
        2 * real
    } else {
        real
    }
}

fn allocation_function(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "malloc" | "alloca" | "valloc" | "pvalloc" | "_mm_malloc" => {
            LibraryFunction::Allocate(&[0])
        }
        "calloc" => LibraryFunction::Allocate(&[0, 1]),
        "aligned_alloc" | "memalign" => LibraryFunction::Allocate(&[1]),
        "posix_memalign" => LibraryFunction::AllocateInto,
        "realloc" => LibraryFunction::Reallocate,
        _ => return None,
    })
}

fn copy_function(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "memcpy" | "memmove" | "__memcpy_chk" => LibraryFunction::Copy,
        "memset" => LibraryFunction::Fill,
        _ => return None,
    })
}

/// The range of arguments that a function stores to, while it reads the text in the others; `None` for other
/// functions.
pub(crate) fn stored_arguments(name: &str) -> Option<std::ops::Range<usize>> {
    Some(match name {
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "fgets" => 0..1,
        "scanf" => 1..usize::MAX,
        "fscanf" | "sscanf" => 2..usize::MAX,
        _ if SETS.readers.contains(name) => 0..0,
        _ => return None,
    })
}

/// Whether a function accesses its array arguments in unknown amounts.
pub(crate) fn touches_text(name: &str) -> bool {
    SETS.text.contains(name) || transfer_argument(name).is_some()
}

/// The argument that leads to the bytes that a function reads from a file or writes to it; its others lead to no array.
pub(crate) fn transfer_argument(name: &str) -> Option<usize> {
    match name {
        "fread" | "fwrite" => Some(0),
        "read" | "write" | "pread" | "pwrite" => Some(1),
        _ => None,
    }
}

/// The value of a mathematical function of constants, if it is exact.
pub(crate) fn fold_math_function(name: &str, arguments: &[f64]) -> Option<f64> {
    match (name, arguments) {
        ("floor", [x]) => Some(x.floor()),
        ("ceil", [x]) => Some(x.ceil()),
        ("trunc", [x]) => Some(x.trunc()),
        ("round", [x]) => Some(x.round()),
        ("fabs", [x]) => Some(x.abs()),
        ("sqrt", [x]) if 0.0 <= *x => Some(x.sqrt()),
        ("fmin", [x, y]) => Some(x.min(*y)),
        ("fmax", [x, y]) => Some(x.max(*y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_what_functions_do() {
        assert_eq!(library_function("sqrt"), Some(LibraryFunction::Floating(8)));
        assert_eq!(
            library_function("sqrtf"),
            Some(LibraryFunction::Floating(4))
        );
        assert_eq!(library_function("erf"), Some(LibraryFunction::Floating(8)));
        assert_eq!(library_function("ceil"), Some(LibraryFunction::Floating(8)));
        assert_eq!(
            library_function("fabsl"),
            Some(LibraryFunction::Floating(16))
        );
        assert_eq!(
            library_function("csqrt"),
            Some(LibraryFunction::Floating(16))
        );
        assert_eq!(
            library_function("__builtin_fabs"),
            Some(LibraryFunction::Floating(8))
        );
        assert_eq!(
            library_function("malloc"),
            Some(LibraryFunction::Allocate(&[0]))
        );
        assert_eq!(library_function("frobnicate"), None);
    }
}
