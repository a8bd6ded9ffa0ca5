/** What speaks against a graph: where, the way that leads there, what to do. */
export interface Finding {
  path: string;
  message: string;
  fix: string;
}
