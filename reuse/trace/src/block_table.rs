//! A table in blocks that take memory once they are touched.
//!
//! The last level of a cache has a hundred thousand sets, of which a small nest touches a few: what it costs to start, to
//! clear and to go through a table follows the blocks that were touched.

/// Blocks of equal length, all of whose values are the same at first.
#[derive(Debug)]
pub(crate) struct BlockTable<T> {
    /// Those that were not touched have no values.
    blocks: Vec<Box<[T]>>,
    len: usize,
    initial: T,
}

impl<T: Copy> BlockTable<T> {
    /// A table of `n_blocks` blocks of `len` values, which is not 0.
    pub(crate) fn new(n_blocks: usize, len: usize, initial: T) -> Self {
        Self {
            blocks: vec![Box::default(); n_blocks],
            len,
            initial,
        }
    }

    /// A block, touched from now on.
    #[inline(always)]
    pub(crate) fn block(&mut self, number: usize) -> &mut [T] {
        let block = &mut self.blocks[number];
        if block.is_empty() {
            *block = allocate(self.len, self.initial);
        }
        block
    }

    /// The blocks that were touched, with their numbers.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = (usize, &[T])> {
        let blocks = self.blocks.iter().enumerate();
        blocks.filter_map(|(number, block)| (!block.is_empty()).then_some((number, &**block)))
    }

    /// Gives all values back the one that they had at first.
    pub(crate) fn clear(&mut self) {
        for block in &mut self.blocks {
            block.fill(self.initial);
        }
    }
}

#[cold]
fn allocate<T: Copy>(len: usize, initial: T) -> Box<[T]> {
    vec![initial; len].into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_touched_blocks_have_values() {
        let mut table = BlockTable::new(1000, 4, 7_u8);
        table.block(999)[1] = 1;
        table.block(3);
        let in_use: Vec<(usize, &[u8])> = table.in_use().collect();
        assert_eq!(in_use, [(3, &[7; 4][..]), (999, &[7, 1, 7, 7])]);
        table.clear();
        assert_eq!(table.block(999), [7; 4]);
    }
}
