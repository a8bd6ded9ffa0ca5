import { type Json, type JsonObject, OvenError, type Principal, type Problem } from "@oven/contract";
import type { ExecutionKind, RunOptions } from "@oven/contract/run";
import type {
  Definition,
  GraphPolicy,
  GraphPolicyRule,
  PastRunsRule,
  PolicyTrial,
  Workflow,
  WorstCase,
} from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { type NodeCall, toPartial } from "@oven/engine";
import type { CallClosure } from "../definitions/call-closure.ts";
import { callName } from "../definitions/call-closure.ts";
import { type PinnedCalls, pinKey } from "../definitions/called-workflows.ts";
import { invalidDefinition } from "../definitions/prepare-definition.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import type { RunKinds } from "../runtime/run-kinds.ts";
import { buildGraph } from "./build-graph.ts";
import { callFinding, checkPolicies, type Evidence, findingsOf } from "./check-policies.ts";
import type { Finding } from "./finding.ts";
import { type GraphFacts, NO_FACTS, type PolicyTool } from "./graph-facts.ts";
import type { PolicyGraph } from "./policy-graph.ts";
import { PolicyRows } from "./policy-rows.ts";
import { TrialOfPolicy } from "./policy-trial.ts";
import type { LiveScores, ScoresRule } from "./scores.ts";

export interface PolicyServiceDeps {
  db: Database;
  nodes: RegisteredNodes;
  calls: CallClosure;
  /** What a run needs at most. Absent where only policies are decided that do not ask. */
  worst?(
    principal: Principal,
    definition: JsonObject,
    of: { options: RunOptions | null; pins: Readonly<PinnedCalls> | undefined; self: Self | undefined },
  ): Promise<WorstCase>;
  /** Scores of the live version of a workflow; undefined where it has none. Absent where nothing is published. */
  scores?(principal: Principal, self: Self & { id: number }, rule: ScoresRule): Promise<LiveScores | undefined>;
  /** What past runs of a workflow have against a definition. Absent where nothing is published. */
  pastRuns?(
    principal: Principal,
    workflow: { kind: ExecutionKind; id: number },
    definition: JsonObject,
    rule: PastRunsRule,
    isPublishing: boolean,
  ): Promise<Finding[]>;
  /** Whose workflows a rule is tried on. */
  kinds: Pick<RunKinds, "all">;
  now?: () => number;
}

/** The workflow that a definition belongs to; its settings hold for what the definition leaves out. */
export interface Self {
  kind: ExecutionKind;
  /** Null: it is none that is stored. */
  id: number | null;
}

interface Decided {
  pins?: Readonly<PinnedCalls>;
  standing?: readonly string[];
  self?: Self;
  /** It is to take the place of the live version. */
  publishing?: boolean;
}

/** How long another process's change may stay unseen. */
const FRESH_MS = 5_000;
const VERDICTS = 500;
/** How long a verdict about what a run may need holds. */
const PRICES_FRESH_MS = 60_000;

/** Decides by the tenant's policies whether a graph may be published and run, and whether a call may be made. */
export class PolicyService {
  readonly rows: PolicyRows;
  readonly #deps: PolicyServiceDeps;
  readonly #tenants = new Map<number, { policies: GraphPolicy[]; until: number }>();
  readonly #verdicts = new Map<string, Problem[]>();
  #generation = 0;
  #facts: (tenantId: number) => GraphFacts = () => NO_FACTS;

  constructor(deps: PolicyServiceDeps) {
    this.#deps = deps;
    this.rows = new PolicyRows(deps.db, () => this.forget());
  }

  /** What a module knows of the nodes it brings, for a tenant: outside tools are a tenant's own. */
  useFacts(facts: (tenantId: number) => GraphFacts): void {
    this.#facts = facts;
  }

  /** A tool as policies see it; undefined where no module knows it. */
  toolOf(id: string, tenantId: number): PolicyTool | undefined {
    return this.#facts(tenantId).tool(id);
  }

  /** What is known of nodes and tools, for a tenant. */
  factsOf(tenantId: number): GraphFacts {
    return this.#facts(tenantId);
  }

  /** Whether a node type asks people to release what follows it. */
  isReview(src: string, tenantId: number): boolean {
    return this.#facts(tenantId).isReview(src);
  }

  /** Drops what is remembered, after a change. */
  forget(): void {
    this.#generation++;
    this.#tenants.clear();
    this.#verdicts.clear();
  }

