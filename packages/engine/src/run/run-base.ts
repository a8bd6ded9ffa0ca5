import type { Json, JsonObject } from "@oven/contract";
import type { RunAgent } from "@oven/contract/node";
import type { RunOutline } from "../compile/loop-part.ts";
import { isObject } from "../expressions/json-access.ts";
import { type RunContext, toVariables } from "../expressions/scope.ts";
import { applyOps, foldLog, fromSnapshot, initialContext, outputsBy } from "../plan/context.ts";
import type { RunFacts } from "../plan/plan-types.ts";
import type { DefinitionSource } from "../ports.ts";
import type {
  ContextSnapshot,
  ExecutionStore,
  LoadedRun,
  LogEntry,
  ParentLink,
  RunRecord,
  StoredOutput,
  StoredRow,
} from "../store.ts";
import { inSlices } from "./slices.ts";

/** What a run knows before its first step. */
export interface RunBase {
  facts: RunFacts;
  /** The context at its beginning. */
  context: RunContext;
}

interface ParentRun extends RunBase {
  agent: RunAgent | null;
}

const CACHE_SIZE = 200;
const FOLDED_AT_ONCE = 500;

type Outlines = Pick<DefinitionSource, "outline">;
type Reader = Pick<ExecutionStore, "read" | "load">;

/**
 * Where runs begin. A child refers to its parent's log instead of copying the context: what it reads is the parent's
 * context as it stood when the child began. Many children of one parent share that reading.
 */
export class RunBases {
  readonly #store: Reader;
  readonly #definitions: Outlines;
  readonly #contexts = new Map<string, Promise<ParentRun>>();

  constructor(store: Reader, definitions: Outlines) {
    this.#store = store;
    this.#definitions = definitions;
  }

  async of(record: RunRecord): Promise<RunBase> {
    const { id, kind, workflowId, workflowVersion, input, depth, options, agent, parent: link } = record;
    const outline = await this.#definitions.outline(kind, workflowId, workflowVersion, record.part);
    const facts: RunFacts = { id, kind, workflowId, input, depth, options };
    if (link === null || !(outline.part || outline.readsParent))
      return { facts, context: initialContext(outline.variables, input) };
    const parent = await this.#parentAt(link);
    // An agent that was called knows what it was told; the caller's own run is not its to read.
    if (!outline.part && agent !== null && agent.sessionId !== parent.agent?.sessionId)
      return { facts, context: initialContext(outline.variables, input) };
    const seen = seenByChild(parent);
    if (!outline.part) return { facts: { ...facts, parent: seen }, context: initialContext(outline.variables, input) };
    return toPassBase(facts, parent, outline.part);
  }

  /** The run as its log folds to it after entry `seq`, and the rows of nodes that have not ended now. */
  async at(record: RunRecord, seq = Number.POSITIVE_INFINITY): Promise<RunBase & { rows: StoredRow[] }> {
    const snapshot = record.snapshot && record.snapshot.seq <= seq ? record.snapshot : null;
    return this.#fold(record, await this.#store.load(record.id, snapshot?.seq ?? 0), snapshot, seq);
  }

  /** As `at`, of a run that was claimed now. */
  async claimed(record: RunRecord, found: LoadedRun | undefined): Promise<RunBase & { rows: StoredRow[] }> {
    return found === undefined ? this.at(record) : this.#fold(record, found, record.snapshot, Number.POSITIVE_INFINITY);
  }

  async #fold(
    record: RunRecord,
    { log, outputs, rows, seed }: LoadedRun,
    snapshot: ContextSnapshot | null,
    seq: number,
  ): Promise<RunBase & { rows: StoredRow[] }> {
    const base = await this.of(record);
    const start = snapshot ?? record.seed?.context ?? seed;
    const entries = log.filter((entry) => entry.seq <= seq);
    const context = await fold(start ? fromSnapshot(start) : base.context, entries, outputs);
    return { facts: base.facts, context, rows };
  }

  #parentAt({ executionId, seq }: ParentLink): Promise<ParentRun> {
    const key = `${executionId} ${seq}`;
    const known = this.#contexts.get(key);
    if (known) return known;
    if (this.#contexts.size >= CACHE_SIZE) this.#contexts.delete(this.#contexts.keys().next().value ?? "");
    const reading = this.#read(executionId, seq);
    this.#contexts.set(key, reading);
    // What could not be read once may be read later.
    reading.catch(() => this.#contexts.delete(key));
    return reading;
  }

  async #read(executionId: number, seq: number): Promise<ParentRun> {
    const record = await this.#store.read(executionId);
    if (!record) throw new Error(`execution ${executionId} is gone, and a child of it needs its context`);
    return { ...(await this.at(record, seq)), agent: record.agent };
  }
}

/** A long log is folded in slices: the process serves others meanwhile. */
async function fold(
  start: RunContext,
  log: readonly LogEntry[],
  outputs: readonly StoredOutput[],
): Promise<RunContext> {
  if (log.length <= FOLDED_AT_ONCE) return foldLog(start, log, outputs);
  const outputOf = outputsBy(outputs);
  const parts = Array.from({ length: Math.ceil(log.length / FOLDED_AT_ONCE) }, (_, part) =>
    log.slice(part * FOLDED_AT_ONCE, (part + 1) * FOLDED_AT_ONCE),
  );
  let context = start;
  await inSlices(parts, (part) => {
    context = applyOps(
      context,
      part.flatMap((entry) => entry.ops),
      outputOf,
    );
    return true;
  });
  return context;
}

function seenByChild({ context, facts }: RunBase): JsonObject {
  return toVariables({ context, trigger: facts.input, execution: {} });
}

/**
 * What a pass through the body of a loop begins with.
 * @param facts of the pass, with its item as the input
 * @param parent as it stood when the pass began
 */
export function toPassBase(facts: RunFacts, parent: RunBase, part: NonNullable<RunOutline["part"]>): RunBase {
  const variables = new Map([...(parent.facts.variables ?? []), ...toPassVariables(part, facts.input)]);
  return {
    facts: { ...facts, input: parent.facts.input, parent: seenByChild(parent), variables },
    context: parent.context,
  };
}

/** `$.item` and `$.index`, those of loops around it, and the names the loop gives them. */
function toPassVariables(
  { itemVariable, indexVariable }: NonNullable<RunOutline["part"]>,
  input: Json,
): [string, Json][] {
  if (!isObject(input)) return [];
  const { item = null, index = null, variables } = input;
  const outer = isObject(variables ?? null) ? Object.entries(variables as Record<string, Json>) : []; // cast: isObject says so
  return [...outer, ["item", item], [itemVariable, item], ["index", index], [indexVariable, index]];
}
