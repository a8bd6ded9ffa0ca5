import type { NodeCall } from "../../index.ts";
import type { MemoryStore } from "../memory-store.ts";
import { isLocal } from "./simulated-nodes.ts";

/** Every call that was made, as the outside world would see them. */
export class CallLedger {
  /** The first thing seen that never may happen. */
  violation: string | undefined;
  readonly #store: MemoryStore;
  /** Unit → how often it was called for the first time (not after a wait). */
  readonly calls = new Map<string, number>();
  readonly #keys = new Map<string, string>();
  readonly #units = new Map<string, string>();

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  note(call: NodeCall, worker: string): void {
    const unit = unitOf(call);
    const key = call.idempotencyKey();
    if ((this.#keys.get(unit) ?? key) !== key) this.violation ??= `${unit} was called with two idempotency keys`;
    if ((this.#units.get(key) ?? unit) !== unit) this.violation ??= `${unit} has the key of ${this.#units.get(key)}`;
    this.#keys.set(unit, key);
    this.#units.set(key, unit);
    this.calls.set(unit, (this.calls.get(unit) ?? 0) + 1);
    this.#checkRecorded(call, unit, worker);
  }

  failuresOf({ node }: NodeCall): number {
    const units = this.#store.run(node.executionId).state?.units ?? [];
    return (
      units.find(({ nodeId, item, visit }) => nodeId === node.nodeId && item === node.item && visit === node.visit)
        ?.failures ?? 0
    );
  }

  /**
   * Whoever holds the run never calls a node whose outcome is recorded, nor an at-most-once one without its start. Only what
   * just computes may run before what led to it is written.
   */
  #checkRecorded({ node, src }: NodeCall, unit: string, worker: string): void {
    const run = this.#store.run(node.executionId);
    if (run.lease?.worker !== worker) return;
    const row = run.rows.find(
      ({ nodeId, visit, item }) => nodeId === node.nodeId && visit === node.visit && item === node.item,
    );
    if (!row && isLocal(src)) return;
    if (!row) this.violation ??= `${unit} was called before its start was recorded`;
    else if (row.status !== "running") this.violation ??= `${unit} was called although it has ${row.status}`;
    const open = run.state?.units.find(
      ({ nodeId, item, visit }) => nodeId === node.nodeId && item === node.item && visit === node.visit,
    );
    if (open?.effect === "at-most-once" && open.status !== "running")
      this.violation ??= `${unit} was called although the start of this at-most-once call is not recorded`;
  }
}

/** A call by its run and node run. */
function unitOf({ node }: NodeCall): string {
  return `${node.executionId} ${nodeRun(node)}`;
}

export function nodeRun({ nodeId, visit, item }: Pick<NodeCall["node"], "nodeId" | "visit" | "item">): string {
  return `${nodeId}#${visit}${item === null ? "" : `/${item}`}`;
}