  /** What the principal's tenant has against a valid definition; `id`: of the workflow that it is to be a version of. @throws OvenError POLICY_UNDECIDED 422 */
  async check(
    principal: Principal,
    kind: ExecutionKind,
    definition: JsonObject,
    id: number | null = null,
  ): Promise<Problem[]> {
    const policies = await this.#policiesOf(principal.tenantId);
    if (policies.length === 0) return [];
    return this.#decide(principal, definition, null, policies, { self: { kind, id }, publishing: true });
  }

  /**
   * What a rule that is not saved would refuse of the workflows that the principal sees.
   * @throws OvenError FORBIDDEN 403 when it may not see them all
   */
  async tryRule(principal: Principal, rule: GraphPolicyRule, signal: AbortSignal): Promise<PolicyTrial> {
    if (rule.kind === "past-runs")
      throw new OvenError("INVALID_REQUEST", "A rule about past runs is tried on one workflow at a time", {
        path: "$.rule",
        fix: "Try the past runs of a workflow in its publish dialog, or with `rehearse`.",
      });
    const { db, nodes, kinds } = this.#deps;
    const facts = this.#facts(principal.tenantId);
    const trial = new TrialOfPolicy({
      ...{ db, nodes, kinds },
      findings: async (by, definition, of, self) => {
        const worst = () => this.#worst(by, definition, { options: null, pins: undefined, self });
        const evidence = { worst, ...this.#scoresOf(by, self) };
        return findingsOf(await this.graph(by, definition), of, facts, by.tenantId, [], evidence);
      },
    });
    return trial.run(principal, rule, signal);
  }

  /**
   * For what is to be published: the warnings.
   * @param workflow the one that gets a new version; null: it is new itself, and has no past runs
   * @throws OvenError INVALID_DEFINITION 400 with the rule `policy`, POLICY_VIOLATED 409 with what past runs come to
   */
  async requirePublishable(
    principal: Principal,
    kind: ExecutionKind,
    definition: JsonObject,
    workflow: Pick<Workflow, "id" | "name"> | null,
  ): Promise<Problem[]> {
    const problems = await this.check(principal, kind, definition, workflow?.id ?? null);
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw invalidDefinition(errors);
    if (workflow === null) return problems;
    const ofRuns = await this.checkPastRuns(principal, { kind, id: workflow.id }, definition, true);
    const refused = ofRuns.filter(({ severity }) => severity === "error");
    const [first] = refused;
    if (first !== undefined)
      throw violated(`${workflow.name} may not be published so: ${first.message}`, first.path, refused);
    return [...problems, ...ofRuns];
  }

  /** What the policies about past runs have against publishing a definition as a new version of a workflow. Goes through the runs anew; models are asked only where it is published. */
  async checkPastRuns(
    principal: Principal,
    workflow: { kind: ExecutionKind; id: number },
    definition: JsonObject,
    isPublishing = false,
  ): Promise<Problem[]> {
    const problems: Problem[] = [];
    for (const { name, severity, rule } of await this.#policiesOf(principal.tenantId)) {
      if (rule.kind !== "past-runs") continue;
      const { workflow: only } = rule;
      if (only !== undefined && (only.kind !== workflow.kind || only.id !== workflow.id)) continue;
      if (this.#deps.pastRuns === undefined) throw new Error("nothing goes through past runs here");
      for (const { path, message, fix } of await this.#deps.pastRuns(
        principal,
        workflow,
        definition,
        rule,
        isPublishing,
      ))
        problems.push({ path, rule: "policy", message: `Policy "${name}": ${message}`, fix, severity });
    }
    return problems;
  }

  /**
   * Checks a run before it starts, because policies and called workflows may have changed since its version was published.
   * @param standing ids of the states from which it continues, where reviews before them must be asked again
   * @throws OvenError POLICY_VIOLATED 409
   */
  async requireRunnable(
    principal: Principal,
    kind: ExecutionKind,
    { id, version, name, definition }: Pick<Workflow, "id" | "version" | "name" | "definition">,
    pins: Readonly<Record<string, number>>,
    options: RunOptions | null = null,
    standing: readonly string[] = [],
  ): Promise<void> {
    // What was published runs, whatever its scores become.
    const policies = (await this.#policiesOf(principal.tenantId)).filter(
      ({ severity, rule }) => severity === "error" && rule.kind !== "scores",
    );
    if (policies.length === 0) return;
    const { from, until, items = {}, pins: outputs = {} } = options ?? {};
    const shape = options && [from, until, Object.keys(items).sort(), Object.keys(outputs).sort()];
    const stamps = policies.map((policy) => [policy.id, policy.updatedAt]);
    // Prices and models may have changed since.
    const asOf = policies.some(({ rule }) => rule.kind === "worst-case")
      ? Math.floor(this.#now() / PRICES_FRESH_MS)
      : 0;
    const key = JSON.stringify([principal.tenantId, pinKey(kind, id), version, pins, shape, standing, stamps, asOf]);
    let problems = this.#verdicts.get(key);
    if (problems === undefined) {
      const began = this.#generation;
      problems = await this.#decide(principal, definition, options, policies, { pins, standing, self: { kind, id } });
      if (this.#verdicts.size >= VERDICTS) this.#verdicts.clear();
      if (began === this.#generation) this.#verdicts.set(key, problems);
    }
    const [first] = problems;
    if (first !== undefined) throw violated(`${name} may not run: ${first.message}`, first.path, problems);
  }

  /** For one call of a node. @throws OvenError POLICY_VIOLATED 409 */
  async requireCall({ src, input, settings, principal }: NodeCall): Promise<void> {
    const { tenantId } = principal;
    for (const { name, severity, rule } of await this.#policiesOf(tenantId)) {
      if (severity !== "error") continue;
      const call = { src, input: input as JsonObject, agentConfig: settings.agentConfig, expanded: false }; // cast: a node's input is a JSON object
      const message = await callFinding(rule, call, this.#facts(tenantId), tenantId);
      if (message !== undefined) throw violated(`Policy "${name}": ${message}`, undefined, []);
    }
  }

  async #decide(
    principal: Principal,
    definition: JsonObject,
    options: RunOptions | null,
    policies: readonly GraphPolicy[],
    { pins, standing = [], self, publishing = false }: Decided = {},
  ): Promise<Problem[]> {
    const graph = await this.graph(principal, definition, { options, pins });
    const { tenantId } = principal;
    let found: Promise<WorstCase> | undefined;
    const worst = (): Promise<WorstCase> => {
      found ??= this.#worst(principal, definition, { options, pins, self });
      return found;
    };
    const evidence = { worst, ...(publishing ? this.#scoresOf(principal, self) : {}) };
    return checkPolicies(graph, policies, this.#facts(tenantId), tenantId, standing, evidence);
  }

  #scoresOf(principal: Principal, self: Self | undefined): Pick<Evidence, "scores"> {
    const { scores } = this.#deps;
    if (scores === undefined || self === undefined || self.id === null) return {};
    const { kind, id } = self;
    return { scores: (rule) => scores(principal, { kind, id }, rule) };
  }

  #worst(...asked: Parameters<NonNullable<PolicyServiceDeps["worst"]>>): Promise<WorstCase> {
    if (this.#deps.worst === undefined) throw new Error("nothing says here what a run needs at most");
    return this.#deps.worst(...asked);
  }

  /**
   * A definition with all that it calls.
   * @param run how it is run, and which versions a run calls instead of those that are published now
   * @throws OvenError POLICY_UNDECIDED 422
   */
  async graph(
    principal: Principal,
    definition: JsonObject,
    { options = null, pins }: { options?: RunOptions | null; pins?: Readonly<PinnedCalls> | undefined } = {},
  ): Promise<PolicyGraph> {
    const { nodes, calls } = this.#deps;
    const called = await calls.workflows(principal, definition, pins);
    const partial = toPartial(definition as unknown as Definition, nodes, options); // cast: only valid definitions are checked
    return buildGraph(partial.definition, {
      node: (src, version) => nodes.get(src, version),
      facts: this.#facts(principal.tenantId),
      called: (kind, workflow, version) => {
        const found = called.get(callName(kind, workflow, version));
        return found && { key: pinKey(kind, found.id, version), definition: found.definition as unknown as Definition }; // cast: published definitions are valid
      },
    });
  }

  #now(): number {
    return this.#deps.now?.() ?? Date.now();
  }

  async #policiesOf(tenantId: number): Promise<GraphPolicy[]> {
    const now = this.#now();
    const known = this.#tenants.get(tenantId);
    if (known !== undefined && now < known.until) return known.policies;
    const began = this.#generation;
    const policies = await this.rows.enabled(tenantId);
    if (began === this.#generation) this.#tenants.set(tenantId, { policies, until: now + FRESH_MS });
    return policies;
  }
}

function violated(message: string, path: string | undefined, problems: readonly Problem[]): OvenError {
  return new OvenError("POLICY_VIOLATED", message, {
    status: 409,
    fix: "Change the workflow, or ask whoever keeps the policies of this tenant.",
    ...(path === undefined ? {} : { path }),
    ...(problems.length === 0 ? {} : { details: { problems: problems as unknown as Json } }), // cast: problems are plain strings
  });
}
