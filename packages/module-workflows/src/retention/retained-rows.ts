import { z } from "zod";

/** Rows of another module that go with what is old. All of it is SQL that modules write; nothing comes from people. */
export interface RetainedRows {
  table: string;
  /** The column that says how old a row is. */
  since: string;
  /** Which rows are done with; absent: all of them. */
  settled?: string;
  /** A column with the id of a run, of either kind: while that run goes on, its rows stay. */
  run?: string;
  /** Where a tenant says for how many days. */
  setting: { module: string; key: string };
}

/** What such a setting may be. */
export const RetentionDaysSchema = z.int().min(1).max(36_500);
