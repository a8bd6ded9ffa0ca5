import { OvenError, type Principal } from "@oven/contract";
import type {
  CancelChain,
  CancelledChains,
  Chain,
  ChainJob,
  ChainSchedule,
  ChainSpec,
  ChainStatus,
} from "@oven/contract/formats/chains.ts";
import type { Definition } from "@oven/contract/workflow";
import { requirePermission } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { releaseCompiled } from "../../shared/publish-compiled.ts";
import { slugOf, slugTaken } from "../../shared/slug.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";
import { ChainCompiler, type ChainDeps } from "./chain-compiler.ts";
import { toChain, toSpec } from "./chain-row.ts";
import type { ChainRuns } from "./chain-runs.ts";
import { ChainSchedules } from "./chain-schedules.ts";
import type { ChainRow } from "./chain-store.ts";
import { checkExecutors } from "./check-chain.ts";
import { readChainSchedule } from "./read-chain-schedule.ts";

const MANY_RUNS = 1_000;

/** Chains as their owner sees and changes them. Each change is one transaction with the agent workflow and the trigger behind it. */
export class ChainService {
  readonly #deps: ChainDeps;
  readonly #compiler: ChainCompiler;
  readonly #schedules: ChainSchedules;
  readonly #runs: ChainRuns;

  constructor(deps: ChainDeps, runs: ChainRuns) {
    this.#deps = deps;
    this.#compiler = new ChainCompiler(deps);
    this.#schedules = new ChainSchedules(deps);
    this.#runs = runs;
  }

