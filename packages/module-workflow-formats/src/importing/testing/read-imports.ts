import { readFileSync } from "node:fs";
import { isOvenError, type JsonObject, type OvenError } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { type ForeignDraft, readForeign } from "../read-foreign.ts";

/** A document beside a test. */
export const documentAt = (name: string, test: string): string => readFileSync(new URL(name, test), "utf8");

export const outcomesOf = ({ report }: ForeignDraft) =>
  Object.fromEntries(report.elements.map(({ name, outcome }) => [name, outcome]));

export const statesOf = ({ definition }: { definition: JsonObject }) => (definition as unknown as Definition).states; // cast: validated where it is made a workflow

export const settingsOf = ({ report }: ForeignDraft) => report.settings.map(({ kind, name }) => `${kind} ${name}`);

export async function refused(source: string): Promise<OvenError> {
  const error = await readForeign(source).catch((caught: unknown) => caught);
  if (!isOvenError(error)) throw new Error("it was not refused", { cause: error });
  return error;
}
