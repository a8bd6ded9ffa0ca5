import { isOvenError, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import { MessageSchema } from "@oven/contract/ai";
import type { RoutedConversation } from "@oven/contract/formats/routed.ts";
import { type Execution, isTerminal } from "@oven/contract/run";
import { z } from "zod";
import { ownerOf } from "../../shared/owner.ts";
import { readRunUuid, toRunUuid } from "../../shared/source-ids.ts";
import type { RoutedDeps } from "./routed-service.ts";
import type { RoutedRow } from "./routed-store.ts";

/** Conversations a list shows; older ones are found by their id. */
const LISTED = 50;

const ContextSchema = z.looseObject({
  messages: z.array(MessageSchema).catch([]),
  next: z.string().nullable().catch(null),
  handoff_reason: z.string().nullable().catch(null),
});

interface Found {
  graph: RoutedRow;
  executions: [Execution, ...Execution[]];
}

/** Conversations with routed graphs: each turn is a run that has the messages of those before it. */
export class ConversationService {
  readonly #deps: RoutedDeps;

  constructor(deps: RoutedDeps) {
    this.#deps = deps;
  }

  /** In the background. @throws OvenError NOT_FOUND, WORKFLOW_DISABLED */
  async start(principal: Principal, graphId: string, message: string): Promise<RoutedConversation> {
    const graph = await this.#deps.store.get(ownerOf(principal), graphId);
    const started = await this.#runs().execute(principal, {
      workflow: String(graph.agentWorkflowId),
      input: { message },
    });
    return toConversation(await this.#load(principal, graph, started.id));
  }

  /** The latest ones. */
  async list(principal: Principal, graphId: string): Promise<RoutedConversation[]> {
    const { store } = this.#deps;
    const graph = await store.get(ownerOf(principal), graphId);
    const { rows } = await this.#runs().reader.list(principal, {
      sort: { field: "id", order: "DESC" },
      range: { first: 0, last: LISTED - 1 },
      filter: { agentWorkflowId: graph.agentWorkflowId },
    });
    const firsts = await Promise.all(rows.map(({ id }) => store.continuations.firstOf(id)));
    const ids = [...new Set(firsts)].toSorted((one, other) => other - one);
    return Promise.all(ids.map(async (id) => toConversation(await this.#load(principal, graph, id))));
  }

  /** @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, id: string): Promise<RoutedConversation> {
    return toConversation(await this.#found(principal, id));
  }

  /**
   * The next turn, with all that was said before.
   * @throws OvenError NOT_FOUND, CONVERSATION_BUSY 409 while a turn goes on
   */
  async say(principal: Principal, id: string, message: string): Promise<RoutedConversation> {
    const { graph, executions } = await this.#found(principal, id);
    const newest = executions.at(-1) ?? executions[0];
    if (!isTerminal(newest.status)) throw busy();
    const { store } = this.#deps;
    const first = executions[0].id;
    const { messages } = contextOf(newest);
    try {
      const started = await this.#runs().execute(principal, {
        workflow: String(graph.agentWorkflowId),
        input: { message, messages } as JsonObject, // cast: messages are JSON
        idempotencyKey: `routed ${first} after ${newest.id}`,
      });
      await store.continuations.add(principal.tenantId, first, started.id);
    } catch (error) {
      // Whoever comes second with other words.
      throw isOvenError(error) && error.code === "IDEMPOTENCY_KEY_REUSED" ? busy() : error;
    }
    return this.get(principal, id);
  }

  async #found(principal: Principal, id: string): Promise<Found> {
    const named = readRunUuid(id);
    if (named === undefined) throw notFound("conversation", id);
    const { store } = this.#deps;
    const first = await store.continuations.firstOf(named);
    const { workflowId, parentId } = await this.#runs().reader.row(principal, first);
    if (parentId !== null) throw notFound("conversation", id);
    return this.#load(principal, await store.byCompiled(ownerOf(principal), workflowId), first);
  }

  async #load(principal: Principal, graph: RoutedRow, firstId: number): Promise<Found> {
    const { reader } = this.#runs();
    const first = await reader.get(principal, firstId);
    const later: Execution[] = [];
    for (const id of await this.#deps.store.continuations.of(firstId)) later.push(await reader.get(principal, id));
    return { graph, executions: [first, ...later] };
  }

  #runs() {
    return this.#deps.services.workflowPlatform.face("agent-workflow").runs;
  }
}

const busy = (): OvenError =>
  new OvenError("CONVERSATION_BUSY", "The turn before this one has not ended", {
    status: 409,
    fix: "Wait until it has, or decide its review.",
  });

const contextOf = ({ context }: Execution) => ContextSchema.parse(context ?? {});

function toConversation({ graph, executions }: Found): RoutedConversation {
  const newest = executions.at(-1) ?? executions[0];
  const { messages, next, handoff_reason: handoffReason } = contextOf(newest);
  return {
    id: toRunUuid(executions[0].id),
    workflowId: graph.graphId,
    status: newest.status,
    next,
    handoffReason,
    error: newest.errorInfo?.message ?? null,
    messages,
    executions: executions.map(({ id }) => id),
  };
}
