import type { PersonData } from "@oven/module-registry";

/** Repairs name accounts by their numbers only; what failed runs were given is in the runs. */
export const personData: PersonData = { holdings: [], numbers: ["builder_proposals.started_by"] };
