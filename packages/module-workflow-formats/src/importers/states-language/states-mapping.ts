import type { Part } from "../../importing/graph/graph-parts.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { StateData } from "./states-data.ts";
import type { MachineState } from "./states-document.ts";

/** A state on its way to here. */
export interface Mapping {
  state: MachineState;
  /** Its key in the graph. */
  key: string;
  /** Its id here. */
  id: string;
  data: StateData;
  reporter: ImportReporter;
  /** A new id for a part beside it. */
  take(name: string): string;
}

/** A machine within a state. */
export interface Body {
  /** Where it stands. */
  machine: string;
  /** The variable that its document is in. */
  root: string;
  isInRound?: boolean;
}

/** What a state becomes. */
export interface Mapped extends Omit<Part, "id" | "label" | "meta"> {
  notes?: string[];
  /** Parts beside its own. */
  more?: [key: string, part: Part][];
  /** Machines in it that become states. */
  bodies?: Body[];
}
