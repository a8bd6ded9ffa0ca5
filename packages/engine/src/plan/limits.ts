/** Serialised size over which a node's output fails the run. */
export const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Characters of JSON that the actions and final states of one move may write into the context, all together. */
export const MAX_WRITTEN_AT_ONCE = 16 * 1024 * 1024;
/** How often a node's call may be lost to crashed workers before the node fails. */
export const MAX_TAKEOVERS = 5;
/** Item rows of one waiting node. */
export const MAX_ITEMS = 1_000;
/** Child runs of one waiting node. */
export const MAX_CHILDREN = 10_000;
/** How deep runs may be nested; a run that nobody waits for is at 0. */
export const MAX_DEPTH = 5;
/** Loop iterations in which nothing runs, in one move: what stops a loop of loops that only counts. */
export const MAX_ITERATIONS_AT_ONCE = 12_000;
/** A full snapshot is written when the patches since the last one outgrow it by this factor, and this minimum. */
export const SNAPSHOT_FACTOR = 2;
export const SNAPSHOT_MIN_BYTES = 64 * 1024;
