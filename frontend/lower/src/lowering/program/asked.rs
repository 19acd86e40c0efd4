//! What functions answer, kept for all files.

use super::Program;
use crate::lowering::answers::{Answer, Question};
use crate::lowering::noted::Asked;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What was answered so far.
#[derive(Default)]
pub(super) struct Answers(Mutex<FxHashMap<Question, Arc<Answered>>>);

/// What a question comes to.
pub(in crate::lowering) struct Answered {
    /// Nothing where the body has to be followed.
    pub(in crate::lowering) answer: Option<Answer>,
    /// What was asked to find it.
    pub(in crate::lowering) asked: Asked,
}

impl Answers {
    pub(super) fn get(&self, question: &Question) -> Option<Arc<Answered>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(question).cloned()
    }

    pub(super) fn insert(&self, question: Question, answered: Arc<Answered>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(question, answered);
    }
}

impl Program<'_> {
    /// What a call yields of which nothing else matters. Whoever asks depends on the answer, and on no text; where there is
    /// none, on what it takes to tell that.
    pub(in crate::lowering) fn answer(&self, question: &Question) -> Option<Answer> {
        let answered = self.answered(question);
        let Some(answer) = answered.answer.clone() else {
            self.noted.add(&answered.asked);
            return None;
        };
        self.noted.answer(question);
        let sizes = answered.asked.names.sizes.iter();
        sizes.for_each(|size| self.use_size(size));
        Some(answer)
    }

    /// What a question comes to, found when it is first asked.
    pub(in crate::lowering) fn answered(&self, question: &Question) -> Arc<Answered> {
        if let Some(known) = self.linked.answers.get(question) {
            return known;
        }
        let around = self.noted.take();
        let answer = self.find(question);
        let asked = self.noted.take();
        self.noted.add(&around);
        let answered = Arc::new(Answered { answer, asked });
        let answers = &self.linked.answers;
        answers.insert(question.clone(), answered.clone());
        answered
    }

    /// What an answer rests upon, and what other answers do that were asked to find it.
    pub(in crate::lowering) fn rests_upon(&self, answered: Arc<Answered>) -> Asked {
        let around = self.noted.take();
        let mut known = BTreeSet::new();
        let mut open = vec![answered];
        while let Some(answered) = open.pop() {
            self.noted.add(&answered.asked);
            for other in &answered.asked.names.answers {
                if known.insert(other.clone()) {
                    open.push(self.answered(other));
                }
            }
        }
        let mut asked = self.noted.take();
        asked.names.answers.clear();
        self.noted.add(&around);
        asked
    }

    /// Where a function does more than yield a number whatever it is given, it is not tried for what it is given.
    fn find(&self, question: &Question) -> Option<Answer> {
        let general = question.in_general();
        if general != *question {
            self.answer(&general)?;
        }
        self.executed(question)
    }
}
