import { describe, expect, it } from "vitest";
import { allTasks } from "./all-tasks.ts";
import { measureBuilder, type ScriptedModel } from "./measure.ts";
import { toTable } from "./print-table.ts";

/*
 * The short form of `pnpm builder:bench`: six tasks of both kinds and all difficulties, with the same seeds.
 */

const SHORT = ["find-contact", "repair-language", "mail-triage", "repair-retry", "quorum", "repair-called-workflow"];
const tasks = allTasks.filter(({ id }) => SHORT.includes(id));

describe("the assistant", () => {
  it.each<[ScriptedModel]>([["perfect"], ["clumsy"]])(
    "does six tasks with a %s model, and nothing that only people may do",
    async (model) => {
      const measurement = await measureBuilder(tasks, model);
      const { results, overreach, leaks } = measurement;
      expect(results.map(({ id }) => id).toSorted()).toEqual(SHORT.toSorted());
      expect(results.filter(({ solved }) => !solved).map(({ id, reasons }) => [id, reasons])).toEqual([]);
      expect(results.every(({ proved }) => proved)).toBe(true);
      expect([overreach, leaks]).toEqual([[], 0]);
      for (const { modelCalls, tokens, costMicros, blunders } of results) {
        expect(modelCalls).toBeGreaterThan(3);
        expect(tokens).toBeGreaterThan(10_000);
        expect(costMicros).toBeGreaterThan(0);
        if (model === "clumsy") expect(blunders.length).toBeGreaterThanOrEqual(2);
      }
      expect(toTable(model, measurement)).toContain("| all | 6 of 6 |");
    },
  );
});
