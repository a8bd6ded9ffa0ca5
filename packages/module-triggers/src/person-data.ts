import type { PersonData } from "@oven/module-registry";

/** Deliveries go with the run that they started. */
export const personData: PersonData = {
  holdings: [],
  numbers: ["triggers.runs_as", "trigger_deliveries.fired_by"],
};
