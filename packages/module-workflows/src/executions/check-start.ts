import { type JsonObject, OvenError, type Principal, withoutBounds } from "@oven/contract";
import type { RunAgent } from "@oven/contract/node";
import type { RunOptions } from "@oven/contract/run";
import type { Definition, Workflow } from "@oven/contract/workflow";
import { type NewExecution, type NodeCatalog, toPartial } from "@oven/engine";
import { isTooDeep } from "@oven/module-registry";
import { takesCandidate } from "../canary/choose-version.ts";
import type { KnownCanaries } from "../canary/known-canaries.ts";
import type { CallClosure } from "../definitions/call-closure.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { RunLimits, RunScope, StartLimits } from "../limits/run-limits.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import type { ReviewOverride } from "../policies/review-override.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import { checkPayload } from "./check-payload.ts";
import type { ExecutionReader } from "./execution-reader.ts";
import { type KeyedRequest, requireValidKey } from "./idempotency-keys.ts";
import { InstalledNodes } from "./require-nodes.ts";

/** A request to start a run. */
export interface ExecuteRequest {
  /** Id or slug. */
  workflow: string;
  input: JsonObject;
  idempotencyKey?: string | undefined;
  triggerEvent?: string | undefined;
  /** -10 to 10; higher goes first among those that wait. */
  priority?: number | undefined;
  options?: RunOptions | undefined;
  /** The agent whose run it is. */
  agent?: RunAgent | undefined;
  /** The test conversation that the run is a turn of, below zero; `own`: a conversation that begins with the run. */
  sessionId?: number | "own" | undefined;
  /** An earlier version, or the revision of a draft, below zero; absent: the published one. */
  version?: number | undefined;
}

/** A start that is allowed, with the run as it will be inserted. */
export interface CheckedStart {
  id: number;
  run: NewExecution;
  workflow: Workflow;
  scope: RunScope;
  limits: StartLimits;
  keyed: KeyedRequest | undefined;
  /** Whether checks must be made in the transaction that inserts the run. */
  isTransaction: boolean;
}

export interface StartChecksDeps {
  kind: RunKind;
  workflows: WorkflowService;
  reader: ExecutionReader;
  calls: CallClosure;
  policies: PolicyService;
  override: ReviewOverride;
  catalog: NodeCatalog;
  limits: RunLimits;
  canaries: KnownCanaries;
}

/** A run of an agent was checked where the agent was called, so a key's bounds to workflows do not apply. */
export function finderOf(principal: Principal, { agent }: ExecuteRequest): Principal {
  return agent === undefined ? principal : withoutBounds(principal);
}

/** Checks requests to start runs of one kind. */
export class StartChecks {
  readonly #deps: StartChecksDeps;
  readonly #installed: InstalledNodes;

  constructor(deps: StartChecksDeps) {
    this.#deps = deps;
    this.#installed = new InstalledNodes(deps.catalog);
  }

  /**
   * Checks everything but `requireAcceptable`, which an earlier request with the same key spares.
   * @param published the workflow with its published definition
   * @param id of the new run
   */
  async check(principal: Principal, request: ExecuteRequest, published: Workflow, id: number): Promise<CheckedStart> {
    const { kind, reader, calls, policies, override, catalog, limits } = this.#deps;
    const { input, idempotencyKey, triggerEvent, options = null } = request;
    requireValidKey(idempotencyKey);
    // MCP clients and graphs send inputs without the limits of a request's body.
    if (isTooDeep(input))
      throw new OvenError("INVALID_INPUT", "The input is nested too deeply", { path: "$.input", fix: "Flatten it." });
    const candidate = this.#candidate(principal, request, published, id);
    const workflow = await this.#inVersion(published, request.version ?? candidate);
    this.#installed.require(workflow);
    if (options !== null) {
      toPartial(workflow.definition as unknown as Definition, catalog, options); // cast: published definitions are valid
      if (options.recordingOf !== undefined) await reader.row(principal, options.recordingOf);
    }
    const pins = await calls.pin(principal, kind.kind.kind, workflow);
    await policies.requireRunnable(principal, kind.kind.kind, workflow, pins, options ?? undefined);
    const target = { type: kind.kind.resource, id: workflow.id };
    // Who may publish has let the candidate take runs: it stands in for what is published.
    const current = candidate === undefined ? published : workflow;
    await override.require(principal, { workflow, current, options, target });
    const scope = { kind: kind.kind.kind, tenantId: principal.tenantId, workflowId: workflow.id };
    const startLimits = await limits.starts(scope);
    const keyed =
      idempotencyKey === undefined ? undefined : { key: idempotencyKey, principal, workflowId: workflow.id };
    return {
      id,
      workflow,
      scope,
      limits: startLimits,
      keyed: keyed && { ...keyed, triggerEvent, input, options },
      isTransaction: keyed !== undefined || startLimits.perMinute !== undefined,
      run: {
        kind: kind.kind.kind,
        workflowId: workflow.id,
        workflowVersion: workflow.version,
        tenantId: principal.tenantId,
        input,
        principal,
        triggerEvent: triggerEvent ?? null,
        pinnedCalls: Object.keys(pins).length === 0 ? null : pins,
        options,
        agent: request.agent ?? null,
        sessionId: request.sessionId === "own" ? -id : (request.sessionId ?? null),
        priority: request.priority ?? 0,
      },
    };
  }

  /** Checks what can be checked before a run is asked for. @throws OvenError NOT_FOUND, WORKFLOW_DISABLED, NODE_UNAVAILABLE, INVALID_INPUT */
  async requireStartable(principal: Principal, { workflow: ref, input }: ExecuteRequest): Promise<void> {
    const workflow = await this.#deps.workflows.get(principal, ref);
    this.#installed.require(workflow);
    requireAcceptable(workflow, input);
  }

  /** The version that the run takes by the canary of its workflow; undefined: the published one, or the one that was asked for. */
  #candidate(
    principal: Principal,
    request: ExecuteRequest,
    { id, canary }: Workflow,
    runId: number,
  ): number | undefined {
    const { version, options, idempotencyKey } = request;
    if (canary == null || canary.stopped !== undefined) this.#deps.canaries.noteNone(id);
    if (canary == null || version !== undefined || options !== undefined) return undefined;
    return takesCandidate(canary, id, principal, idempotencyKey ?? String(runId)) ? canary.version : undefined;
  }

  async #inVersion(workflow: Workflow, version: number | undefined): Promise<Workflow> {
    if (version === undefined || version === workflow.version) return workflow;
    const { definition } = await this.#deps.workflows.pinned(workflow.id, version);
    // A draft can be tested while its workflow is disabled.
    return { ...workflow, version, definition, enabled: workflow.enabled || version < 0 };
  }
}

/** @throws OvenError WORKFLOW_DISABLED 409, INVALID_INPUT 400 */
export function requireAcceptable({ enabled, name, definition }: Workflow, input: JsonObject): void {
  if (!enabled)
    throw new OvenError("WORKFLOW_DISABLED", `${name} is disabled`, { status: 409, fix: "Enable it first." });
  checkPayload(name, definition, input);
}