  /** Everything that keeps a document from being stored. */
  async problems(principal: Principal, spec: ChainSpec): Promise<SourceProblem[]> {
    const { services } = this.#deps;
    // The database does not hold it.
    if (JSON.stringify(spec).includes("\\u0000"))
      return [{ path: "$", message: "A text has a NUL character in it", fix: "Take it out." }];
    const problems = await checkExecutors(spec, { services, principal });
    const zone = spec.timezone ?? (await this.#schedules.zoneOf(principal));
    const { problem } = await readChainSchedule(spec, zone, services.triggers);
    return problem === undefined ? problems : [...problems, problem];
  }

  /** @param threadId the conversation that it is made in. @throws OvenError SOURCE_INVALID with all problems, SLUG_TAKEN 409 */
  async create(principal: Principal, spec: ChainSpec, threadId: string): Promise<Chain> {
    const { db, services, store } = this.#deps;
    refuseProblems(await this.problems(principal, spec));
    const zone = spec.timezone ?? (await this.#schedules.zoneOf(principal));
    const { preview = null } = await readChainSchedule(spec, zone, services.triggers);
    const owner = ownerOf(principal);
    const row = await db.jointly(async () => {
      const uuid = crypto.randomUUID();
      const wanted = spec.workflow_id ?? slugOf(spec.name);
      const slug = await store.freeSlug(owner, wanted);
      if (spec.workflow_id !== null && slug !== wanted) throw slugTaken(wanted);
      const manifest = this.#compiler.manifest(principal, spec.executors);
      const { name, description, executors } = spec;
      const source = { uuid, threadId, name, description, executors, manifest, enabled: true };
      const agentWorkflowId = await this.#compiler.publish(principal, null, source);
      await this.#compiler.notify(principal, agentWorkflowId, spec);
      const inserted = await store.insert({
        ...owner,
        ...{ uuid, slug, threadId, name, description, executors, agentWorkflowId },
        ...this.#schedules.columns(spec, zone, preview),
        toolManifest: manifest,
        notifyOnComplete: spec.notify_on_complete,
        notifyOnFailure: spec.notify_on_failure,
      });
      const triggerId = await this.#schedules.replace(principal, inserted);
      return triggerId === null ? inserted : store.update(uuid, { triggerId });
    });
    services.events.wake();
    return this.#shown(row);
  }

  /** What it would be compiled to; nothing is stored. @throws OvenError SOURCE_INVALID */
  async compile(principal: Principal, spec: ChainSpec): Promise<Definition> {
    refuseProblems(await this.problems(principal, spec));
    const { executors } = spec;
    const manifest = this.#compiler.manifest(principal, executors);
    return this.#compiler.compile(principal, { uuid: crypto.randomUUID(), threadId: "", manifest, executors });
  }

  /** The whole document anew; its id stays. @throws OvenError SOURCE_INVALID, NOT_FOUND */
  async replace(principal: Principal, id: string, spec: ChainSpec): Promise<Chain> {
    const { services, store } = this.#deps;
    refuseProblems(await this.problems(principal, spec));
    return this.#change(principal, id, async (row) => {
      const zone = spec.timezone ?? row.timezone;
      const { preview = null } = await readChainSchedule(spec, zone, services.triggers);
      const manifest = this.#compiler.manifest(principal, spec.executors);
      const { name, description, executors } = spec;
      await this.#publish(principal, { ...row, name, description, executors, toolManifest: manifest });
      await this.#compiler.notify(principal, row.agentWorkflowId, spec);
      const changed = await store.update(row.uuid, {
        ...{ name, description, executors },
        ...this.#schedules.columns(spec, zone, preview),
        toolManifest: manifest,
        notifyOnComplete: spec.notify_on_complete,
        notifyOnFailure: spec.notify_on_failure,
      });
      return store.update(row.uuid, { triggerId: await this.#schedules.replace(principal, changed) });
    });
  }

  async list(principal: Principal, status?: ChainStatus): Promise<Chain[]> {
    const { store } = this.#deps;
    const rows = await store.list(ownerOf(principal), { status });
    const [due, tallies] = await Promise.all([
      store.dueTimes(rows.flatMap(({ triggerId }) => triggerId ?? [])),
      store.tallies(rows.map(({ agentWorkflowId }) => agentWorkflowId)),
    ]);
    return rows.map((row) =>
      toChain(row, { due: due.get(row.triggerId ?? 0) ?? null, tally: tallies.get(row.agentWorkflowId) }),
    );
  }

  /** By UUID or slug. @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, id: string): Promise<Chain> {
    return this.#shown(await this.#deps.store.get(ownerOf(principal), id));
  }

  async export(principal: Principal, id: string): Promise<ChainSpec> {
    return toSpec(await this.#deps.store.get(ownerOf(principal), id));
  }

  /** @throws OvenError SOURCE_INVALID for what is not understood, or has passed */
  async schedule(principal: Principal, id: string, schedule: ChainSchedule): Promise<ChainJob> {
    const { services, store } = this.#deps;
    const before = await store.get(ownerOf(principal), id);
    const zone = schedule.timezone ?? (await this.#schedules.zoneOf(principal));
    const { problem, preview = null } = await readChainSchedule(schedule, zone, services.triggers);
    refuseProblems(problem === undefined ? [] : [problem]);
    const chain = await this.#change(principal, id, async (row) => {
      const changed = await store.update(row.uuid, this.#schedules.columns(schedule, zone, preview));
      return store.update(row.uuid, { triggerId: await this.#schedules.replace(principal, changed) });
    });
    const run = schedule.schedule_type === "immediate" ? await this.#runs.start(principal, before.uuid) : undefined;
    const { workflow_id, schedule_type, next_run_time, timezone, cron_expression } = chain;
    const says = preview?.says ?? "At once";
    return { workflow_id, schedule_type, next_run_time, timezone, cron_expression, says, run_id: run?.run_id ?? null };
  }

  /** Paused and archived ones never fire, and cannot be run. */
  setStatus(principal: Principal, id: string, status: ChainStatus): Promise<Chain> {
    return this.#change(principal, id, async (row) => {
      const enabled = status === "active";
      const { workflows } = this.#deps.services.workflowPlatform.face("agent-workflow");
      requirePermission(principal, "agent-workflows.update");
      await workflows.update(principal, String(row.agentWorkflowId), { enabled });
      await this.#schedules.enable(principal, row, enabled);
      return this.#deps.store.update(row.uuid, { status });
    });
  }

  /** The tools as they are now are those that the prompts are for. */
  approveTools(principal: Principal, id: string): Promise<Chain> {
    return this.#change(principal, id, async (row) => {
      const toolManifest = this.#compiler.manifest(principal, row.executors);
      await this.#publish(principal, { ...row, toolManifest });
      return this.#deps.store.update(row.uuid, { toolManifest });
    });
  }

