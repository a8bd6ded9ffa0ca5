import type { Principal } from "@oven/contract";
import type { RehearsedSides } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, asc, eq, inArray } from "@oven/db/drizzle";
import { namesOfUsers } from "../persons/names-of-users.ts";
import type { RunKind } from "../runtime/run-kinds.ts";

/** A difference of one past run on one definition. */
export interface Difference {
  workflowId: number;
  executionId: number;
  /** Of the definition, without what no run depends on. */
  definitionHash: string;
  digest: string;
}

/** Which differences people have looked at. A change of the definition makes other differences of them, which are not seen yet. */
export class SeenDifferences {
  readonly #db: Database;
  readonly #kind: RunKind;

  constructor(db: Database, kind: RunKind) {
    this.#db = db;
    this.#kind = kind;
  }

  /** Of these runs, those whose difference a person has looked at, with the difference: `<run> <digest>`. */
  async of(
    principal: Principal,
    {
      workflowId,
      definitionHash,
      executionIds,
    }: Pick<Difference, "workflowId" | "definitionHash"> & {
      executionIds: readonly number[];
    },
  ): Promise<ReadonlySet<string>> {
    if (executionIds.length === 0) return new Set();
    const { seenDifferences: table } = this.#kind.tables;
    const rows = await this.#db.orm
      .select({ executionId: table.executionId, digest: table.digest })
      .from(table)
      .where(
        and(
          eq(table.tenantId, principal.tenantId),
          eq(table.workflowId, workflowId),
          eq(table.definitionHash, definitionHash),
          inArray(table.executionId, [...executionIds]),
        ),
      );
    return new Set(rows.map(({ executionId, digest }) => seenKey(executionId, digest)));
  }

  /** Who has looked at one, the first first. */
  async by(
    principal: Principal,
    { workflowId, executionId, definitionHash, digest }: Difference,
  ): Promise<RehearsedSides["seenBy"]> {
    const { seenDifferences: table } = this.#kind.tables;
    const rows = await this.#db.orm
      .select()
      .from(table)
      .where(
        and(
          eq(table.tenantId, principal.tenantId),
          eq(table.workflowId, workflowId),
          eq(table.executionId, executionId),
          eq(table.definitionHash, definitionHash),
          eq(table.digest, digest),
        ),
      )
      .orderBy(asc(table.id));
    const names = await namesOfUsers(
      this.#db,
      rows.map(({ userId }) => userId),
    );
    return rows.map(({ userId, createdAt, draftRevision }) => ({
      ...{ userId, userName: names.get(userId) ?? null, at: createdAt.toISOString(), draftRevision },
    }));
  }

  /** Once for each person: what is noted already stays as it is. */
  async note(principal: Principal, userId: number, difference: Difference & { draftRevision: number }): Promise<void> {
    await this.#db.orm
      .insert(this.#kind.tables.seenDifferences)
      .values({ ...difference, tenantId: principal.tenantId, userId })
      .onConflictDoNothing();
  }
}

export function seenKey(executionId: number, digest: string): string {
  return `${executionId} ${digest}`;
}
