import { randomUUID } from "node:crypto";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { OvenError, type Principal, parseJson } from "@oven/contract";
import type { SecretRotation } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, count, eq } from "@oven/db/drizzle";
import type { SecretService } from "@oven/module-registry";
import { z } from "zod";
import { a2aPushes } from "../schema.ts";
import type { TaskRow } from "./task-rows.ts";

export type PushRow = typeof a2aPushes.$inferSelect;

const MOST_OF_TASK = 5;
const UrlSchema = z.url({ protocol: /^https?$/ }).max(2_000);
const HEADER_TEXT = /^[\x21-\x7e]([\x20-\x7e]{0,2000}[\x21-\x7e])?$/;
const SealedSchema = z.strictObject({ token: z.string(), authorization: z.string() });

/** @throws OvenError INVALID_INPUT */
export function requirePushTarget({ url, token, authentication }: TaskPushNotificationConfig): void {
  const parsed = UrlSchema.safeParse(url).success ? URL.parse(url) : null;
  const texts = [token, authentication?.scheme ?? "", authentication?.credentials ?? ""];
  const fits = texts.every((text) => text === "" || HEADER_TEXT.test(text));
  if (parsed !== null && parsed.username === "" && parsed.password === "" && fits) return;
  throw new OvenError("INVALID_INPUT", "The push configuration cannot be used", {
    fix: "Send an http(s) address without a password, and a token that fits into a header.",
  });
}

/** What clients of tasks have asked to be pushed to. Their tokens are sealed, and are not shown again. */
export class PushConfigs {
  readonly #db: Database;
  readonly #secrets: SecretService;
  readonly #changed: () => void;

  /** @param changed called when there is something to push */
  constructor(db: Database, secrets: SecretService, changed: () => void) {
    this.#db = db;
    this.#secrets = secrets;
    this.#changed = changed;
    secrets.sealed.onRotate((tenantId) => this.#rotate(tenantId));
  }

  /** @throws OvenError INVALID_INPUT when the task has too many */
  async set(
    principal: Principal,
    task: TaskRow,
    { id, url, token, authentication }: TaskPushNotificationConfig,
    version: string,
  ): Promise<TaskPushNotificationConfig> {
    const { tenantId, userId, keyId, through } = principal;
    const configId = id === "" ? randomUUID() : id.slice(0, 200);
    const authorization = authentication === undefined ? "" : `${authentication.scheme} ${authentication.credentials}`;
    const sealed = this.#secrets.sealed.seal(tenantId, nameOf(task.id), JSON.stringify({ token, authorization }));
    const key = keyId ?? through?.keyId;
    const source = {
      ...(key === undefined ? {} : { keyId: key }),
      ...(through?.app === undefined ? {} : { app: through.app }),
    };
    const values = { ...{ url, sealed, version, userId, source }, pushed: null, failures: 0, nextLookAt: new Date() };
    await this.#db.transaction(async ({ orm }) => {
      await orm
        .insert(a2aPushes)
        .values({ ...values, tenantId, configId, taskRowId: task.id })
        .onConflictDoUpdate({ target: [a2aPushes.taskRowId, a2aPushes.configId], set: values });
      const [row] = await orm.select({ all: count() }).from(a2aPushes).where(ofTask(principal, task));
      if ((row?.all ?? 0) > MOST_OF_TASK)
        throw new OvenError("INVALID_INPUT", `A task is pushed to ${MOST_OF_TASK} addresses at most`, {
          fix: "Delete one first.",
        });
    });
    this.#changed();
    return shown(task, { configId, url });
  }

  async list(principal: Principal, task: TaskRow): Promise<TaskPushNotificationConfig[]> {
    const rows = await this.#db.orm.select().from(a2aPushes).where(ofTask(principal, task)).orderBy(a2aPushes.id);
    return rows.map((row) => shown(task, row));
  }

  async delete(principal: Principal, task: TaskRow, configId: string): Promise<void> {
    await this.#db.orm.delete(a2aPushes).where(and(ofTask(principal, task), eq(a2aPushes.configId, configId)));
  }

  /** Undefined: the installation's secret is another one by now. */
  open({ tenantId, taskRowId, sealed }: PushRow): z.output<typeof SealedSchema> | undefined {
    const text = this.#secrets.sealed.open(tenantId, nameOf(taskRowId), sealed);
    return text === undefined ? undefined : SealedSchema.parse(parseJson(text));
  }

  async #rotate(tenantId: number | undefined): Promise<SecretRotation> {
    const { sealed } = this.#secrets;
    const { orm } = this.#db.system;
    const where = tenantId === undefined ? undefined : eq(a2aPushes.tenantId, tenantId);
    const unreadable: string[] = [];
    let rotated = 0;
    for (const row of await orm.select().from(a2aPushes).where(where)) {
      if (sealed.isPresent(row.sealed)) continue;
      const given = this.open(row);
      const name = nameOf(row.taskRowId);
      if (given === undefined) unreadable.push(name);
      else {
        const again = sealed.seal(row.tenantId, name, JSON.stringify(given));
        await orm.update(a2aPushes).set({ sealed: again }).where(eq(a2aPushes.id, row.id));
        rotated++;
      }
    }
    return { rotated, unreadable };
  }
}

function ofTask({ tenantId }: Principal, { id }: TaskRow) {
  return and(eq(a2aPushes.tenantId, tenantId), eq(a2aPushes.taskRowId, id));
}

function nameOf(taskRowId: number): string {
  return `a2a-push/${taskRowId}`;
}

function shown({ taskId }: TaskRow, { configId, url }: Pick<PushRow, "configId" | "url">): TaskPushNotificationConfig {
  return { tenant: "", id: configId, taskId, url, token: "", authentication: undefined };
}
