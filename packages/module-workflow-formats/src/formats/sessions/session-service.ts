import { getOwn, isOvenError, type Json, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import {
  type AnswerSession,
  type GraphSession,
  type SessionState,
  WriteSessionStateSchema,
} from "@oven/contract/formats/sessions.ts";
import { type Execution, isTerminal } from "@oven/contract/run";
import { parseSource } from "../../shared/import-source.ts";
import { ownerOf } from "../../shared/owner.ts";
import { readRunUuid, toRunUuid } from "../../shared/source-ids.ts";
import { REQUEST_FUNCTION } from "./compile-graph.ts";
import type { GraphDeps } from "./graph-service.ts";
import type { GraphRow } from "./graph-store.ts";
import { type SessionContext, WRITE_EVENT } from "./session-context.ts";
import { contextOf, metaOf, type RanSession, toSession, toState } from "./session-view.ts";
import { checkWrite, sessionChanged, toWritten, type WrittenState } from "./write-state.ts";

/** Sessions a list shows; older ones are found by their id. */
const LISTED = 50;
/** How long a message to a run may take to arrive. */
const ARRIVAL_MS = 20_000;
/** How often a retry is tried again while its session moves. */
const RETRIES = 5;

/** Sessions: runs of session graphs, in the document's words. */
export class SessionService {
  readonly #deps: GraphDeps;

  constructor(deps: GraphDeps) {
    this.#deps = deps;
  }

  /** In the background. @throws OvenError NOT_FOUND, WORKFLOW_DISABLED */
  async start(principal: Principal, graph: string): Promise<GraphSession> {
    const row = await this.#deps.store.get(ownerOf(principal), graph);
    const started = await this.#face().runs.execute(principal, {
      workflow: String(row.agentWorkflowId),
      input: {},
    });
    return toSession(await this.#load(principal, row, started.id));
  }

  /** The latest ones. */
  async list(principal: Principal, graph: string): Promise<GraphSession[]> {
    const { store } = this.#deps;
    const row = await store.get(ownerOf(principal), graph);
    const { rows } = await this.#face().runs.reader.list(principal, {
      sort: { field: "id", order: "DESC" },
      range: { first: 0, last: LISTED - 1 },
      filter: { agentWorkflowId: row.agentWorkflowId },
    });
    const firsts = await Promise.all(rows.map(({ id }) => store.continuations.firstOf(id)));
    const sessions = [...new Set(firsts)].toSorted((one, other) => other - one);
    return Promise.all(sessions.map(async (first) => toSession(await this.#load(principal, row, first))));
  }

  /** @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, id: string): Promise<GraphSession> {
    return toSession(await this.#found(principal, id));
  }

  async state(principal: Principal, id: string): Promise<SessionState> {
    return toState(await this.#found(principal, id));
  }

  /**
   * Puts a state in the place of a session's own, and it goes on from there; one that has ended is taken up again.
   * @throws OvenError SOURCE_INVALID 422, SESSION_CHANGED 409, NOT_RETRYABLE 409
   */
  async write(principal: Principal, id: string, body: unknown, signal: AbortSignal): Promise<GraphSession> {
    const written = parseSource(body, WriteSessionStateSchema);
    const session = await this.#found(principal, id);
    if (written.last_evaluated !== undefined && written.last_evaluated !== toState(session).last_evaluated)
      throw sessionChanged();
    await this.#put(principal, session, written, signal);
    return this.get(principal, id);
  }

  /** Runs a step again that failed. @throws OvenError NOT_FOUND, NOT_RETRYABLE 409 */
  async retry(principal: Principal, id: string, step: string, signal: AbortSignal): Promise<GraphSession> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#found(principal, id);
      const state = toState(session);
      if (!Object.hasOwn(session.meta.steps, step)) throw notFound("step", step);
      if (getOwn(state.workflow, step)?.status !== "error") {
        const why = `${step} has not failed; it is ${getOwn(state.workflow, step)?.status ?? "not reached yet"}`;
        throw new OvenError("NOT_RETRYABLE", why, { status: 409, fix: "Only a step that failed is run again." });
      }
      state.workflow[step] = { ...getOwn(state.workflow, step), status: "active", error: "" };
      try {
        await this.#put(principal, session, state, signal);
        return await this.get(principal, id);
      } catch (error) {
        // Another step has come to its end meanwhile.
        const isMoved = isOvenError(error) && error.code === "SESSION_CHANGED";
        if (!isMoved || attempt === RETRIES) throw error;
      }
    }
  }

  /**
   * What the user says to a step that asks.
   * @throws OvenError NOT_PAUSED 400 where it asks nothing, REVIEW_DECIDED 409 after another answer, INVALID_EDIT 400
   */
  async answer(
    principal: Principal,
    id: string,
    { step, input }: AnswerSession,
    signal: AbortSignal,
  ): Promise<GraphSession> {
    const session = await this.#found(principal, id);
    const nodeId = getOwn(session.meta.steps, step);
    if (nodeId === undefined) throw notFound("step", step);
    const { reviews } = this.#deps.services.workflowPlatform;
    const { runs } = this.#face();
    if (getOwn(contextOf(session).steps, step) === "awaiting_input") {
      // It is marked in one move and asked in the next.
      await runs.settle(principal, session.newest.id, ARRIVAL_MS, signal, async ({ status }) => {
        const asked = await this.#askedBy(principal, session.newest.id, nodeId);
        return isTerminal(status) || asked !== undefined;
      });
    }
    const asked = await this.#askedBy(principal, session.newest.id, nodeId);
    if (asked === undefined) {
      throw new OvenError("NOT_PAUSED", `${step} does not wait for input`, {
        status: 400,
        path: "$.step",
        fix: "Read the session: `waiting` names the steps that ask.",
      });
    }
    // cast: an answer came as JSON
    await reviews.decide(principal, asked, { action: "submit", data: input as Json });
    const consumed = ({ signalled, status }: { signalled: boolean; status: Execution["status"] }) =>
      !signalled || isTerminal(status);
    await runs.settle(principal, session.newest.id, ARRIVAL_MS, signal, consumed);
    return this.get(principal, id);
  }

  /** For good. @throws OvenError ALREADY_ENDED 409 */
  async cancel(principal: Principal, id: string, signal: AbortSignal): Promise<GraphSession> {
    const { newest } = await this.#found(principal, id);
    await this.#face().runs.cancel(principal, newest.id, "Cancelled by its owner", signal);
    return this.get(principal, id);
  }

  /** The newest question of a step, answered or not. */
  async #askedBy(principal: Principal, executionId: number, nodeId: string): Promise<number | undefined> {
    const { rows } = await this.#deps.services.workflowPlatform.reviews.list(principal, {
      sort: { field: "id", order: "DESC" },
      range: { first: 0, last: 0 },
      filter: { executionId, nodeId },
    });
    return rows[0]?.id;
  }

  async #put(principal: Principal, session: RanSession, written: WrittenState, signal: AbortSignal): Promise<void> {
    const { newest, graph, first } = session;
    const id = toRunUuid(first.id);
    if (newest.status === "cancelled") {
      throw new OvenError("NOT_RETRYABLE", "The session was cancelled, for good", {
        status: 409,
        fix: "Start another one.",
      });
    }
    const ended = isTerminal(newest.status);
    // What has ended is taken up with the graph as it is now, what goes on keeps its own.
    const spec = ended ? graph.spec : undefined;
    const steps = spec === undefined ? Object.keys(session.meta.steps) : Object.keys(spec.steps);
    const asking = new Set(steps.filter((step) => getOwn(graph.spec.steps, step)?.function === REQUEST_FUNCTION));
    checkWrite(written, { id, steps, asking });
    // Later than what it was, whatever the clock says. Said twice about a session that has ended it is the same.
    const later = toState(session).last_evaluated + 0.001;
    const now = ended ? later : Math.max(Date.now() / 1_000, later);
    const state = toWritten(contextOf(session), written, { steps, now });
    if (ended) await this.#takeUp(principal, session, state);
    else await this.#send(principal, newest.id, state, signal);
  }

  async #send(principal: Principal, executionId: number, state: SessionContext, signal: AbortSignal): Promise<void> {
    const { runs } = this.#face();
    const id = crypto.randomUUID();
    // cast: the state is JSON
    const payload = { id, moves: state.moves, state: state as unknown as JsonObject };
    await runs.sendEvent(principal, executionId, { event: WRITE_EVENT, payload }, id);
    const arrived = await runs.settle(
      principal,
      executionId,
      ARRIVAL_MS,
      signal,
      (run) => !run.signalled || isTerminal(run.status),
    );
    const { context } = await runs.reader.get(principal, executionId);
    const found = contextOf({ newest: { status: "running", context } as Execution, meta: { steps: {}, needs: {} } }); // cast: no more is read
    if (!arrived || !found.written.includes(id)) throw sessionChanged();
  }

  /** Whoever comes second with another state is refused. */
  async #takeUp(principal: Principal, { first, graph, newest }: RanSession, state: SessionContext): Promise<void> {
    const { store } = this.#deps;
    try {
      const started = await this.#face().runs.execute(principal, {
        workflow: String(graph.agentWorkflowId),
        input: { session_state: state as unknown as JsonObject }, // cast: the state is JSON
        idempotencyKey: `session ${first.id} after ${newest.id}`,
      });
      await store.continuations.add(principal.tenantId, first.id, started.id);
    } catch (error) {
      if (!isOvenError(error) || error.code !== "IDEMPOTENCY_KEY_REUSED") throw error;
      // Somebody else's has begun, also where whoever began it was interrupted before it was noted.
      const { executionId } = error.details ?? {};
      if (typeof executionId === "number") await store.continuations.add(principal.tenantId, first.id, executionId);
      throw sessionChanged();
    }
  }

  async #found(principal: Principal, id: string): Promise<RanSession> {
    const named = readRunUuid(id);
    if (named === undefined) throw notFound("session", id);
    const { store } = this.#deps;
    const first = await store.continuations.firstOf(named);
    const { workflowId, parentId } = await this.#face().runs.reader.row(principal, first);
    if (parentId !== null) throw notFound("session", id);
    return this.#load(principal, await store.byCompiled(ownerOf(principal), workflowId), first);
  }

  async #load(principal: Principal, graph: GraphRow, firstId: number): Promise<RanSession> {
    const { store, services } = this.#deps;
    const { runs, workflows } = this.#face();
    const executions: Execution[] = [];
    for (const id of [firstId, ...(await store.continuations.of(firstId))])
      executions.push(await runs.reader.get(principal, id));
    const [first, newest] = [executions[0], executions.at(-1)];
    if (first === undefined || newest === undefined) throw notFound("session", firstId);
    const { definition } = await workflows.pinned(graph.agentWorkflowId, newest.workflowVersion);
    const meta = metaOf(definition);
    if (meta === undefined) throw notFound("session", firstId);
    return {
      ...{ graph, first, newest, meta },
      nodes: executions.flatMap(({ nodes }) => nodes),
      reviews: isTerminal(newest.status) ? [] : await services.workflowPlatform.reviews.open(principal, newest.id),
    };
  }

  #face() {
    return this.#deps.services.workflowPlatform.face("agent-workflow");
  }
}
