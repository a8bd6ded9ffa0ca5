import { notFound, OvenError, type Principal } from "@oven/contract";
import type { PersonChoice, PersonExport, PersonHoldings, PersonReport } from "@oven/contract/access";
import type { Queryable } from "@oven/db";
import { getTableColumns, getTableName } from "@oven/db/drizzle";
import type { ModuleDeps, PersonHolding, PersonSubject } from "@oven/module-registry";
import { requireRemovableUser } from "../users/user-service.ts";
import { streamRows } from "./stream-rows.ts";

const SUBJECT = ", (select $1::integer as tenant_id, $2::bigint as user_id, $3::text as email) s";

/** Ids of runs that are left. */
const MOST_SHOWN = 100;

interface Held {
  module: string;
  holding: PersonHolding;
}

/** One person's data, in whatever module it is: found, exported and erased as the modules declare it. */
export class PersonService {
  readonly #deps: ModuleDeps;

  constructor(deps: ModuleDeps) {
    this.#deps = deps;
  }

  /**
   * The account that is meant, and its address; or the account of an address, where there is one.
   * @throws OvenError NOT_FOUND
   */
  async resolve(tenantId: number, choice: PersonChoice): Promise<PersonSubject> {
    const [condition, value] = "userId" in choice ? ["id = $2", choice.userId] : ["lower(email) = $2", choice.email];
    const [user] = await this.#deps.db.system.query<{ id: number; email: string }>(
      `select id, lower(email) as email from users where tenant_id = $1 and ${condition}`,
      [tenantId, value],
    );
    if (user !== undefined) return { tenantId, userId: user.id, email: user.email };
    if ("userId" in choice) throw notFound("user", choice.userId);
    return { tenantId, userId: null, email: choice.email };
  }

  /** Where data of a person is, and what erasing would do. Tables without any are left out. */
  async find(subject: PersonSubject): Promise<PersonReport> {
    const holdings: PersonHoldings[] = [];
    for (const held of this.#held()) {
      const [row] = await this.#deps.db.system.query<{ rows: number }>(
        `select count(*)::integer as rows from ${getTableName(held.holding.table)} r${await this.#condition(held, subject)}`,
        toParameters(subject),
      );
      const rows = row?.rows ?? 0;
      if (rows > 0) holdings.push(toShown(held, rows));
    }
    return { userId: subject.userId, email: subject.email, holdings };
  }

  /** Everything that is held of a person as one document of the shape `PersonExport`, piece by piece: it has no bound. */
  async *export(subject: PersonSubject): AsyncGenerator<string, void> {
    const { tenantId: _, ...shown } = subject;
    const head: Omit<PersonExport, "holdings"> = {
      format: "oven-person",
      formatVersion: 1,
      exportedAt: new Date().toISOString(),
      subject: shown,
    };
    yield `${JSON.stringify(head).slice(0, -1)},"holdings":[`;
    for (const [index, held] of this.#held().entries()) {
      const { table, title, hidden = [] } = held.holding;
      const name = { module: held.module, table: getTableName(table), title };
      yield `${index === 0 ? "" : ","}${JSON.stringify(name).slice(0, -1)},"rows":`;
      yield* streamRows(this.#deps.db.system, {
        table: name.table,
        columns: Object.values(getTableColumns(table))
          .map((column) => column.name)
          .filter((column) => !hidden.includes(column)),
        condition: await this.#condition(held, subject),
        parameters: toParameters(subject),
      });
      yield "}";
    }
    yield "]}";
  }

  /**
   * Erases a person: runs first, each by itself, then everything else with the account in one transaction. Erasing again goes on
   * with what was left.
   * @param confirm the person's e-mail address again
   * @throws OvenError CONFIRMATION_WRONG 422, FORBIDDEN, LAST_OWNER 409
   */
  async erase(principal: Principal, subject: PersonSubject, confirm: string): Promise<PersonReport> {
    const { db } = this.#deps;
    requireConfirmed(confirm.trim().toLowerCase(), subject.email ?? "", "$.confirm");
    const { userId } = subject;
    // Before anything is gone.
    if (userId !== null) await db.system.transaction((tx) => requireRemovableUser(tx, principal, userId));
    const holdings: PersonHoldings[] = [];
    for (const held of this.#held()) {
      const { erase } = held.holding;
      if (erase.how !== "remove") continue;
      const { removed, left = [] } = await erase.remove(this.#deps, subject);
      if (removed > 0 || left.length > 0) holdings.push({ ...toShown(held, removed), left: left.slice(0, MOST_SHOWN) });
    }
    // Settings of the tenant are read before: within the transaction they would wait for its connection.
    const conditions = new Map<Held, string>();
    for (const held of this.#held()) conditions.set(held, await this.#condition(held, subject));
    await db.system.transaction(async (tx) => {
      if (userId !== null) await requireRemovableUser(tx, principal, userId);
      for (const [held, condition] of conditions) {
        const rows = await eraseRows(tx, held, condition, subject);
        if (rows > 0) holdings.push(toShown(held, rows));
      }
    });
    return { userId, email: subject.email, holdings };
  }

  /** Modules that build on others come first, and what they hold goes first. */
  #held(): Held[] {
    return this.#deps.registry
      .modules()
      .toReversed()
      .flatMap(({ name, personData }) => (personData?.holdings ?? []).map((holding) => ({ module: name, holding })));
  }

  async #condition({ holding: { where } }: Held, subject: PersonSubject): Promise<string> {
    const condition = typeof where === "string" ? where : await where(this.#deps, subject);
    return `${SUBJECT} where r.tenant_id in (0, s.tenant_id) and (${condition})`;
  }
}

async function eraseRows(
  tx: Queryable,
  { holding: { table, erase } }: Held,
  condition: string,
  subject: PersonSubject,
): Promise<number> {
  const name = getTableName(table);
  const parameters = toParameters(subject);
  switch (erase.how) {
    case "delete": {
      const using = condition.replace(/^,/, " using");
      return (await tx.query(`delete from ${name} r${using} returning 1 as one`, parameters)).length;
    }
    case "clear": {
      const set = Object.entries(erase.columns).map(([column, value]) => `"${column}" = ${value}`);
      const from = condition.replace(/^,/, " from");
      return (await tx.query(`update ${name} r set ${set.join(", ")}${from} returning 1 as one`, parameters)).length;
    }
    case "retain": {
      const [row] = await tx.query<{ rows: number }>(
        `select count(*)::integer as rows from ${name} r${condition}`,
        parameters,
      );
      return row?.rows ?? 0;
    }
    case "remove":
      return 0;
  }
}

function toParameters({ tenantId, userId, email }: PersonSubject): unknown[] {
  return [tenantId, userId, email];
}

function toShown({ module, holding: { table, title, erase } }: Held, rows: number): PersonHoldings {
  const why = erase.how === "retain" ? erase.why : null;
  return { module, table: getTableName(table), title, rows, erasure: erase.how, why, left: [] };
}

/** @throws OvenError CONFIRMATION_WRONG 422 */
export function requireConfirmed(given: string, expected: string, path: string): void {
  if (given === expected && expected !== "") return;
  throw new OvenError("CONFIRMATION_WRONG", "What was typed to confirm is not what is to be erased", {
    status: 422,
    path,
    fix: "Type it exactly as it is shown.",
  });
}
