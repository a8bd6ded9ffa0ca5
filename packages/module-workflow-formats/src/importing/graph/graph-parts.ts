import type { Json, JsonObject } from "@oven/contract";
import type { Action, Guard, Loop, State } from "@oven/contract/workflow";

/** One way out of a part: all its targets are gone on with. Without targets the run (or what is around the part) ends there. */
export interface Way {
  guard?: Guard | undefined;
  targets: readonly string[];
  actions?: Action[];
}

/** A step of a foreign graph in our terms, by the key it has there. */
export interface Part {
  id: string;
  label: string;
  /** Without `invoke`, `loop`, `parallel`, `group` and `final` it is a junction. */
  invoke?: State["invoke"];
  loop?: Omit<Loop, "bodyInitial" | "bodyStates"> & { body: { entry: readonly string[]; output?: Json } };
  /** Regions that run at the same time, each from its entry to its end. */
  parallel?: readonly { id: string; label: string; entry: readonly string[]; output?: Json }[];
  /** States that end by themselves before its ways are gone along. */
  group?: { entry: readonly string[] };
  final?: { output?: Json; outcome?: string };
  /** The first whose guard passes is taken. A node without any ends the run by itself. */
  ways: readonly Way[];
  onError?: readonly string[] | undefined;
  /** What is handed on where a way has no targets. */
  endOutput?: Json | undefined;
  disabled?: boolean;
  description?: string | undefined;
  meta?: JsonObject;
}

export type Parts = ReadonlyMap<string, Part>;

export interface Built {
  initial: string;
  states: Record<string, State>;
}

/** Where a graph goes on in several ways that never come together in one place, so that they cannot be regions. */
export interface TangledFork {
  from: string;
  targets: readonly string[];
}
