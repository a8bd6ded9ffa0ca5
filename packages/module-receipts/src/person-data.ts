import type { PersonData } from "@oven/module-registry";

/** A receipt names who decided by the numbers of their accounts, and has digests of data, whose salt goes with the run's details. */
export const personData: PersonData = { holdings: [], numbers: ["run_receipts.file"] };
