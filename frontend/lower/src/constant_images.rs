//! What constant objects hold, found once for all functions that read one view of a program.

use crate::domain::constant_image::Image;
use crate::syntax::At;
use premiss_link::{Dependencies, Queries};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What objects hold that are there once and never change, by where they are declared.
#[derive(Default)]
pub struct ConstantImages(RefCell<BTreeMap<At, CachedImage>>);

impl ConstantImages {
    /// What an object holds, found where it is not there. Whoever uses it depends on what was read to find it.
    pub(crate) fn get_or_find(
        &self,
        program: &dyn Queries,
        at: At,
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

/// What an object holds, where that is known, with what was read to find it.
type CachedImage = (Option<Rc<Image>>, Dependencies);
