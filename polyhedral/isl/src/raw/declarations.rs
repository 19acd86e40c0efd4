//! The functions of isl that are called, as its headers declare them.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

use super::{IslAff, IslBasicSet, IslMatrix, IslMultiAff, IslSet, IslSpace};

/// Declares objects that only ever pass through.
macro_rules! opaque {
    ($($raw:ident)*) => {$( #[repr(C)] pub(super) struct $raw([u8; 0]); )*};
}
opaque! { IslContext IslMap IslValue IslBasicSetList IslPwMultiAff }

/// The kinds of columns that isl distinguishes, numbered as in its headers.
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

/// A function that isl calls with each piece of a piecewise function.
pub(super) type PieceCallback = extern "C" fn(*mut IslSet, *mut IslMultiAff, *mut c_void) -> c_int;

unsafe extern "C" {
    pub(super) fn free(memory: *mut c_void);
    pub(super) fn isl_ctx_alloc() -> *mut IslContext;
    pub(super) fn isl_ctx_last_error(context: *mut IslContext) -> c_int;
    pub(super) fn isl_ctx_last_error_msg(context: *mut IslContext) -> *const c_char;
    pub(super) fn isl_ctx_reset_error(context: *mut IslContext);
    pub(super) fn isl_ctx_set_max_operations(context: *mut IslContext, operations: c_ulong);
    pub(super) fn isl_ctx_reset_operations(context: *mut IslContext);
    pub(super) fn isl_ctx_next_operation(context: *mut IslContext) -> c_int;
    pub(super) fn isl_options_set_on_error(context: *mut IslContext, value: c_int) -> c_int;
    pub(super) fn isl_val_int_from_si(context: *mut IslContext, value: c_long) -> *mut IslValue;
    pub(super) fn isl_val_get_num_si(value: *mut IslValue) -> c_long;
    pub(super) fn isl_val_get_den_si(value: *mut IslValue) -> c_long;
    pub(super) fn isl_val_free(value: *mut IslValue) -> *mut IslValue;

    pub(super) fn isl_space_set_alloc(
        context: *mut IslContext,
        parameters: c_uint,
        variables: c_uint,
    ) -> *mut IslSpace;
    pub(super) fn isl_space_set_dim_name(
        space: *mut IslSpace,
        kind: Dimension,
        position: c_uint,
        name: *const c_char,
    ) -> *mut IslSpace;
    pub(super) fn isl_space_map_from_domain_and_range(
        domain: *mut IslSpace,
        range: *mut IslSpace,
    ) -> *mut IslSpace;

    pub(super) fn isl_mat_alloc(
        context: *mut IslContext,
        rows: c_uint,
        columns: c_uint,
    ) -> *mut IslMatrix;
    pub(super) fn isl_mat_rows(matrix: *mut IslMatrix) -> c_int;
    pub(super) fn isl_mat_cols(matrix: *mut IslMatrix) -> c_int;
    pub(super) fn isl_mat_get_element_val(
        matrix: *mut IslMatrix,
        row: c_int,
        column: c_int,
    ) -> *mut IslValue;
    pub(super) fn isl_mat_set_element_si(
        matrix: *mut IslMatrix,
        row: c_int,
        column: c_int,
        value: c_int,
    ) -> *mut IslMatrix;
    pub(super) fn isl_mat_set_element_val(
        matrix: *mut IslMatrix,
        row: c_int,
        column: c_int,
        value: *mut IslValue,
    ) -> *mut IslMatrix;

    pub(super) fn isl_basic_set_from_constraint_matrices(
        space: *mut IslSpace,
        equalities: *mut IslMatrix,
        inequalities: *mut IslMatrix,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslBasicSet;
    pub(super) fn isl_basic_set_equalities_matrix(
        set: *mut IslBasicSet,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslMatrix;
    pub(super) fn isl_basic_set_inequalities_matrix(
        set: *mut IslBasicSet,
        first: Dimension,
        second: Dimension,
        third: Dimension,
        fourth: Dimension,
    ) -> *mut IslMatrix;
    pub(super) fn isl_basic_set_get_divs(set: *mut IslBasicSet) -> *mut IslMatrix;
    pub(super) fn isl_basic_set_plain_is_empty(set: *mut IslBasicSet) -> c_int;
    pub(super) fn isl_basic_set_is_empty(set: *mut IslBasicSet) -> c_int;

    pub(super) fn isl_set_empty(space: *mut IslSpace) -> *mut IslSet;
    pub(super) fn isl_set_universe(space: *mut IslSpace) -> *mut IslSet;
    pub(super) fn isl_set_from_basic_set(set: *mut IslBasicSet) -> *mut IslSet;
    pub(super) fn isl_set_compute_divs(set: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_make_disjoint(set: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_coalesce(set: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_detect_equalities(set: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_remove_redundancies(set: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_simple_hull(set: *mut IslSet) -> *mut IslBasicSet;
    pub(super) fn isl_set_union(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_intersect(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_subtract(a: *mut IslSet, b: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_gist(set: *mut IslSet, context: *mut IslSet) -> *mut IslSet;
    pub(super) fn isl_set_is_empty(set: *mut IslSet) -> c_int;
    pub(super) fn isl_set_is_subset(a: *mut IslSet, b: *mut IslSet) -> c_int;
    pub(super) fn isl_set_is_equal(a: *mut IslSet, b: *mut IslSet) -> c_int;
    pub(super) fn isl_set_involves_locals(set: *mut IslSet) -> c_int;
    pub(super) fn isl_set_involves_dims(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> c_int;
    pub(super) fn isl_set_project_out(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> *mut IslSet;
    pub(super) fn isl_set_insert_dims(
        set: *mut IslSet,
        kind: Dimension,
        first: c_uint,
        count: c_uint,
    ) -> *mut IslSet;
    pub(super) fn isl_set_fix_val(
        set: *mut IslSet,
        kind: Dimension,
        position: c_uint,
        value: *mut IslValue,
    ) -> *mut IslSet;
    pub(super) fn isl_set_preimage_multi_aff(
        set: *mut IslSet,
        forms: *mut IslMultiAff,
    ) -> *mut IslSet;
    pub(super) fn isl_set_apply(set: *mut IslSet, map: *mut IslMap) -> *mut IslSet;
    pub(super) fn isl_set_to_str(set: *mut IslSet) -> *mut c_char;
    pub(super) fn isl_set_get_basic_set_list(set: *mut IslSet) -> *mut IslBasicSetList;
    pub(super) fn isl_basic_set_list_n_basic_set(list: *mut IslBasicSetList) -> c_int;
    pub(super) fn isl_basic_set_list_get_basic_set(
        list: *mut IslBasicSetList,
        index: c_int,
    ) -> *mut IslBasicSet;
    pub(super) fn isl_basic_set_list_free(list: *mut IslBasicSetList) -> *mut IslBasicSetList;

    pub(super) fn isl_map_from_multi_aff(forms: *mut IslMultiAff) -> *mut IslMap;
    pub(super) fn isl_map_from_range(set: *mut IslSet) -> *mut IslMap;
    pub(super) fn isl_map_move_dims(
        map: *mut IslMap,
        to: Dimension,
        to_position: c_uint,
        from: Dimension,
        from_position: c_uint,
        count: c_uint,
    ) -> *mut IslMap;
    pub(super) fn isl_map_lexmax_pw_multi_aff(map: *mut IslMap) -> *mut IslPwMultiAff;
    pub(super) fn isl_map_lexmin_pw_multi_aff(map: *mut IslMap) -> *mut IslPwMultiAff;
    pub(super) fn isl_pw_multi_aff_foreach_piece(
        pieces: *mut IslPwMultiAff,
        each: PieceCallback,
        user: *mut c_void,
    ) -> c_int;
    pub(super) fn isl_pw_multi_aff_free(pieces: *mut IslPwMultiAff) -> *mut IslPwMultiAff;

    pub(super) fn isl_multi_aff_zero(space: *mut IslSpace) -> *mut IslMultiAff;
    pub(super) fn isl_multi_aff_get_aff(forms: *mut IslMultiAff, position: c_int) -> *mut IslAff;
    pub(super) fn isl_multi_aff_set_aff(
        forms: *mut IslMultiAff,
        position: c_int,
        form: *mut IslAff,
    ) -> *mut IslMultiAff;
    pub(super) fn isl_aff_zero_on_domain_space(space: *mut IslSpace) -> *mut IslAff;
    pub(super) fn isl_aff_set_constant_val(form: *mut IslAff, value: *mut IslValue) -> *mut IslAff;
    pub(super) fn isl_aff_set_coefficient_val(
        form: *mut IslAff,
        kind: Dimension,
        position: c_int,
        value: *mut IslValue,
    ) -> *mut IslAff;
    pub(super) fn isl_aff_get_constant_val(form: *mut IslAff) -> *mut IslValue;
    pub(super) fn isl_aff_get_denominator_val(form: *mut IslAff) -> *mut IslValue;
    pub(super) fn isl_aff_get_coefficient_val(
        form: *mut IslAff,
        kind: Dimension,
        position: c_int,
    ) -> *mut IslValue;
    pub(super) fn isl_aff_dim(form: *mut IslAff, kind: Dimension) -> c_int;
    pub(super) fn isl_aff_get_div(form: *mut IslAff, position: c_int) -> *mut IslAff;
}
