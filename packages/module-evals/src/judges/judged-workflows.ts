import type { ExecutionKind } from "@oven/contract/run";

export interface RunOfWorkflow {
  tenantId: number;
  kind: ExecutionKind;
  workflowId: number;
}

/** How long another process's change may stay unseen. */
const FRESH_MS = 5_000;
const CACHE_SIZE = 10_000;

/** Workflows that are known to have no judge, so that the ends of their runs need no delivery. */
export class JudgedWorkflows {
  readonly #unjudged = new Map<string, number>();
  readonly #now: () => number;
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** False: it has none, for sure. */
  mayHaveJudges(run: RunOfWorkflow): boolean {
    const until = this.#unjudged.get(keyOf(run));
    return until === undefined || this.#now() >= until;
  }

  /** Reads the judges of a workflow, and remembers that there are none. */
  async read<Judge>(run: RunOfWorkflow, judges: () => Promise<Judge[]>): Promise<Judge[]> {
    const [began, at] = [this.#generation, this.#now()];
    const found = await judges();
    if (found.length === 0 && began === this.#generation) {
      if (this.#unjudged.size >= CACHE_SIZE) this.#unjudged.clear();
      this.#unjudged.set(keyOf(run), at + FRESH_MS);
    }
    return found;
  }

  /** After a change. */
  forget(): void {
    this.#generation++;
    this.#unjudged.clear();
  }
}

function keyOf({ tenantId, kind, workflowId }: RunOfWorkflow): string {
  return `${tenantId}:${kind}:${workflowId}`;
}
