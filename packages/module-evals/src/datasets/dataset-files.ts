import { isOvenError, OvenError, type Principal, parseJson } from "@oven/contract";
import { type EvalDataset, type EvalDatasetFile, type NewEvalCase, NewEvalCaseSchema } from "@oven/contract/eval";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { fromZod } from "@oven/module-registry";
import type { EvalTargets } from "../runs/eval-targets.ts";
import { evalDatasets } from "../schema.ts";
import type { CaseService } from "./case-service.ts";
import { toNewCase } from "./dataset-rows.ts";
import type { DatasetService } from "./dataset-service.ts";

export interface DatasetFilesDeps {
  db: Database;
  datasets: DatasetService;
  cases: CaseService;
  targets: EvalTargets;
}

/** Datasets as files: taken in, and given out. */
export class DatasetFiles {
  readonly #deps: DatasetFilesDeps;

  constructor(deps: DatasetFilesDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND */
  async toFile(principal: Principal, idOrSlug: string): Promise<EvalDatasetFile> {
    const { datasets, cases, targets } = this.#deps;
    const row = await datasets.row(principal, idOrSlug);
    const { slug } = await targets.find(principal, { kind: row.targetKind, id: row.targetId });
    return {
      format: "oven.eval-dataset",
      formatVersion: 1,
      ...{ slug: row.slug, name: row.name, description: row.description },
      target: { kind: row.targetKind, id: slug },
      ...{ allowEffects: row.allowEffects, timeoutMs: row.timeoutMs },
      cases: (await cases.of(row)).map(toNewCase),
    };
  }

  /** The cases, one a line. @throws OvenError NOT_FOUND */
  async toLines(principal: Principal, idOrSlug: string): Promise<string> {
    const { cases } = await this.toFile(principal, idOrSlug);
    return cases.map((one) => `${JSON.stringify(one)}\n`).join("");
  }

  /**
   * Makes the dataset with this slug what the file says: cases that it does not name are deleted; what has been run stays.
   * @throws OvenError NOT_FOUND for the target, INVALID_EXPECTATION, INVALID_REQUEST
   */
  async take(principal: Principal, file: EvalDatasetFile): Promise<EvalDataset> {
    const { db, datasets, cases, targets } = this.#deps;
    requireOwnNames(file.cases);
    const { kind, id } = await targets.find(principal, file.target);
    const { slug, name, description, allowEffects, timeoutMs } = file;
    const values = { name, description, allowEffects, timeoutMs, targetKind: kind, targetId: id };
    await db.transaction(async (tx) => {
      const [row] = await tx.orm
        .insert(evalDatasets)
        .values({ ...values, slug, tenantId: principal.tenantId })
        .onConflictDoUpdate({
          target: [evalDatasets.tenantId, evalDatasets.slug],
          set: { ...values, updatedAt: sql`now()` },
        })
        .returning();
      if (row === undefined) throw new Error("an insert answered no row");
      await cases.put(tx.orm, row, file.cases, true);
    });
    return datasets.get(principal, slug);
  }

  /** Adds and changes cases by their names; the others stay. @throws OvenError NOT_FOUND, INVALID_REQUEST with the line */
  async takeLines(principal: Principal, idOrSlug: string, lines: string): Promise<EvalDataset> {
    const { db, datasets, cases } = this.#deps;
    const dataset = await datasets.row(principal, idOrSlug);
    const read = lines
      .replace(/^\uFEFF/, "")
      .split("\n")
      .flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, index + 1)]));
    requireOwnNames(read);
    await db.transaction((tx) => cases.put(tx.orm, dataset, read, false));
    return datasets.get(principal, String(dataset.id));
  }

  /** Makes a dataset once; what people changed of it stays. */
  async seed(principal: Principal, file: EvalDatasetFile): Promise<void> {
    const [known] = await this.#deps.db.orm
      .select({ id: evalDatasets.id })
      .from(evalDatasets)
      .where(and(eq(evalDatasets.tenantId, principal.tenantId), eq(evalDatasets.slug, file.slug)));
    if (known === undefined) await this.take(principal, file);
  }
}

function requireOwnNames(cases: readonly NewEvalCase[]): void {
  const seen = new Set<string>();
  for (const { name } of cases) {
    if (seen.has(name))
      throw new OvenError("INVALID_REQUEST", `Two cases are called ${name}`, {
        status: 400,
        path: "$.cases",
        fix: "Give each case a name of its own.",
      });
    seen.add(name);
  }
}

function readLine(line: string, number: number): NewEvalCase {
  const refuse = (message: string, cause?: unknown) =>
    new OvenError("INVALID_REQUEST", `Line ${number}: ${message}`, { status: 400, path: "$.lines", cause });
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    if (isOvenError(cause)) throw refuse(cause.message, cause);
    throw refuse("this is not JSON", cause);
  }
  const parsed = NewEvalCaseSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(fromZod(parsed.error, "$").message);
}
