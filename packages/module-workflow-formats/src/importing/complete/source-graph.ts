/** A node of an imported document, as the check of completeness sees it. */
export interface SourceNode {
  /** What connections name it by. */
  key: string;
  name: string;
  /** Where it stands in the document; the report names it by this. */
  path: string;
  /**
   * `step`: it becomes a state. `start`: runs, or the rounds of the loop `of`, begin there. `end`: runs end there. `aside`: no run
   * comes to it, as to notes and to models that belong to a step.
   */
  kind: "step" | "start" | "end" | "aside";
  /** The loop whose rounds begin at this start. */
  of?: string;
}

/** A connection of an imported document. Its ends need not exist. */
export interface SourceEdge {
  path: string;
  from: string;
  to: string;
  /** Which way out of its first node it is: all connections of one output are gone along. */
  output: string;
  /** It is gone along whichever other way out of its first node is taken as well. */
  isBeside?: boolean;
  /** It says that one node belongs to the other; no run goes along it. */
  isAside?: boolean;
  /** Why no run goes along it: it is reported as left out. */
  leftOut?: string;
}

/** Everything in an imported document that has to be in the definition, or in the report as left out. */
export interface SourceGraph {
  nodes: readonly SourceNode[];
  edges: readonly SourceEdge[];
}
