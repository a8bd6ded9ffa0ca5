import type { Json, JsonObject } from "@oven/contract";
import type { AppStory } from "./app-story.ts";
import { called, chainOf, n8nNode } from "./n8n-documents.ts";

/** A node of an app whose operation is one request, and what is asked when it runs. */
export interface PlainRow {
  node: readonly [type: string, version: number, parameters: JsonObject];
  /** What the run begins with; `$json` of the node is this. */
  input?: JsonObject;
  answers: readonly Json[];
  /** What a later step reads, as n8n has it. */
  reads: string;
  /** What it reads. */
  read: Json;
  asked: readonly Json[];
}

const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });

/** Runs one node, and what follows it. */
export async function runRow(story: AppStory, { node, input = {}, answers, reads }: PlainRow) {
  const [type, typeVersion, parameters] = node;
  story.reset();
  story.answer(...answers);
  const app = n8nNode("App", type, parameters, { typeVersion });
  const { status, error, output } = await story.run(chainOf(called("Start"), app, use(reads)), input);
  return { status, error, output, asked: story.asked() };
}

/** Runs nodes one after another in one workflow: what each of them reads of the run stands under its name. */
export async function runRows(story: AppStory, rows: readonly PlainRow[]) {
  story.reset();
  const nodes = rows.map(({ node: [type, typeVersion, parameters] }, index) => {
    const own = JSON.stringify(parameters).replaceAll("$json", `$('Start').item.json.r${index}`);
    return n8nNode(`App ${index}`, type, JSON.parse(own), { typeVersion });
  });
  const assignments = rows.map(({ reads }, index) => {
    const value = reads.replaceAll("$json", `$('App ${index}').item.json`);
    return { name: `r${index}`, type: "string", value };
  });
  for (const { answers } of rows) story.answer(...answers);
  const input = Object.fromEntries(rows.map(({ input: given = {} }, index) => [`r${index}`, given]));
  const last = n8nNode("Use", "set", { assignments: { assignments } });
  const { status, error, output } = await story.run(chainOf(called("Start"), ...nodes, last), input);
  return { status, error, output, asked: story.asked() };
}
