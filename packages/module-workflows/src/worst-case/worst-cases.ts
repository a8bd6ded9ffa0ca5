import type { JsonObject, Principal } from "@oven/contract";
import type { ExecutionKind, RunOptions } from "@oven/contract/run";
import type { Definition, WorstCase } from "@oven/contract/workflow";
import { type Ceiling, type CeilingCall, toPartial, worstCase } from "@oven/engine";
import { unknownMost } from "@oven/module-registry";
import type { CallClosure } from "../definitions/call-closure.ts";
import { type PinnedCalls, pinKey } from "../definitions/called-workflows.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import type { GraphFacts } from "../policies/graph-facts.ts";
import type { RunDefaults } from "../run-config.ts";
import { Lookup } from "./lookup.ts";
import { toWorstCase } from "./to-worst-case.ts";

export interface WorstCasesDeps {
  nodes: RegisteredNodes;
  calls: Pick<CallClosure, "find">;
  factsOf(tenantId: number): GraphFacts;
  /** What holds for a definition that says nothing itself; null: of no workflow that is stored. */
  defaults(kind: ExecutionKind, tenantId: number, workflowId: number | null): Promise<RunDefaults>;
}

export interface WorstCaseOptions {
  /** Absent: a workflow. */
  kind?: ExecutionKind | undefined;
  /** Of the workflow whose definition it is; null: of none that is stored. */
  workflowId?: number | null;
  /** Versions that a run calls instead of those that are published now. */
  pins?: Readonly<PinnedCalls> | undefined;
  options?: RunOptions | null;
}

interface Run {
  key: string;
  definition: Definition;
}

/** What is looked up for one definition leads to other definitions, as deep as runs are nested. */
const MAX_ROUNDS = 24;

/** What runs of definitions need at most, with what a tenant has set up now: models, prices, tools, agents, called workflows. */
export class WorstCases {
  readonly #deps: WorstCasesDeps;

  constructor(deps: WorstCasesDeps) {
    this.#deps = deps;
  }

  /** @param given a valid definition */
  async of(
    principal: Principal,
    given: JsonObject,
    { kind = "workflow", workflowId = null, pins = {}, options = null }: WorstCaseOptions,
  ): Promise<WorstCase> {
    const { nodes, factsOf } = this.#deps;
    const { tenantId } = principal;
    const spending = factsOf(tenantId).spending();
    const workflows = new Lookup((call: Named) => this.#find(principal, call, pins));
    const own = await this.#configured(kind, tenantId, workflowId, given);
    const { definition, catalog } = toPartial(own, nodes, options);
    const called = ({ src, version, input }: CeilingCall): readonly (Run | null)[] => {
      const agents = spending.asked(src, input);
      const node = nodes.get(src, version);
      if (agents !== undefined || node?.calls === undefined) return agents ?? [];
      const calls = node.calls(input);
      if (calls.length === 0) return [null];
      return calls.flatMap((call) => {
        const found = workflows.get([call.kind, call.workflow, call.version ?? null]);
        return found === undefined ? [] : [found];
      });
    };
    const ceiling = (call: CeilingCall): Ceiling => {
      const node = nodes.get(call.src, call.version);
      const step = { input: call.input, agentConfig: call.settings.agentConfig ?? {} };
      const declared = node?.ceiling?.(step, spending.facts) ?? {};
      if (!called(call).includes(null)) return declared;
      return { ...declared, perVisit: { ...declared.perVisit, ...unknownMost({ code: "callee" }) } };
    };
    for (let round = 0; ; round += 1) {
      const totals = worstCase(definition, catalog, {
        ceiling,
        called: (call) => called(call).filter((run) => run !== null),
      });
      const read = await Promise.all([spending.load(), workflows.load()]);
      if (!read.includes(true)) return toWorstCase(totals);
      if (round > MAX_ROUNDS) throw new Error("what a definition needs leads to ever more definitions");
    }
  }

  /** Null: there is none, so that the step that calls it fails. */
  async #find(principal: Principal, [kind, workflow, named]: Named, pins: Readonly<PinnedCalls>): Promise<Run | null> {
    const version = named ?? undefined;
    const call = { kind, workflow, ...(version === undefined ? {} : { version }) };
    const published = await this.#deps.calls.find(principal, call);
    if (published === undefined) return null;
    const pinned = pins[pinKey(kind, published.id, version)] ?? published.version;
    const found =
      pinned === published.version
        ? published
        : ((await this.#deps.calls.find(principal, { ...call, version: pinned })) ?? published);
    const definition = await this.#configured(kind, principal.tenantId, found.id, found.definition);
    return { key: `${pinKey(kind, found.id)}@${found.version}`, definition };
  }

  async #configured(
    kind: ExecutionKind,
    tenantId: number,
    workflowId: number | null,
    definition: JsonObject,
  ): Promise<Definition> {
    const { maxToolIterations, timeoutMs } = await this.#deps.defaults(kind, tenantId, workflowId);
    return { maxToolIterations, timeoutMs, ...(definition as unknown as Definition) }; // cast: only valid definitions are looked at
  }
}

/** A call as it is written: kind, id or slug, and the version it names. */
type Named = readonly [ExecutionKind, string, number | null];
