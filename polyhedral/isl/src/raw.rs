//! Every call of isl there is, behind handles that own what they point to.
//!
//! What makes the safe functions here sound:
//! - isl reads and writes its context without locks. Each thread has a context of its own, which is
//!   never freed, so it outlives every object of its thread; and a handle holds a raw pointer, so
//!   the compiler keeps it on the thread that made it.
//! - isl counts references. A handle owns exactly one, given up when it is dropped or passed to a
//!   function that takes it (`into_raw`); functions that keep their argument are given `as_ptr`.
//! - isl frees what a function takes also where the function fails, and then returns a null pointer,
//!   which becomes a [`Refusal`] before anything is made of it.

#![expect(unsafe_code, reason = "isl is a C library: this file alone calls it")]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use isl_rs as _; // Links the library; its own types are not used: they may be shared between threads.
use premiss_presburger::Refusal;

use crate::Shape;

/// Declares an object of isl: its C type, and the handle that owns a reference to one.
macro_rules! objects {
    ($($handle:ident($raw:ident): $copy:ident $free:ident;)*) => {$(
        #[repr(C)]
        struct $raw([u8; 0]);

        /// Owns one reference to an object of isl.
        pub(crate) struct $handle(NonNull<$raw>);

        impl $handle {
            /// Takes the reference that isl gave.
            fn given(object: *mut $raw) -> Result<Self, Refusal> {
                NonNull::new(object).map(Self).ok_or_else(failure)
            }

            fn into_raw(self) -> *mut $raw {
                ManuallyDrop::new(self).0.as_ptr()
            }

            fn as_ptr(&self) -> *mut $raw {
                self.0.as_ptr()
            }

            /// A reference of its own for isl to take.
            fn copied(&self) -> *mut $raw {
                // SAFETY: the handle owns a reference, so the object lives.
                unsafe { $copy(self.as_ptr()) }
            }
        }

        impl Clone for $handle {
            fn clone(&self) -> Self {
                // One more reference to the same object: that cannot fail.
                Self(NonNull::new(self.copied()).expect("a copy of what there is"))
            }
        }

        impl Drop for $handle {
            fn drop(&mut self) {
                // SAFETY: the one reference of this handle, which nothing uses hereafter.
                unsafe { $free(self.as_ptr()) };
            }
        }

        unsafe extern "C" {
            fn $copy(object: *mut $raw) -> *mut $raw;
            fn $free(object: *mut $raw) -> *mut $raw;
        }
    )*};
}

objects! {
    RawSet(IslSet): isl_set_copy isl_set_free;
    RawBasicSet(IslBasicSet): isl_basic_set_copy isl_basic_set_free;
    RawSpace(IslSpace): isl_space_copy isl_space_free;
    RawMatrix(IslMatrix): isl_mat_copy isl_mat_free;
    RawForm(IslAff): isl_aff_copy isl_aff_free;
    RawForms(IslMultiAff): isl_multi_aff_copy isl_multi_aff_free;
}

