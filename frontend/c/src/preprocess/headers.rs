//! The standard headers: built in, so that they are the same on every machine.

/// The text of a built-in header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let found = HEADERS.iter().find(|(header, _)| *header == name);
    found.map(|(_, text)| *text)
}

/// Whether the name is that of a header of the C standard or POSIX.
pub(super) fn is_standard(name: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "sys/", "arpa/", "net/", "netinet/", "linux/", "asm/", "bits/",
    ];
    text(name).is_some()
        || FOLDERS.iter().any(|folder| name.starts_with(folder))
        || OTHERS.contains(&name)
}

/// The names of all headers of the C standard and POSIX that are listed here.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let built_in = HEADERS.iter().map(|(name, _)| *name);
    built_in.chain(OTHERS.iter().copied())
}

/// The texts of all built-in headers.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(_, text)| *text)
}

macro_rules! headers {
    ($($name:literal => $file:literal,)*) => {
        const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("headers/", $file))),)*];
    };
}

headers! {
    "alloca.h" => "alloca.h",
    "assert.h" => "assert.h",
    "avx2intrin.h" => "immintrin.h",
    "avxintrin.h" => "immintrin.h",
    "complex.h" => "complex.h",
    "ctype.h" => "ctype.h",
    "emmintrin.h" => "immintrin.h",
    "endian.h" => "endian.h",
    "errno.h" => "errno.h",
    "fcntl.h" => "fcntl.h",
    "features.h" => "features.h",
    "fenv.h" => "fenv.h",
    "float.h" => "float.h",
    "getopt.h" => "getopt.h",
    "immintrin.h" => "immintrin.h",
    "inttypes.h" => "inttypes.h",
    "iso646.h" => "iso646.h",
    "limits.h" => "limits.h",
    "locale.h" => "locale.h",
    "malloc.h" => "malloc.h",
    "math.h" => "math.h",
    "memory.h" => "memory.h",
    "mm_malloc.h" => "mm_malloc.h",
    "mmintrin.h" => "immintrin.h",
    "nmmintrin.h" => "immintrin.h",
    "omp.h" => "omp.h",
    "pmmintrin.h" => "immintrin.h",
    "pthread.h" => "pthread.h",
    "sched.h" => "sched.h",
    "setjmp.h" => "setjmp.h",
    "signal.h" => "signal.h",
    "smmintrin.h" => "immintrin.h",
    "stdalign.h" => "stdalign.h",
    "stdarg.h" => "stdarg.h",
    "stdatomic.h" => "stdatomic.h",
    "stdbool.h" => "stdbool.h",
    "stddef.h" => "stddef.h",
    "stdint.h" => "stdint.h",
    "stdio.h" => "stdio.h",
    "stdlib.h" => "stdlib.h",
    "stdnoreturn.h" => "stdnoreturn.h",
    "string.h" => "string.h",
    "strings.h" => "strings.h",
    "sys/mman.h" => "sys_mman.h",
    "sys/param.h" => "sys_param.h",
    "sys/resource.h" => "sys_resource.h",
    "sys/stat.h" => "sys_stat.h",
    "sys/time.h" => "sys_time.h",
    "sys/times.h" => "sys_times.h",
    "sys/types.h" => "sys_types.h",
    "tgmath.h" => "tgmath.h",
    "threads.h" => "threads.h",
    "time.h" => "time.h",
    "tmmintrin.h" => "immintrin.h",
    "unistd.h" => "unistd.h",
    "values.h" => "values.h",
    "wchar.h" => "wchar.h",
    "wctype.h" => "wctype.h",
    "wmmintrin.h" => "immintrin.h",
    "x86intrin.h" => "immintrin.h",
    "xmmintrin.h" => "immintrin.h",
}

/// Standard headers without a built-in text; loop nests hardly need them.
const OTHERS: &[&str] = &[
    "aio.h",
    "byteswap.h",
    "cpio.h",
    "dirent.h",
    "dlfcn.h",
    "err.h",
    "error.h",
    "execinfo.h",
    "fmtmsg.h",
    "fnmatch.h",
    "ftw.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "langinfo.h",
    "libgen.h",
    "libintl.h",
    "link.h",
    "monetary.h",
    "mqueue.h",
    "ndbm.h",
    "netdb.h",
    "nl_types.h",
    "numa.h",
    "paths.h",
    "poll.h",
    "pwd.h",
    "regex.h",
    "search.h",
    "semaphore.h",
    "spawn.h",
    "stdbit.h",
    "stdckdint.h",
    "stropts.h",
    "syslog.h",
    "tar.h",
    "termios.h",
    "trace.h",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "utime.h",
    "utmpx.h",
    "wordexp.h",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_a_header_is_easy_to_find() {
        assert!(HEADERS.is_sorted_by_key(|(name, _)| *name));
    }
}