  /**
   * Takes schedules away. Of one workflow without a schedule type its live runs are cancelled too, and it is archived.
   * @throws OvenError INVALID_REQUEST when neither is given, NOT_FOUND
   */
  async cancel(principal: Principal, asked: CancelChain, signal: AbortSignal): Promise<CancelledChains> {
    const { store } = this.#deps;
    const { workflow_id: id = null, schedule_type: type = null } = asked;
    if (id === null && type === null) {
      throw new OvenError("INVALID_REQUEST", "Nothing says what to cancel", {
        status: 400,
        fix: "Name a workflow_id, a schedule_type, or both.",
      });
    }
    const rows =
      id === null
        ? await store.list(ownerOf(principal), { status: "active", scheduleType: type ?? undefined })
        : [await store.get(ownerOf(principal), id)];
    const cancelled: CancelledChains["cancelled"] = [];
    for (const row of rows) {
      if (type !== null && row.scheduleType !== type) continue;
      await this.#change(principal, row.uuid, async (held) => {
        await this.#schedules.drop(principal, held);
        const none = { triggerId: null, scheduleTime: null, cronExpression: null, scheduleType: "immediate" as const };
        return store.update(held.uuid, none);
      });
      let stopped = 0;
      if (type === null) {
        await this.setStatus(principal, row.uuid, "archived");
        for (const { newest } of await store.runs(ownerOf(principal), {
          agentWorkflowId: row.agentWorkflowId,
          live: true,
          limit: MANY_RUNS,
        })) {
          await this.#runs.cancelExecution(principal, newest, signal);
          stopped += 1;
        }
      }
      cancelled.push({ workflow_id: row.uuid, runs_cancelled: stopped });
    }
    return { cancelled };
  }

  /** With its runs; those that go on are cancelled first. */
  async delete(principal: Principal, id: string): Promise<void> {
    const { db, services, store } = this.#deps;
    const { workflows } = services.workflowPlatform.face("agent-workflow");
    const { agentWorkflowId } = await store.get(ownerOf(principal), id);
    await releaseCompiled(services, principal, agentWorkflowId);
    await db.jointly(async () => {
      const row = await store.get(ownerOf(principal), id, true);
      await this.#schedules.drop(principal, row);
      await store.delete(row);
      await workflows.delete(principal, String(row.agentWorkflowId), false);
    });
    services.events.wake();
  }

  #publish(principal: Principal, row: ChainRow): Promise<number> {
    const { uuid, threadId, name, description, executors, toolManifest, status, agentWorkflowId } = row;
    const source = {
      uuid,
      threadId,
      name,
      description,
      executors,
      manifest: toolManifest,
      enabled: status === "active",
    };
    return this.#compiler.publish(principal, agentWorkflowId, source);
  }

  async #change(principal: Principal, id: string, work: (row: ChainRow) => Promise<ChainRow>): Promise<Chain> {
    const { db, services, store } = this.#deps;
    const row = await db.jointly(async () => work(await store.get(ownerOf(principal), id, true)));
    // What was told within the transaction can be delivered only now.
    services.events.wake();
    return this.#shown(row);
  }

  async #shown(row: ChainRow): Promise<Chain> {
    const { store } = this.#deps;
    const due = await store.dueTimes(row.triggerId === null ? [] : [row.triggerId]);
    const tallies = await store.tallies([row.agentWorkflowId]);
    return toChain(row, { due: due.get(row.triggerId ?? 0) ?? null, tally: tallies.get(row.agentWorkflowId) });
  }
}
