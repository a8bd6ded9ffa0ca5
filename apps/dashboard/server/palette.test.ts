import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { searchPalette, toPalette } from "@oven/workflow-editor/inspector";
import { afterAll, beforeAll, expect, it } from "vitest";

let oven: TestOven;
beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
});
afterAll(() => oven.stop());

/** What people who know other products type, and one of the first three that they mean. */
const WORDS: [string, string][] = [
  ["if", "choice"],
  ["branch", "choice"],
  ["switch", "choice"],
  ["router", "choice"],
  ["classify", "agent.llm"],
  ["email", "core.http"],
  ["slack", "core.http"],
  ["code", "core.code"],
  ["agent", "agent.toolLoop"],
  ["loop", "loop"],
  ["approve", "agent.humanReview"],
  ["wait", "core.delay"],
  ["merge", "parallel"],
  ["set", "core.setVariable"],
  ["split", "loop"],
  ["for each", "loop"],
  ["webhook", "core.waitForEvent"],
  ["subworkflow", "core.callWorkflow"],
  ["database", "core.sql"],
  ["knowledge", "agent.rag"],
];

it("finds what people type under the names of other products, among all nodes that are installed", async () => {
  const { body } = await oven.call("GET", "node-types");
  const items = toPalette(body);
  const firstThree = (word: string) =>
    searchPalette(items, word)
      .slice(0, 3)
      .map(({ id }) => id);
  const missed = WORDS.flatMap(([word, id]) => (firstThree(word).includes(id) ? [] : [[word, ...firstThree(word)]]));
  expect(missed).toEqual([]);
});
