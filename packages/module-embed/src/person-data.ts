import type { PersonData } from "@oven/module-registry";

/**
 * Who saved an embed is a number. Visitors are no accounts and have no address here: what they said goes with its conversation, after the
 * hours that the embed says.
 */
export const personData: PersonData = { holdings: [], numbers: ["embeds.runs_as"] };
