import type { Json } from "@oven/contract";
import type { ItemRequest, NodeSignal } from "@oven/contract/node";
import type { ErrorInfo } from "@oven/contract/run";
import type { Unit } from "../plan/run-state.ts";
import type { RowChange, StoredRow } from "../store.ts";

type ItemResult = Extract<NodeSignal, { type: "items" }>["items"][number];

/** What the node rows of open nodes say, kept beside the run while a worker holds it. */
export class UnitMemory {
  readonly #inputs = new Map<string, Json>();
  readonly #requests = new Map<string, readonly ItemRequest[]>();
  readonly #results = new Map<string, Map<string, ItemResult>>();

  /** After a claim: from the stored rows. */
  load(rows: readonly StoredRow[]): void {
    for (const row of rows) {
      if (row.item === null) {
        this.#inputs.set(keyOf(row), row.input);
        if (row.wait?.for === "items") this.#requests.set(keyOf(row), row.wait.request.items);
      } else if (row.status === "completed" || row.status === "failed") {
        this.#noteResult(keyOf(row), row.item, row.status, row.output, row.error, row.durationMs ?? 0);
      }
    }
  }

  /** Before a commit: fills item rows in, and remembers what later calls need. */
  note(rows: readonly RowChange[]): RowChange[] {
    for (const row of rows) {
      if (row.type === "wait" && row.wait?.for === "items") {
        this.#requests.set(keyOf(row), row.wait.request.items);
        this.#results.delete(keyOf(row));
      }
    }
    return rows.map((row) => {
      if (row.type === "start") {
        if (row.item === null) this.#inputs.set(keyOf(row), row.input);
        const request = row.item === null ? undefined : this.request(row, row.item);
        return request ? { ...row, input: request.input, nodeType: request.nodeType ?? row.nodeType } : row;
      }
      if (row.type === "finish") this.#noteFinish(row);
      return row;
    });
  }

  input(unit: Unit): Json {
    return this.#inputs.get(keyOf(unit)) ?? null;
  }

  request(unit: { nodeId: string; visit: number }, item: string): ItemRequest | undefined {
    return this.#requests.get(keyOf(unit))?.find((request) => request.key === item);
  }

  /** The results of all items, in the order they were asked for. */
  results(unit: Unit): ItemResult[] {
    const results = this.#results.get(keyOf(unit));
    return (this.#requests.get(keyOf(unit)) ?? []).flatMap((request) => results?.get(request.key) ?? []);
  }

  #noteFinish(row: Extract<RowChange, { type: "finish" }>): void {
    if (row.item === null) {
      this.#inputs.delete(keyOf(row));
      this.#requests.delete(keyOf(row));
      this.#results.delete(keyOf(row));
    } else if (row.status === "completed" || row.status === "failed") {
      this.#noteResult(keyOf(row), row.item, row.status, row.output, row.error, row.durationMs);
    }
  }

  #noteResult(
    key: string,
    item: string,
    status: "completed" | "failed",
    output: Json,
    error: ErrorInfo | null,
    durationMs: number,
  ): void {
    const results = this.#results.get(key) ?? new Map<string, ItemResult>();
    results.set(item, {
      key: item,
      status,
      output,
      error: error && { code: error.code, message: error.message },
      durationMs,
    });
    this.#results.set(key, results);
  }
}

function keyOf({ nodeId, visit }: { nodeId: string; visit: number }): string {
  return `${nodeId} ${visit}`;
}
