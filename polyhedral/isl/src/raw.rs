//! All calls of isl, behind handles that own what they point to.
//!
//! What makes the safe functions here sound:
//! - isl reads and writes its context without locks. Each thread has a context of its own, which is
//!   never freed, so it outlives every object of its thread; and a handle holds a raw pointer, so
//!   the compiler keeps it on the thread that made it.
//! - isl counts references. A handle owns exactly one, given up when it is dropped or passed to a
//!   function that takes it (`into_raw`); functions that keep their argument are given `as_ptr`.
//! - isl frees what a function takes also where the function fails, and then returns a null pointer,
//!   which becomes a [`Refusal`] before anything is made of it.

#![expect(unsafe_code, reason = "isl is a C library: this module alone calls it")]

mod basic_sets;
mod declarations;
mod forms;
mod sets;

use std::ffi::{CStr, c_int};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use isl_rs as _; // Links the library; its own types are not used: they may be shared between threads.
use premiss_presburger::Refusal;

pub(crate) use declarations::Dimension;
use declarations::*;
pub(crate) use sets::Extreme;

/// Declares an object of isl: its C type, and the handle that owns a reference to one.
macro_rules! objects {
    ($($handle:ident($raw:ident): $copy:ident $free:ident;)*) => {$(
        #[repr(C)]
        struct $raw([u8; 0]);

        /// Owns one reference to an object of isl.
        pub(crate) struct $handle(NonNull<$raw>);

        impl $handle {
            /// Takes over a reference that isl returned; a null pointer is a failure.
            fn given(object: *mut $raw) -> Result<Self, Refusal> {
                NonNull::new(object).map(Self).ok_or_else(failure)
            }

            fn into_raw(self) -> *mut $raw {
                ManuallyDrop::new(self).0.as_ptr()
            }

            fn as_ptr(&self) -> *mut $raw {
                self.0.as_ptr()
            }

            /// One more reference to the object, for isl to take.
            fn copied(&self) -> *mut $raw {
                // SAFETY: the handle owns a reference, so the object lives.
                unsafe { $copy(self.as_ptr()) }
            }
        }

        impl Clone for $handle {
            fn clone(&self) -> Self {
                // Incrementing the count of an object that lives cannot fail.
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

const ERROR_NONE: c_int = 0;
const ERROR_QUOTA: c_int = 6;
const ON_ERROR_CONTINUE: c_int = 1;

/// The context of isl for this thread.
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

/// The meaning of a truth value of isl, which is negative where isl failed.
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

/// A position in the integer type that a function of isl takes.
fn index<T: TryFrom<usize>>(position: usize) -> T {
    let fits = T::try_from(position).ok();
    fits.expect("isl could not hold so many rows, columns or sets")
}

/// Restarts the count of operations and sets how many are allowed; `None` is no limit.
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
                // isl takes zero for no limit: allow one operation, and do it.
                isl_ctx_set_max_operations(context, 1);
                isl_ctx_next_operation(context);
            }
            Some(operations) => isl_ctx_set_max_operations(context, operations),
        }
    }
}

/// How many of the `allowed` operations have been done. The probes are operations too, so the count must be restarted
/// afterwards.
///
/// isl does not report its count, but it refuses the next operation exactly if the limit is not above the count.
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

/// A number as a value of isl.
fn value(number: i64) -> *mut IslValue {
    // SAFETY: the context lives. A null value makes whatever takes it fail.
    unsafe { isl_val_int_from_si(context(), number) }
}

/// Numerator and denominator of a value of isl, which this function frees.
fn fraction(value: *mut IslValue) -> Result<(i64, i64), Refusal> {
    if value.is_null() {
        return Err(failure());
    }
    // SAFETY: the value lives until it is freed, once; the context lives.
    unsafe {
        let mut parts = (isl_val_get_num_si(value), isl_val_get_den_si(value));
        let mut fits = true;
        if parts.0 == 0 || parts.1 == 0 {
            // Either it is zero or it does not fit. An operation that recovered from an error may have left that error
            // behind, so that only what these calls report counts.
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
