import type { PgTable } from "@oven/db/pg-core";
import type { ModuleDeps } from "./define-module.ts";

/** The person that data is looked for: an account of a tenant, an e-mail address, or both. */
export interface PersonSubject {
  tenantId: number;
  userId: number | null;
  /** In lower case. */
  email: string | null;
}

/** What erasing does to the rows of a holding. */
export type PersonErasure =
  | { how: "delete" }
  /** Sets columns to SQL expressions, such as `{ reason: "null" }`. */
  | { how: "clear"; columns: Readonly<Record<string, string>> }
  /** For rows that are more than one table, such as runs. Resolves to how many are gone, and the ids of runs in use, which are left. */
  | { how: "remove"; remove(deps: ModuleDeps, subject: PersonSubject): Promise<{ removed: number; left?: number[] }> }
  | { how: "retain"; why: string };

/** Rows of one table that are about a person. */
export interface PersonHolding {
  table: PgTable;
  /** What the rows are, as the page and the export name them. */
  title: string;
  /**
   * SQL over the row `r` and the subject `s` with `s.tenant_id`, `s.user_id` and `s.email` (either may be null). Only rows of the
   * tenant and shared ones are looked at. A function where it depends on settings of the tenant.
   */
  where: string | ((deps: ModuleDeps, subject: PersonSubject) => Promise<string>);
  /** Columns that exports leave out: secrets and hashes, and what is about others. */
  hidden?: readonly string[];
  /** What erasing does. */
  erase: PersonErasure;
}

/** What a module holds of persons. A module that holds nothing says so with `NO_PERSON_DATA`. */
export interface PersonData {
  /** In the order in which they are erased. */
  holdings: readonly PersonHolding[];
  /**
   * `table.column`s that name an account by its number only, such as who published a version. They stay: once the account is
   * erased the number names no one.
   */
  numbers: readonly string[];
}

/** Of a module that holds nothing of persons. */
export const NO_PERSON_DATA: PersonData = { holdings: [], numbers: [] };
