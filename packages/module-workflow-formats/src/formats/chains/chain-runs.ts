import {
  getOwn,
  isOvenError,
  type Json,
  type JsonObject,
  notFound,
  OvenError,
  type Principal,
  readJson,
} from "@oven/contract";
import type {
  ChainResult,
  ChainRun,
  ChainToolCall,
  ChainTrace,
  ExecutorRun,
  OutputRef,
} from "@oven/contract/formats/chains.ts";
import { type Execution, isTerminal } from "@oven/contract/run";
import { isObject } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { readRunUuid } from "../../shared/source-ids.ts";
import type { ChainDeps } from "./chain-compiler.ts";
import { mainState, prepareState } from "./chain-states.ts";
import type { ChainRow } from "./chain-store.ts";
import { objectOf, type RanChain, type RanExecutor } from "./executor-view.ts";
import { nodeRunOf } from "./payloads.ts";
import { executorRuns, type ToolAudit, toChainRun, toResult, toToolCalls, toTrace } from "./run-view.ts";

/** Runs a list shows; older ones are found by their id. */
const LISTED = 50;

/** Runs of chains, in the document's words. */
export class ChainRuns {
  readonly #deps: ChainDeps;

  constructor(deps: ChainDeps) {
    this.#deps = deps;
  }

