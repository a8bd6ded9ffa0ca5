import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import { requirePermission } from "@oven/module-registry";
import type { ReadDataset } from "@oven/module-workflows";
import type { EvalTargets } from "../runs/eval-targets.ts";
import type { CaseService } from "./case-service.ts";
import type { DatasetService } from "./dataset-service.ts";

/** What the enabled cases of a dataset give to a workflow, for those that look for its past runs. */
export function inputsForRuns(deps: {
  datasets: DatasetService;
  cases: CaseService;
  targets: EvalTargets;
}): ReadDataset {
  const { datasets, cases, targets } = deps;
  return async (principal: Principal, workflow, idOrSlug): Promise<JsonObject[]> => {
    requirePermission(principal, "evals.read");
    const dataset = await datasets.row(principal, idOrSlug);
    if (dataset.targetKind !== workflow.kind || dataset.targetId !== workflow.id) {
      const { name } = await targets.find(principal, { kind: dataset.targetKind, id: dataset.targetId });
      throw new OvenError("NOT_OF_TARGET", `The dataset ${dataset.slug} is about ${name}`, {
        status: 422,
        path: "$.dataset",
        fix: "Choose a dataset of this workflow.",
      });
    }
    const all = await cases.of(dataset);
    return all.filter(({ enabled }) => enabled).map(({ input }) => input);
  };
}
