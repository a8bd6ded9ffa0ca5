import type { PersonData } from "@oven/module-registry";
import { dataContainerInstances, dataContainers, linearStepInstances } from "./schema.ts";

const OWN = "r.user_id = s.user_id";

/** Data of linear workflows belongs to a person; definitions have an owner. */
export const personData: PersonData = {
  holdings: [
    { table: dataContainerInstances, title: "Contents of data containers", where: OWN, erase: { how: "delete" } },
    { table: dataContainers, title: "Data containers", where: OWN, erase: { how: "delete" } },
    { table: linearStepInstances, title: "Steps of linear workflows that ran", where: OWN, erase: { how: "delete" } },
  ],
  numbers: ["linear_steps.user_id", "linear_triggers.user_id", "linear_workflows.user_id"],
};
