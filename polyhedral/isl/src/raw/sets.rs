//! Unions of conjunctions of constraints.

use std::ffi::{CStr, c_int, c_void};

use premiss_presburger::Refusal;

use super::declarations::*;
use super::{IslMultiAff, IslSet, RawBasicSet, RawForm, RawForms, RawSet, RawSpace};
use super::{failure, index, size, truth, value};

/// Declares operations on sets by the names of isl's functions.
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

/// Declares predicates on sets by the names of isl's functions.
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

    /// For each value of the other variables for which there is a point, the greatest or least value of the variable at
    /// a position: forms on sets that share no point.
    pub(crate) fn extremum(
        &self,
        variables: usize,
        position: usize,
        side: Extreme,
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
                Extreme::Greatest => isl_map_lexmax_pw_multi_aff(map),
                Extreme::Least => isl_map_lexmin_pw_multi_aff(map),
            };
            let list = (&raw mut found).cast();
            let status = isl_pw_multi_aff_foreach_piece(pieces, collect, list);
            isl_pw_multi_aff_free(pieces);
            status
        };
        let owned = |(set, forms)| Ok((Self::given(set)?, RawForms::given(forms)?.first()?));
        // Every pair is taken into handles before any failure is examined.
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

/// Which extreme value of a variable is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Extreme {
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
