import type { Task } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server";
import { isOvenError, OvenError, type Principal } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { a2aPushes, a2aTasks } from "../schema.ts";
import { AgentTasks, type AgentTasksDeps } from "./agent-tasks.ts";
import type { PushConfigs, PushRow } from "./push-configs.ts";
import { ownerOf } from "./task-rows.ts";
import { type SeenTask, toStatus, toTask } from "./to-task.ts";

const TOKEN_HEADER = "x-a2a-notification-token";
const FASTEST_LOOK_MS = 1_000;
const SLOWEST_LOOK_MS = 30_000;
const MOST_FAILURES = 12;
const MOST_BACKOFF_MS = 3_600_000;
const CLAIM_MS = 60_000;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 8;

interface Deps extends AgentTasksDeps {
  db: Database;
  pushes: PushConfigs;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
}

/** Pushes the states of tasks to those who asked for it. What is due stands in the database: a restart pushes it later, and not twice. */
export class TaskPusher {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** All that is due, of all tenants; two processes never push the same. */
  async pushDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const claimed = await this.#deps.db.system.query<{ id: number }>(
        `update a2a_pushes set next_look_at = $1 where id in (
           select id from a2a_pushes where next_look_at <= now() order by next_look_at limit ${AT_ONCE} for update skip locked)
         returning id`,
        [new Date(Date.now() + CLAIM_MS)],
      );
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(({ id }) => this.#work(id, signal)));
    }
  }

  /** Milliseconds until the next look; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    const [next] = await this.#deps.db.system.query<{ ms: number | null }>(
      "select (extract(epoch from min(next_look_at) - now()) * 1000)::float8 as ms from a2a_pushes",
    );
    return next?.ms == null ? undefined : Math.max(0, Math.ceil(next.ms));
  }

  async #work(id: number, signal: AbortSignal): Promise<void> {
    const [found] = await this.#deps.db.system.orm
      .select({ push: a2aPushes, task: a2aTasks })
      .from(a2aPushes)
      .innerJoin(a2aTasks, eq(a2aTasks.id, a2aPushes.taskRowId))
      .where(eq(a2aPushes.id, id));
    if (found === undefined) return;
    const { push, task } = found;
    const seen = await this.#see(push, task);
    if (seen === undefined) return this.#set(push, { nextLookAt: null });
    const { state: is, message } = toStatus(seen);
    const state = hashJson([is, message?.messageId ?? null]);
    const isOver = isTerminal(seen.run.summary.status);
    if (state === push.pushed) return this.#set(push, { nextLookAt: isOver ? null : nextLook(push) });
    try {
      await this.#send(push, toTask(seen), signal);
      await this.#set(push, { pushed: state, failures: 0, nextLookAt: isOver ? null : nextLook(push) });
    } catch (error) {
      if (signal.aborted) return;
      const failures = push.failures + 1;
      console.warn(`pushing task ${task.taskId}: ${error instanceof Error ? error.message : String(error)}`);
      const wait = Math.min(MOST_BACKOFF_MS, FASTEST_LOOK_MS * 2 ** failures);
      const nextLookAt = failures > MOST_FAILURES ? null : new Date(Date.now() + wait);
      await this.#set(push, { failures, nextLookAt });
    }
  }

  /** What its caller would see now; undefined: nothing any more. */
  async #see(push: PushRow, { taskId, ...task }: typeof a2aTasks.$inferSelect): Promise<SeenTask | undefined> {
    const principal = await this.#principalOf(push);
    if (principal === undefined) return undefined;
    try {
      return await new AgentTasks(this.#deps, principal, ownerOf(task)).see(taskId);
    } catch (error) {
      if (error instanceof Error && error.name === "TaskNotFoundError") return undefined;
      if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #principalOf({ tenantId, userId, source }: PushRow): Promise<Principal | undefined> {
    const { access } = this.#deps.services;
    if (source.keyId !== undefined) return access.findKey(source.keyId, tenantId);
    if (userId === null) return undefined;
    return source.app === undefined
      ? access.findPrincipal(userId, tenantId)
      : access.findApp(userId, source.app, tenantId);
  }

  async #send(push: PushRow, task: Task, signal: AbortSignal): Promise<void> {
    const { services, pushes, allow } = this.#deps;
    const given = pushes.open(push);
    if (given === undefined) throw new Error("its token cannot be read with the secret of this installation");
    const isLegacy = push.version === A2A_LEGACY_PROTOCOL_VERSION;
    const serializer = isLegacy ? new V03PushNotificationSerializer() : new V1PushNotificationSerializer();
    const { body, contentType } = serializer.serialize({ payload: { $case: "task", value: task } }, task);
    const { token, authorization } = given;
    const url = new URL(push.url);
    if (token + authorization !== "" && url.protocol !== "https:" && !allow.includes(url.origin))
      throw new OvenError("OUTBOUND_REFUSED", `${url.origin} is not encrypted, and would show the token`);
    const response = await services.outbound.fetch(url, {
      method: "POST",
      headers: {
        "content-type": contentType,
        ...(token === "" ? {} : { [TOKEN_HEADER]: token }),
        ...(authorization === "" ? {} : { authorization }),
      },
      ...{ body, signal, timeoutMs: TIMEOUT_MS, maxRedirects: 0 },
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the receiver answers ${response.status}`);
  }

  async #set({ id }: PushRow, values: Partial<typeof a2aPushes.$inferInsert>): Promise<void> {
    await this.#deps.db.system.orm.update(a2aPushes).set(values).where(eq(a2aPushes.id, id));
  }
}

/** A tenth of the time that it has taken so far. */
function nextLook({ createdAt }: PushRow): Date {
  const tenth = (Date.now() - createdAt.getTime()) / 10;
  return new Date(Date.now() + Math.min(Math.max(tenth, FASTEST_LOOK_MS), SLOWEST_LOOK_MS));
}
