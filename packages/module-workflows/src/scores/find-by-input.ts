import type { Json, Principal } from "@oven/contract";
import type { NewOutcome } from "@oven/contract/run";
import { getOwn, isObject } from "@oven/engine";
import type { ExecutionReader } from "../executions/execution-reader.ts";

const PAGE = 50;
/** How many runs are looked at whose input has the text somewhere. */
const MOST_PAGES = 20;

/** The id of the newest run of a workflow whose input has this value in this field, as text or as a number. */
export async function findByInput(
  reader: Pick<ExecutionReader, "withInput">,
  principal: Principal,
  workflowId: number,
  { field, value }: NewOutcome["correlation"],
): Promise<number | undefined> {
  const path = field.split(".");
  // As it may be written there; a number may go on behind it, so each is read.
  const texts = [JSON.stringify(String(value)), String(value)].map((json) => `${JSON.stringify(path.at(-1))}:${json}`);
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const runs = await reader.withInput(principal, { workflowId, texts, before, limit: PAGE });
    const found = runs.find(({ input }) => isSame(valueAt(input, path), value));
    if (found !== undefined) return found.id;
    if (runs.length < PAGE) return undefined;
    before = runs.at(-1)?.id;
  }
  return undefined;
}

function valueAt(input: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = input;
  for (const key of path) value = isObject(value) ? getOwn(value, key) : undefined;
  return value;
}

function isSame(found: Json | undefined, value: string | number): boolean {
  return (typeof found === "string" || typeof found === "number") && String(found) === String(value);
}
