import type { PersonData } from "@oven/module-registry";

/** Cases are made by people for tests. Who had them run is a number. */
export const personData: PersonData = {
  holdings: [],
  numbers: ["eval_runs.principal", "eval_runs.owner", "score_judges.created_by"],
};
