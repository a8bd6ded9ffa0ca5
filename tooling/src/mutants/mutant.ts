/** One deliberate mistake, and the tests of which at least one must notice it. */
export interface Mutant {
  name: string;
  /** Relative to the root; `search` occurs in it exactly once. */
  file: string;
  search: string;
  replace: string;
  /** Test files, relative to the root. */
  tests: readonly string[];
}