  /** In the background. @param threadId the conversation it is run in; absent: that of the chain. @throws OvenError NOT_FOUND, WORKFLOW_DISABLED */
  async start(principal: Principal, id: string, threadId?: string): Promise<ChainRun> {
    const chain = await this.#deps.store.get(ownerOf(principal), id);
    const input: JsonObject = threadId === undefined ? {} : { thread_id: threadId };
    const started = await this.#face().runs.execute(principal, {
      workflow: String(chain.agentWorkflowId),
      input,
    });
    return toChainRun(chain, await this.#load(principal, chain, started.id));
  }

  /** Started and waited for; one that takes longer is answered as it is then. */
  async run(
    principal: Principal,
    id: string,
    options: { wait: number; signal: AbortSignal; threadId?: string | undefined },
  ): Promise<ChainResult> {
    const { run_id, execution_id } = await this.start(principal, id, options.threadId);
    if (options.wait > 0) await this.#face().runs.settle(principal, execution_id, options.wait * 1_000, options.signal);
    const { chain, run } = await this.#found(principal, run_id);
    return toResult(chain, run);
  }

  async list(principal: Principal, id: string): Promise<ChainRun[]> {
    const chain = await this.#deps.store.get(ownerOf(principal), id);
    const { agentWorkflowId } = chain;
    const rows = await this.#deps.store.runs(ownerOf(principal), { agentWorkflowId, limit: LISTED });
    return Promise.all(rows.map(async ({ first }) => toChainRun(chain, await this.#load(principal, chain, first))));
  }

  /** Newest first; those of which a part succeeded, too. */
  async listFailed(principal: Principal, id: string | null, limit: number): Promise<ChainRun[]> {
    const { store } = this.#deps;
    const owner = ownerOf(principal);
    const agentWorkflowId = id === null ? undefined : (await store.get(owner, id)).agentWorkflowId;
    const rows = await store.runs(owner, { agentWorkflowId, failed: true, limit });
    return Promise.all(
      rows.map(async ({ first, workflow }) => {
        const chain = await store.byCompiled(owner, workflow);
        return toChainRun(chain, await this.#load(principal, chain, first));
      }),
    );
  }

  /** @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, runId: string): Promise<ChainRun> {
    const { chain, run } = await this.#found(principal, runId);
    return toChainRun(chain, run);
  }

  async trace(principal: Principal, runId: string): Promise<ChainTrace> {
    const { chain, run } = await this.#found(principal, runId);
    return toTrace(chain, run, await this.#audit(principal));
  }

  async result(principal: Principal, runId: string): Promise<ChainResult> {
    const { chain, run } = await this.#found(principal, runId);
    return toResult(chain, run);
  }

  async executors(principal: Principal, runId: string): Promise<ExecutorRun[]> {
    return executorRuns((await this.#found(principal, runId)).run);
  }

  async toolCalls(principal: Principal, runId: string): Promise<ChainToolCall[]> {
    return toToolCalls((await this.#found(principal, runId)).run, await this.#audit(principal));
  }

  /** What a reference of a run stands for. @throws OvenError NOT_FOUND, also for what belongs to another run */
  async resolve(principal: Principal, runId: string, ref: OutputRef): Promise<Json> {
    const { run } = await this.#found(principal, runId);
    const { blobs } = this.#deps.services;
    if (ref.type === "db") {
      const { id, key } = nodeRunOf(ref);
      const node = [...run.nodes, ...run.children.flatMap(({ nodes }) => nodes)].find((one) => one.id === id);
      const found = objectOf(node?.output);
      if (node === undefined || !Object.hasOwn(found, key)) throw notFound("output", ref.row_id);
      return getOwn(found, key) ?? null;
    }
    if (ref.type === "kb") {
      requirePermission(principal, "vector-stores.read");
      const text = await this.#deps.services.documents.text(principal.tenantId, ref.kb_id, Number(ref.row_id));
      if (text === null) throw notFound("document", ref.row_id);
      return text;
    }
    const blob = await blobs.read(ref.blob_id, principal);
    const own = new Set([...run.nodes.map(({ executionId }) => executionId), run.first, run.newest.id]);
    if (!own.has(blob.executionId)) throw notFound("output", ref.path);
    return readJson(Buffer.from(blob.data).toString("utf8")).value;
  }

  /** For good. @throws OvenError ALREADY_ENDED 409 */
  async cancel(principal: Principal, runId: string, signal: AbortSignal): Promise<ChainRun> {
    const { run } = await this.#found(principal, runId);
    await this.#face().runs.cancel(principal, run.newest.id, "Cancelled by its owner", signal);
    return this.get(principal, runId);
  }

  /** One that has ended meanwhile is left as it is. */
  async cancelExecution(principal: Principal, id: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#face().runs.cancel(principal, id, "Its workflow was cancelled", signal);
    } catch (error) {
      if (!isOvenError(error) || error.code !== "ALREADY_ENDED") throw error;
    }
  }

  /**
   * Goes on at the executor that failed, or behind it; what has succeeded is not done again.
   * @throws OvenError STILL_RUNNING 409, NOT_RETRYABLE 409, and as retrying the run behind it
   */
  async resume(principal: Principal, runId: string, skip: boolean): Promise<ChainRun> {
    const { chain, run } = await this.#found(principal, runId);
    const { newest, first } = run;
    const executors = executorRuns(run);
    const place = executors.findIndex(({ status }) => status === "failed");
    if (!isTerminal(newest.status)) {
      throw new OvenError("STILL_RUNNING", "The run goes on", { status: 409, fix: "Wait for its end." });
    }
    if (newest.status === "cancelled" || place < 0) {
      const why = newest.status === "cancelled" ? "The run was cancelled, for good" : "Nothing in the run failed";
      throw new OvenError("NOT_RETRYABLE", why, { status: 409, fix: "Run the workflow anew." });
    }
    const id = skip ? await this.#skipping(principal, run, place) : await this.#again(principal, run, place);
    await this.#deps.store.continuations.add(principal.tenantId, first, id);
    return toChainRun(chain, await this.#load(principal, chain, first));
  }

  async #again(principal: Principal, run: RanChain, place: number): Promise<number> {
    // A loop over a list that came to its end does only those items again that failed.
    const loop = run.newest.nodes.findLast(({ nodeId }) => nodeId === mainState(place));
    const isLoop = run.executors[place]?.loop?.type === "for_each" && loop?.status === "completed";
    const nodeId = isLoop ? mainState(place) : prepareState(place);
    return (await this.#face().continuer.retry(principal, run.newest.id, { nodeId })).id;
  }

  async #skipping(principal: Principal, run: RanChain, place: number): Promise<number> {
    const { checkpoints, continuer } = this.#face();
    const skip = objectOf(run.newest.context).skip;
    const patch = [{ op: "add" as const, path: "/skip", value: [...(Array.isArray(skip) ? skip : []), place] }];
    const executions = [...new Set([run.newest.id, ...run.nodes.map(({ executionId }) => executionId).toReversed()])];
    for (const id of executions) {
      const list = await checkpoints.list(principal, id);
      const at = list.findLastIndex(({ nodeId }) => nodeId === prepareState(place));
      const before = list[at - 1];
      if (at > 0 && before !== undefined)
        return (await continuer.fork(principal, id, { checkpoint: before.seq, patch })).id;
    }
    throw new OvenError("NOT_RETRYABLE", "The run cannot be gone through again", {
      status: 409,
      fix: "Run the workflow anew.",
    });
  }

  async #found(principal: Principal, runId: string): Promise<{ chain: ChainRow; run: RanChain }> {
    const named = readRunUuid(runId);
    if (named === undefined) throw notFound("run", runId);
    const { store } = this.#deps;
    const first = await store.continuations.firstOf(named);
    const { workflowId, parentId } = await this.#face().runs.reader.row(principal, first);
    if (parentId !== null) throw notFound("run", runId);
    const chain = await store.byCompiled(ownerOf(principal), workflowId);
    return { chain, run: await this.#load(principal, chain, first) };
  }

  async #load(principal: Principal, chain: ChainRow, first: number): Promise<RanChain> {
    const { store } = this.#deps;
    const { reader } = this.#face().runs;
    const ids = [first, ...(await store.continuations.of(first))];
    const executions: Execution[] = [];
    for (const id of ids) executions.push(await reader.get(principal, id));
    const newest = executions.at(-1);
    if (newest === undefined) throw notFound("run", first);
    const executors = await this.#executorsOf(chain, newest);
    const childIds = executors.some(({ loop }) => loop?.type === "for_each") ? await store.childrenOf(ids) : [];
    const children: Execution[] = [];
    for (const id of childIds) children.push(await reader.get(principal, id));
    const nodes = new Map(executions.flatMap((execution) => execution.nodes.map((node) => [node.id, node] as const)));
    return {
      first,
      newest,
      nodes: [...nodes.values()],
      children,
      usage: await store.usageOf([...ids, ...childIds]),
      executors,
    };
  }

  /** As they were when the run began. */
  async #executorsOf(chain: ChainRow, { workflowVersion }: Execution): Promise<RanExecutor[]> {
    const { definition } = await this.#face().workflows.pinned(chain.agentWorkflowId, workflowVersion);
    const source = isObject(definition.meta) ? definition.meta.source : undefined;
    if (!isObject(source) || !Array.isArray(source.executors)) return chain.executors;
    return source.executors as unknown as RanExecutor[]; // cast: we wrote it
  }

  async #audit({ tenantId }: Principal): Promise<ToolAudit> {
    const { value } = await this.#deps.services.config.resolve({
      module: "module-workflow-formats",
      key: "CHAIN_TOOL_AUDIT",
      tenantId,
    });
    return value === "summary" ? "summary" : "full";
  }

  #face() {
    return this.#deps.services.workflowPlatform.face("agent-workflow");
  }
}
