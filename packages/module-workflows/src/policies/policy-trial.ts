import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition, GraphPolicyRule, PolicyTrial, TriedDefinition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, asc, eq, gt, isNotNull, sql } from "@oven/db/drizzle";
import { listStates, type NodeCatalog, validateDefinition } from "@oven/engine";
import { requirePermission, visibleTo } from "@oven/module-registry";
import type { RunKind, RunKinds } from "../runtime/run-kinds.ts";
import type { Finding } from "./finding.ts";

export interface PolicyTrialDeps {
  db: Database;
  nodes: NodeCatalog;
  kinds: Pick<RunKinds, "all">;
  /** What a rule has against a valid definition. @throws OvenError POLICY_UNDECIDED 422 */
  findings(
    principal: Principal,
    definition: JsonObject,
    rule: GraphPolicyRule,
    self: { kind: ExecutionKind; id: number },
  ): Promise<Finding[]>;
}

/** More workflows than these are counted and left out. */
const MOST_WORKFLOWS = 2_000;
/** So many are read at once: a definition may have megabytes. */
const PAGE = 20;
const MOST_HITS = 200;
const MOST_PROBLEMS = 10;

interface TriedRow {
  id: number;
  name: string;
  published: JsonObject;
  draft: JsonObject | null;
}

/** Checks all workflows that a principal sees, published versions and drafts, against a rule that is not saved. */
export class TrialOfPolicy {
  readonly #deps: PolicyTrialDeps;
  readonly #limits: { workflows: number };

  constructor(deps: PolicyTrialDeps, limits = { workflows: MOST_WORKFLOWS }) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /**
   * Nothing is stored and nothing is run.
   * @throws OvenError FORBIDDEN without the permissions to see workflows of each kind: a count of a part of them would mislead
   */
  async run(principal: Principal, rule: GraphPolicyRule, signal: AbortSignal): Promise<PolicyTrial> {
    const kinds = this.#deps.kinds.all();
    for (const { kind } of kinds) requirePermission(principal, `${kind.resource}.read`);
    const trial: PolicyTrial = {
      published: { checked: 0, refused: 0 },
      drafts: { checked: 0, refused: 0 },
      refused: [],
      undecided: [],
      invalidDrafts: 0,
      left: 0,
    };
    let room = this.#limits.workflows;
    for (const kind of kinds) {
      for await (const row of this.#rows(principal, kind, room)) {
        signal.throwIfAborted();
        room -= 1;
        const tried = { kind: kind.kind.kind, id: row.id, name: row.name };
        await this.#check(principal, rule, { ...tried, of: "published" }, row.published, trial);
        if (row.draft === null) continue;
        const { problems } = validateDefinition(row.draft, this.#deps.nodes);
        if (problems.some(({ severity }) => severity === "error")) trial.invalidDrafts += 1;
        else await this.#check(principal, rule, { ...tried, of: "draft" }, row.draft, trial);
      }
    }
    trial.left = (await this.#count(principal, kinds)) - (this.#limits.workflows - room);
    // Published versions are what runs today.
    trial.refused.sort((a, b) => Number(a.of === "draft") - Number(b.of === "draft"));
    return { ...trial, refused: trial.refused.slice(0, MOST_HITS), undecided: trial.undecided.slice(0, MOST_HITS) };
  }

  async #check(
    principal: Principal,
    rule: GraphPolicyRule,
    tried: TriedDefinition,
    definition: JsonObject,
    trial: PolicyTrial,
  ): Promise<void> {
    let findings: Finding[];
    try {
      findings = await this.#deps.findings(principal, definition, rule, { kind: tried.kind, id: tried.id });
    } catch (error) {
      if (!isOvenError(error) || error.code !== "POLICY_UNDECIDED") throw error;
      trial.undecided.push(tried);
      return;
    }
    const counts = tried.of === "draft" ? trial.drafts : trial.published;
    counts.checked += 1;
    if (findings.length === 0) return;
    counts.refused += 1;
    const steps = stepsOf(definition);
    trial.refused.push({
      ...tried,
      found: findings.length,
      problems: findings
        .slice(0, MOST_PROBLEMS)
        .map((finding) => ({ ...finding, step: steps.get(finding.path) ?? null })),
    });
  }

  /** The workflows of a kind with their drafts, by id, a few at a time. */
  async *#rows(principal: Principal, { tables }: RunKind, most: number): AsyncGenerator<TriedRow> {
    const { workflows, drafts } = tables;
    const ofDraft = and(
      eq(drafts.workflowId, workflows.id),
      eq(drafts.tenantId, principal.tenantId),
      isNotNull(drafts.definition),
    );
    let after = 0;
    for (let read = 0; read < most; ) {
      const limit = Math.min(PAGE, most - read);
      const rows = await this.#deps.db.orm
        .select({ id: workflows.id, name: workflows.name, published: workflows.definition, draft: drafts.definition })
        .from(workflows)
        .leftJoin(drafts, ofDraft)
        .where(and(visibleTo(principal, workflows.tenantId), gt(workflows.id, after)))
        .orderBy(asc(workflows.id))
        .limit(limit);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      after = last.id;
      read += rows.length;
    }
  }

  async #count(principal: Principal, kinds: readonly RunKind[]): Promise<number> {
    let total = 0;
    for (const { tables } of kinds) {
      const [row] = await this.#deps.db.orm
        .select({ count: sql<number>`count(*)::int` })
        .from(tables.workflows)
        .where(visibleTo(principal, tables.workflows.tenantId));
      total += row?.count ?? 0;
    }
    return total;
  }
}

/** What each step is called, by its path: `$.states.draft`. */
function stepsOf(definition: JsonObject): ReadonlyMap<string, string> {
  // cast: only valid definitions are checked
  const states = listStates(definition as unknown as Definition);
  return new Map(states.map(({ id, path, state }) => [`$.${path.join(".")}`, state.label ?? id]));
}
