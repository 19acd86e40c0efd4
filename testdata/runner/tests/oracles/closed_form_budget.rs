//! A nest made to explode: the derivation of its closed form ends within its budget and says which
//! stage gave up.

use premiss_presburger::Refusal;
use premiss_scop::Scop;
use premiss_testdata::closed::{Effort, NoForm, form_of, lower_in_class};
use premiss_testdata::kernel::Kernel;

/// Eight loops, each skewed against those around it, and an array read in many directions.
const EXPLOSIVE: &str = "\
void explosive(int n, double a[n][n], double b[n][n], double *c)
{
  for (int i = 0; i < n; i++)
    for (int j = i; j < n + i; j++)
      for (int k = j - i; k < n + j; k++)
        for (int l = k - j; l < n + k - i; l++)
          for (int p = l - k; p < n + l - j; p++)
            for (int q = p - l; q < n + p - k; q++)
              for (int r = q - p; r < n + q - l; r++)
                for (int s = r - q; s < n + r - p; s++)
                  if (j - i < n && k - j >= 0 && l - k >= 0 && l - k < n && p - l >= 0) {
                    a[i][j - i] += b[l - k][i] * c[3 * i + 2 * s - r + 9 * n];
                    b[j - i][l - k] = a[l - k][j - i] + a[i][i] + c[i + j + k + l + 8 * n];
                    c[2 * q - p + r + 40 * n] += a[j - i][i] + b[i][l - k];
                  }
}
";

/// A nest of two loops that is easy.
const EASY: &str = "\
void easy(int n, double a[n][n], double *x)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] += a[i][j] * x[j];
}
";

fn scop(text: &str) -> Scop {
    let read = Kernel::from_bytes("nest.c", text.as_bytes().to_vec(), &[], &[]);
    lower_in_class(read.only_tree(), 0).expect("a nest within the model")
}

/// Derives within an effort; what came of it.
fn derived(text: &str, effort: Effort) -> Result<(), NoForm> {
    form_of(&scop(text), effort).map(|_| ())
}

#[test]
fn a_small_effort_ends_in_the_analysis_of_reuse() {
    for operations in [0, 1, 1_000, 30_000] {
        let effort = Effort {
            operations,
            ..Effort::GENEROUS
        };
        let expected = Err(NoForm::Refused("analyze", Refusal::Budget));
        assert_eq!(derived(EXPLOSIVE, effort), expected, "{operations}");
    }
}

#[test]
fn a_large_effort_ends_as_well() {
    let effort = Effort {
        operations: 1_000_000,
        ..Effort::GENEROUS
    };
    let expected = Err(NoForm::Refused("analyze", Refusal::Budget));
    assert_eq!(derived(EXPLOSIVE, effort), expected);
}

#[test]
fn few_steps_end_in_the_counting_of_distances() {
    for steps in [0, 1, 10] {
        let effort = Effort {
            steps,
            ..Effort::GENEROUS
        };
        let expected = Err(NoForm::Refused("derive", Refusal::Budget));
        assert_eq!(derived(EASY, effort), expected, "{steps}");
    }
}

#[test]
fn what_is_easy_needs_little() {
    let effort = Effort {
        operations: 20_000_000,
        steps: 200_000,
    };
    assert_eq!(derived(EASY, effort), Ok(()));
}