/// Declares objects that only ever pass through.
macro_rules! opaque {
    ($($raw:ident)*) => {$( #[repr(C)] struct $raw([u8; 0]); )*};
}
opaque! { IslContext IslMap IslValue IslBasicSetList IslPwMultiAff }

/// The kinds of columns that isl tells apart, numbered as in its headers.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) enum Dimension {
    Constant = 0,
    Parameter = 1,
    Input = 2,
    /// Variables of a set, outputs of a relation.
    Variable = 3,
    Division = 4,
}

const ERROR_NONE: c_int = 0;
const ERROR_QUOTA: c_int = 6;
const ON_ERROR_CONTINUE: c_int = 1;

type Piece = extern "C" fn(*mut IslSet, *mut IslMultiAff, *mut c_void) -> c_int;

unsafe extern "C" {
    fn free(memory: *mut c_void);
    fn isl_ctx_alloc() -> *mut IslContext;
    fn isl_ctx_last_error(context: *mut IslContext) -> c_int;
    fn isl_ctx_last_error_msg(context: *mut IslContext) -> *const c_char;
    fn isl_ctx_reset_error(context: *mut IslContext);
    fn isl_ctx_set_max_operations(context: *mut IslContext, operations: c_ulong);
    fn isl_ctx_reset_operations(context: *mut IslContext);
    fn isl_ctx_next_operation(context: *mut IslContext) -> c_int;
    fn isl_options_set_on_error(context: *mut IslContext, value: c_int) -> c_int;
    fn isl_val_int_from_si(context: *mut IslContext, value: c_long) -> *mut IslValue;
    fn isl_val_get_num_si(value: *mut IslValue) -> c_long;
    fn isl_val_get_den_si(value: *mut IslValue) -> c_long;
    fn isl_val_free(value: *mut IslValue) -> *mut IslValue;

    fn isl_space_set_alloc(
        context: *mut IslContext,
        parameters: c_uint,
        variables: c_uint,
    ) -> *mut IslSpace;
    fn isl_space_set_dim_name(
        space: *mut IslSpace,
        kind: Dimension,
        position: c_uint,
        name: *const c_char,
    ) -> *mut IslSpace;
    fn isl_space_map_from_domain_and_range(
        domain: *mut IslSpace,
        range: *mut IslSpace,
    ) -> *mut IslSpace;

    fn isl_mat_alloc(context: *mut IslContext, rows: c_uint, columns: c_uint) -> *mut IslMatrix;
    fn isl_mat_rows(matrix: *mut IslMatrix) -> c_int;
    fn isl_mat_cols(matrix: *mut IslMatrix) -> c_int;
    fn isl_mat_get_element_val(matrix: *mut IslMatrix, row: c_int, column: c_int) -> *mut IslValue;
    fn isl_mat_set_element_si(
        matrix: *mut IslMatrix,
        row: c_int,
        column: c_int,
        value: c_int,
    ) -> *mut IslMatrix;
    fn isl_mat_set_element_val(
        matrix: *mut IslMatrix,
        row: c_int,
        column: c_int,
        value: *mut IslValue,
    ) -> *mut IslMatrix;

    fn isl_basic_set_from_constraint_matrices(
        space: *mut IslSpace,
        equalities: *mut IslMatrix,
        inequalities: *mut IslMatrix,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslBasicSet;
    fn isl_basic_set_equalities_matrix(
        set: *mut IslBasicSet,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslMatrix;
    fn isl_basic_set_inequalities_matrix(
        set: *mut IslBasicSet,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslMatrix;
    fn isl_basic_set_get_divs(set: *mut IslBasicSet) -> *mut IslMatrix;
    fn isl_basic_set_plain_is_empty(set: *mut IslBasicSet) -> c_int;

    fn isl_set_empty(space: *mut IslSpace) -> *mut IslSet;
    fn isl_set_universe(space: *mut IslSpace) -> *mut IslSet;
    fn isl_set_from_basic_set(set: *mut IslBasicSet) -> *mut IslSet;
    fn isl_set_compute_divs(set: *mut IslSet) -> *mut IslSet;
    fn isl_set_make_disjoint(set: *mut IslSet) -> *mut IslSet;
    fn isl_set_coalesce(set: *mut IslSet) -> *mut IslSet;
    fn isl_set_detect_equalities(set: *mut IslSet) -> *mut IslSet;
    fn isl_set_remove_redundancies(set: *mut IslSet) -> *mut IslSet;
    fn isl_set_simple_hull(set: *mut IslSet) -> *mut IslBasicSet;
    fn isl_set_union(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    fn isl_set_intersect(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    fn isl_set_subtract(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    fn isl_set_gist(set: *mut IslSet, context: *mut IslSet) -> *mut IslSet;
    fn isl_set_is_empty(set: *mut IslSet) -> c_int;
    fn isl_set_is_subset(a: *mut IslSet, b: *mut IslSet) -> c_int;
    fn isl_set_is_equal(a: *mut IslSet, b: *mut IslSet) -> c_int;
    fn isl_set_involves_locals(set: *mut IslSet) -> c_int;
    fn isl_set_involves_dims(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> c_int;
    fn isl_set_project_out(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> *mut IslSet;
    fn isl_set_insert_dims(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> *mut IslSet;
    fn isl_set_fix_val(
        set: *mut IslSet,
        kind: Dimension,
        position: c_uint,
        value: *mut IslValue,
    ) -> *mut IslSet;
    fn isl_set_preimage_multi_aff(set: *mut IslSet, forms: *mut IslMultiAff) -> *mut IslSet;
    fn isl_set_apply(set: *mut IslSet, map: *mut IslMap) -> *mut IslSet;
    fn isl_set_to_str(set: *mut IslSet) -> *mut c_char;
    fn isl_set_get_basic_set_list(set: *mut IslSet) -> *mut IslBasicSetList;
    fn isl_basic_set_list_n_basic_set(list: *mut IslBasicSetList) -> c_int;
    fn isl_basic_set_list_get_basic_set(
        list: *mut IslBasicSetList,
        index: c_int,
    ) -> *mut IslBasicSet;
    fn isl_basic_set_list_free(list: *mut IslBasicSetList) -> *mut IslBasicSetList;

    fn isl_map_from_multi_aff(forms: *mut IslMultiAff) -> *mut IslMap;
    fn isl_map_from_range(set: *mut IslSet) -> *mut IslMap;
    fn isl_map_move_dims(
        map: *mut IslMap,
        to: Dimension,
        to_position: c_uint,
        from: Dimension,
        from_position: c_uint,
        count: c_uint,
    ) -> *mut IslMap;
    fn isl_map_lexmax_pw_multi_aff(map: *mut IslMap) -> *mut IslPwMultiAff;
    fn isl_map_lexmin_pw_multi_aff(map: *mut IslMap) -> *mut IslPwMultiAff;
    fn isl_pw_multi_aff_coalesce(pieces: *mut IslPwMultiAff) -> *mut IslPwMultiAff;
    fn isl_pw_multi_aff_foreach_piece(
        pieces: *mut IslPwMultiAff,
        each: Piece,
        user: *mut c_void,
    ) -> c_int;
    fn isl_pw_multi_aff_free(pieces: *mut IslPwMultiAff) -> *mut IslPwMultiAff;

    fn isl_multi_aff_zero(space: *mut IslSpace) -> *mut IslMultiAff;
    fn isl_multi_aff_get_aff(forms: *mut IslMultiAff, position: c_int) -> *mut IslAff;
    fn isl_multi_aff_set_aff(
        forms: *mut IslMultiAff,
        position: c_int,
        form: *mut IslAff,
    ) -> *mut IslMultiAff;
    fn isl_aff_zero_on_domain_space(space: *mut IslSpace) -> *mut IslAff;
    fn isl_aff_set_constant_val(form: *mut IslAff, value: *mut IslValue) -> *mut IslAff;
    fn isl_aff_set_coefficient_val(
        form: *mut IslAff,
        kind: Dimension,
        position: c_int,
        value: *mut IslValue,
    ) -> *mut IslAff;
    fn isl_aff_get_constant_val(form: *mut IslAff) -> *mut IslValue;
    fn isl_aff_get_denominator_val(form: *mut IslAff) -> *mut IslValue;
    fn isl_aff_get_coefficient_val(
        form: *mut IslAff,
        kind: Dimension,
        position: c_int,
    ) -> *mut IslValue;
    fn isl_aff_dim(form: *mut IslAff, kind: Dimension) -> c_int;
    fn isl_aff_get_div(form: *mut IslAff, position: c_int) -> *mut IslAff;
}

/// What isl knows of this thread.
fn context() -> *mut IslContext {
    thread_local! {
        static CONTEXT: NonNull<IslContext> = {
            // SAFETY: no preconditions.
            let context = NonNull::new(unsafe { isl_ctx_alloc() });
            let context = context.expect("memory for a context of isl");
            // SAFETY: the context just made.
            unsafe { isl_options_set_on_error(context.as_ptr(), ON_ERROR_CONTINUE) };
            context
        };
    }
    CONTEXT.with(|context| context.as_ptr())
}

/// Why isl gave no answer to the call just made.
fn failure() -> Refusal {
    let context = context();
    // SAFETY: the context lives; its message is null or a constant string of isl.
    unsafe {
        let error = isl_ctx_last_error(context);
        let message = isl_ctx_last_error_msg(context);
        let unbounded = !message.is_null() && CStr::from_ptr(message) == c"unbounded optimum";
        isl_ctx_reset_error(context);
        match error {
            ERROR_QUOTA => Refusal::Budget,
            _ if unbounded => Refusal::Unbounded,
            _ => Refusal::Failed,
        }
    }
}

/// What one of isl's truth values means.
fn truth(value: c_int) -> Result<bool, Refusal> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(failure()),
    }
}

/// A number that isl returned, negative where it failed.
fn size(value: c_int) -> Result<usize, Refusal> {
    usize::try_from(value).map_err(|_| failure())
}

/// A position as isl takes it.
fn index<T: TryFrom<usize>>(position: usize) -> T {
    let fits = T::try_from(position).ok();
    fits.expect("isl could not hold so many rows, columns or sets")
}

/// Starts to count operations anew and lets so many be done, all there are for none.
pub(crate) fn allow_operations(operations: Option<u64>) {
    let context = context();
    // SAFETY: the context lives.
    unsafe {
        isl_ctx_reset_error(context);
        isl_ctx_reset_operations(context);
        isl_ctx_set_max_operations(context, 0);
        match operations {
            None => (),
            Some(0) => {
                // Nothing is what isl calls no limit: allow one, and do it.
                isl_ctx_set_max_operations(context, 1);
                isl_ctx_next_operation(context);
            }
            Some(operations) => isl_ctx_set_max_operations(context, operations),
        }
    }
}

/// How many of the operations allowed have been done; the count is of no use hereafter.
///
/// isl does not tell, but refuses the next operation exactly if the limit is not above the count.
pub(crate) fn operations_done(allowed: u64) -> u64 {
    let context = context();
    let (mut least, mut most, mut probes) = (0, allowed, 0);
    while least < most {
        let middle = least + (most - least) / 2;
        // SAFETY: the context lives. The limit is not zero, which would be none.
        let done = unsafe {
            isl_ctx_set_max_operations(context, middle + probes + 1);
            isl_ctx_next_operation(context)
        };
        if done == 0 {
            probes += 1; // That was an operation, too.
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    // SAFETY: the context lives.
    unsafe { isl_ctx_reset_error(context) };
    least
}

/// A number for isl.
fn value(number: i64) -> *mut IslValue {
    // SAFETY: the context lives. A null value makes whatever takes it fail.
    unsafe { isl_val_int_from_si(context(), number) }
}

/// Numerator and denominator of a number of isl, which is taken.
fn fraction(value: *mut IslValue) -> Result<(i64, i64), Refusal> {
    if value.is_null() {
        return Err(failure());
    }
    // SAFETY: the value lives until it is freed, once; the context lives.
    unsafe {
        let mut parts = (isl_val_get_num_si(value), isl_val_get_den_si(value));
        let mut fits = true;
        if parts.0 == 0 || parts.1 == 0 {
            // Either it is zero or it does not fit. An operation that got over an error of its own
            // may have left that behind, so that only what these calls report counts.
            isl_ctx_reset_error(context());
            parts = (isl_val_get_num_si(value), isl_val_get_den_si(value));
            fits = isl_ctx_last_error(context()) == ERROR_NONE;
        }
        isl_val_free(value);
        if fits {
            Ok(parts)
        } else {
            Err(Refusal::Overflow)
        }
    }
}

impl RawSpace {
    /// The space of sets of a shape.
    pub(crate) fn of_sets(shape: Shape) -> Result<Self, Refusal> {
        // SAFETY: the context lives; isl copies the name.
        let space = unsafe {
            isl_space_set_alloc(context(), index(shape.parameters), index(shape.variables))
        };
        let mut space = Self::given(space)?;
        for parameter in 0..shape.parameters {
            let name = CString::new(format!("p{parameter}")).expect("no zero in a name");
            // SAFETY: isl takes the space and copies the name.
            space = Self::given(unsafe {
                let kind = Dimension::Parameter;
                isl_space_set_dim_name(space.into_raw(), kind, index(parameter), name.as_ptr())
            })?;
        }
        Ok(space)
    }
}

/// Columns in the order of the rest of the project.
const COLUMNS: [Dimension; 4] = [
    Dimension::Constant,
    Dimension::Parameter,
    Dimension::Variable,
    Dimension::Division,
];

impl RawMatrix {
    /// A matrix with these rows, all so wide.
    pub(crate) fn of_rows<'a>(
        columns: usize,
        rows: impl ExactSizeIterator<Item = &'a [i64]>,
    ) -> Result<Self, Refusal> {
        // SAFETY: the context lives.
        let matrix = unsafe { isl_mat_alloc(context(), index(rows.len()), index(columns)) };
        let mut matrix = Self::given(matrix)?;
        for (row, numbers) in rows.enumerate() {
            assert_eq!(numbers.len(), columns, "a row has all columns");
            for (column, number) in numbers.iter().enumerate() {
                let (row, column) = (index(row), index(column));
                // SAFETY: isl takes matrix and value and checks row and column.
                matrix = Self::given(unsafe {
                    match c_int::try_from(*number) {
                        Ok(small) => isl_mat_set_element_si(matrix.into_raw(), row, column, small),
                        Err(_) => {
                            let value = value(*number);
                            isl_mat_set_element_val(matrix.into_raw(), row, column, value)
                        }
                    }
                })?;
            }
        }
        Ok(matrix)
    }

    /// The rows of the matrix.
    pub(crate) fn rows(&self) -> Result<Vec<Vec<i64>>, Refusal> {
        let matrix = self.as_ptr();
        // SAFETY: the matrix lives; isl checks row and column.
        let (rows, columns) = unsafe { (isl_mat_rows(matrix), isl_mat_cols(matrix)) };
        let number = |row, column| {
            let value = unsafe { isl_mat_get_element_val(matrix, row, column) };
            fraction(value).map(|(numerator, _)| numerator)
        };
        let row = |row| (0..columns).map(|column| number(row, column)).collect();
        (0..rows).map(row).collect()
    }
}

impl RawBasicSet {
    /// The points for which there are values of the columns behind those of the space such that
    /// the rows of `equalities` are zero and those of `inequalities` not negative.
    pub(crate) fn of_matrices(
        space: RawSpace,
        equalities: RawMatrix,
        inequalities: RawMatrix,
    ) -> Result<Self, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: isl takes all three, and checks that they fit each other.
        Self::given(unsafe {
            isl_basic_set_from_constraint_matrices(
                space.into_raw(),
                equalities.into_raw(),
                inequalities.into_raw(),
                first,
                second,
                third,
                fourth,
            )
        })
    }

    pub(crate) fn equalities(&self) -> Result<RawMatrix, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: the set lives.
        RawMatrix::given(unsafe {
            isl_basic_set_equalities_matrix(self.as_ptr(), first, second, third, fourth)
        })
    }

    pub(crate) fn inequalities(&self) -> Result<RawMatrix, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: the set lives.
        RawMatrix::given(unsafe {
            isl_basic_set_inequalities_matrix(self.as_ptr(), first, second, third, fourth)
        })
    }

    /// A row for each division: its denominator, zero if it is not known, and its numerator.
    pub(crate) fn divisions(&self) -> Result<RawMatrix, Refusal> {
        // SAFETY: the set lives.
        RawMatrix::given(unsafe { isl_basic_set_get_divs(self.as_ptr()) })
    }

    /// Whether it is known to be empty without any search.
    pub(crate) fn is_plainly_empty(&self) -> Result<bool, Refusal> {
        // SAFETY: the set lives.
        truth(unsafe { isl_basic_set_plain_is_empty(self.as_ptr()) })
    }
}

/// Declares functions of sets by what isl calls them.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $isl:ident($($other:ident)?);)*) => {
        impl RawSet {$(
            $(#[$doc])*
            pub(crate) fn $name(&self $(, $other: &Self)?) -> Result<Self, Refusal> {
                // SAFETY: isl takes copies.
                Self::given(unsafe { $isl(self.copied() $(, $other.copied())?) })
            }
        )*}
    };
}

operations! {
    compute_divisions = isl_set_compute_divs();
    disjoint = isl_set_make_disjoint();
    coalesce = isl_set_coalesce();
    detect_equalities = isl_set_detect_equalities();
    remove_redundancies = isl_set_remove_redundancies();
    union = isl_set_union(other);
    intersect = isl_set_intersect(other);
    subtract = isl_set_subtract(other);
    gist = isl_set_gist(context);
}

/// Declares questions to sets by what isl calls them.
macro_rules! questions {
    ($($name:ident = $isl:ident($($other:ident)?);)*) => {
        impl RawSet {$(
            pub(crate) fn $name(&self $(, $other: &Self)?) -> Result<bool, Refusal> {
                // SAFETY: the sets live.
                truth(unsafe { $isl(self.as_ptr() $(, $other.as_ptr())?) })
            }
        )*}
    };
}

questions! {
    is_empty = isl_set_is_empty();
    is_subset = isl_set_is_subset(other);
    is_equal = isl_set_is_equal(other);
    has_divisions = isl_set_involves_locals();
}

impl RawSet {
    pub(crate) fn empty(space: RawSpace) -> Result<Self, Refusal> {
        // SAFETY: isl takes the space.
        Self::given(unsafe { isl_set_empty(space.into_raw()) })
    }

    pub(crate) fn universe(space: RawSpace) -> Result<Self, Refusal> {
        // SAFETY: isl takes the space.
        Self::given(unsafe { isl_set_universe(space.into_raw()) })
    }

    pub(crate) fn of_basic_set(set: RawBasicSet) -> Result<Self, Refusal> {
        // SAFETY: isl takes the set.
        Self::given(unsafe { isl_set_from_basic_set(set.into_raw()) })
    }

    pub(crate) fn united(self, other: Self) -> Result<Self, Refusal> {
        // SAFETY: isl takes both.
        Self::given(unsafe { isl_set_union(self.into_raw(), other.into_raw()) })
    }

    pub(crate) fn basic_sets(&self) -> Result<Vec<RawBasicSet>, Refusal> {
        // SAFETY: the set lives, and so does the list until it is freed, once.
        unsafe {
            let list = isl_set_get_basic_set_list(self.as_ptr());
            if list.is_null() {
                return Err(failure());
            }
            let member = |index| RawBasicSet::given(isl_basic_set_list_get_basic_set(list, index));
            let members = (0..isl_basic_set_list_n_basic_set(list))
                .map(member)
                .collect();
            isl_basic_set_list_free(list);
            members
        }
    }

    pub(crate) fn simple_hull(&self) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy.
        let hull = unsafe { isl_set_simple_hull(self.copied()) };
        Self::of_basic_set(RawBasicSet::given(hull)?)
    }

    pub(crate) fn involves(&self, kind: Dimension, position: usize) -> Result<bool, Refusal> {
        // SAFETY: the set lives; isl checks the position.
        truth(unsafe { isl_set_involves_dims(self.as_ptr(), kind, index(position), 1) })
    }

    pub(crate) fn project(&self, first: usize, count: usize) -> Result<Self, Refusal> {
        let kind = Dimension::Variable;
        // SAFETY: isl takes a copy and checks the positions.
        Self::given(unsafe { isl_set_project_out(self.copied(), kind, index(first), index(count)) })
    }

    pub(crate) fn insert(&self, first: usize, count: usize) -> Result<Self, Refusal> {
        let kind = Dimension::Variable;
        // SAFETY: isl takes a copy and checks the positions.
        Self::given(unsafe { isl_set_insert_dims(self.copied(), kind, index(first), index(count)) })
    }

    pub(crate) fn fix(&self, kind: Dimension, at: usize, number: i64) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy and the value and checks the position.
        Self::given(unsafe { isl_set_fix_val(self.copied(), kind, index(at), value(number)) })
    }

    pub(crate) fn preimage(&self, forms: RawForms) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy and the forms.
        Self::given(unsafe { isl_set_preimage_multi_aff(self.copied(), forms.into_raw()) })
    }

    pub(crate) fn image(&self, forms: RawForms) -> Result<Self, Refusal> {
        // SAFETY: isl takes the forms, a copy and the relation, also where that is null.
        Self::given(unsafe {
            isl_set_apply(self.copied(), isl_map_from_multi_aff(forms.into_raw()))
        })
    }

    /// For each value of the other variables for which there is a point, the greatest or least
    /// value of the variable at a position: forms on sets that share no point.
    pub(crate) fn extremum(
        &self,
        variables: usize,
        position: usize,
        side: Side,
    ) -> Result<Vec<(Self, RawForm)>, Refusal> {
        let (input, output) = (Dimension::Input, Dimension::Variable);
        let (before, behind) = (index(position), index(variables - 1 - position));
        let mut found: Vec<(*mut IslSet, *mut IslMultiAff)> = Vec::new();
        // SAFETY: isl takes a copy, the relations and the function made of them, also where one is
        // null. The callback is given what it is declared for, and the list lives until it returns.
        let status = unsafe {
            let map = isl_map_from_range(self.copied());
            let map = isl_map_move_dims(map, input, 0, output, 0, before);
            let map = isl_map_move_dims(map, input, before, output, 1, behind);
            let pieces = match side {
                Side::Greatest => isl_map_lexmax_pw_multi_aff(map),
                Side::Least => isl_map_lexmin_pw_multi_aff(map),
            };
            let pieces = isl_pw_multi_aff_coalesce(pieces);
            let list = (&raw mut found).cast();
            let status = isl_pw_multi_aff_foreach_piece(pieces, collect, list);
            isl_pw_multi_aff_free(pieces);
            status
        };
        let owned = |(set, forms)| Ok((Self::given(set)?, RawForms::given(forms)?.first()?));
        // Every pair is taken into handles before any failure is looked at.
        let pieces: Vec<Result<_, Refusal>> = found.into_iter().map(owned).collect();
        size(status)?;
        pieces.into_iter().collect()
    }

    /// In isl's notation.
    pub(crate) fn text(&self) -> Result<String, Refusal> {
        // SAFETY: the set lives; the string is ours to free, once it is copied.
        unsafe {
            let text = isl_set_to_str(self.as_ptr());
            if text.is_null() {
                return Err(failure());
            }
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            free(text.cast());
            Ok(copy)
        }
    }
}

/// Which end of a set.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Greatest,
    Least,
}

/// Keeps a piece of a function for [`RawSet::extremum`].
extern "C" fn collect(set: *mut IslSet, forms: *mut IslMultiAff, list: *mut c_void) -> c_int {
    let list: *mut Vec<(*mut IslSet, *mut IslMultiAff)> = list.cast();
    // SAFETY: the list that was passed along with this function, used by nothing else meanwhile.
    unsafe { (*list).push((set, forms)) };
    0
}

impl RawForms {
    /// The function from a space whose values are `forms`, each given by its coefficients.
    pub(crate) fn new<'a>(
        domain: &RawSpace,
        range: RawSpace,
        parameters: usize,
        forms: impl Iterator<Item = &'a [i64]>,
    ) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy and the range, and the space made of them, also where it is null.
        let mut all = Self::given(unsafe {
            let range = range.into_raw();
            isl_multi_aff_zero(isl_space_map_from_domain_and_range(domain.copied(), range))
        })?;
        for (position, form) in forms.enumerate() {
            let form = RawForm::new(domain, parameters, form)?;
            // SAFETY: isl takes both and checks the position.
            all = Self::given(unsafe {
                isl_multi_aff_set_aff(all.into_raw(), index(position), form.into_raw())
            })?;
        }
        Ok(all)
    }

    fn first(&self) -> Result<RawForm, Refusal> {
        // SAFETY: the forms live; isl checks the position.
        RawForm::given(unsafe { isl_multi_aff_get_aff(self.as_ptr(), 0) })
    }
}

