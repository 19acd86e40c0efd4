//! The values of constant objects, computed once for all functions that read one view of a program.

use crate::domain::constant_image::Image;
use crate::syntax::TextRange;
use premiss_link::{Dependencies, Queries};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A cache of the values of objects with static storage that never change, by their place of declaration.
#[derive(Default)]
pub struct ConstantImages(RefCell<BTreeMap<TextRange, CachedImage>>);

impl ConstantImages {
    /// The values of an object, computed on first use. A computation that uses them depends on the inputs read to
    /// compute them.
    pub(crate) fn get_or_find(
        &self,
        program: &dyn Queries,
        at: TextRange,
        find: impl FnOnce() -> Option<Rc<Image>>,
    ) -> Option<Rc<Image>> {
        if let Some((image, dependencies)) = self.0.borrow().get(&at) {
            program.depend_on(dependencies);
            return image.clone();
        }
        let mut find = Some(find);
        let mut image = None;
        let dependencies = program.dependencies_of(&mut || {
            image = find.take().and_then(|find| find());
        });
        let mut images = self.0.borrow_mut();
        images.insert(at, (image.clone(), dependencies));
        image
    }
}

/// The values of an object, if they are known, with the inputs read to compute them.
type CachedImage = (Option<Rc<Image>>, Dependencies);