impl RawForm {
    fn new(domain: &RawSpace, parameters: usize, coefficients: &[i64]) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy, the form and the value.
        let mut form = Self::given(unsafe {
            isl_aff_set_constant_val(
                isl_aff_zero_on_domain_space(domain.copied()),
                value(coefficients[0]),
            )
        })?;
        for (column, coefficient) in coefficients.iter().enumerate().skip(1) {
            if *coefficient == 0 {
                continue;
            }
            let (kind, position) = if column <= parameters {
                (Dimension::Parameter, column - 1)
            } else {
                (Dimension::Input, column - 1 - parameters)
            };
            // SAFETY: isl takes form and value and checks the position.
            form = Self::given(unsafe {
                let value = value(*coefficient);
                isl_aff_set_coefficient_val(form.into_raw(), kind, index(position), value)
            })?;
        }
        Ok(form)
    }

    /// The common denominator of its coefficients.
    pub(crate) fn denominator(&self) -> Result<i64, Refusal> {
        // SAFETY: the form lives.
        fraction(unsafe { isl_aff_get_denominator_val(self.as_ptr()) }).map(|(value, _)| value)
    }

    /// Its constant: numerator and denominator.
    pub(crate) fn constant(&self) -> Result<(i64, i64), Refusal> {
        // SAFETY: the form lives.
        fraction(unsafe { isl_aff_get_constant_val(self.as_ptr()) })
    }

    /// A coefficient: numerator and denominator.
    pub(crate) fn coefficient(&self, kind: Dimension, at: usize) -> Result<(i64, i64), Refusal> {
        // SAFETY: the form lives; isl checks the position.
        fraction(unsafe { isl_aff_get_coefficient_val(self.as_ptr(), kind, index(at)) })
    }

    /// How many columns it has of a kind.
    pub(crate) fn columns(&self, kind: Dimension) -> Result<usize, Refusal> {
        // SAFETY: the form lives.
        size(unsafe { isl_aff_dim(self.as_ptr(), kind) })
    }

    /// What is rounded down in a division that it uses: a form with the same divisions.
    pub(crate) fn division(&self, position: usize) -> Result<Self, Refusal> {
        // SAFETY: the form lives; isl checks the position.
        Self::given(unsafe { isl_aff_get_div(self.as_ptr(), index(position)) })
    }
}
