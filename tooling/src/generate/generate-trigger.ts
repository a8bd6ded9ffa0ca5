import { addToList } from "./add-to-list.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGerman } from "./german-words.ts";
import { toPascal, toTitle } from "./names.ts";

const FOLDER = "packages/module-triggers/src/types";
const LIST = `${FOLDER}/trigger-types.ts`;

const GERMAN = "packages/module-triggers/i18n/de.json";

/**
 * A new kind of trigger that looks at the clock: its file, its test, its line in the list, and its German words.
 * @param id such as `tide` or `low-stock`
 * @param read the text of a file of the repository
 */
export function generateTrigger(id: string, read: (path: string) => string): GeneratedFile[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length > 64)
    throw new Error(
      `${JSON.stringify(id)} is not a kind of trigger; use up to 64 lower-case letters, digits and single dashes`,
    );
  const pascal = toPascal(id);
  const variable = `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}Trigger`;
  const title = toTitle(id);
  const docs = `${title}: starts every so many minutes. What arrives is {at}.`;
  const words = { [title]: title, [docs]: `${title}: startet alle so und so viele Minuten. Es kommt {at} an.` };
  return [
    { path: `${FOLDER}/${id}.trigger.ts`, text: triggerSource({ id, variable, title, docs }), kind: "new" },
    { path: `${FOLDER}/${id}.trigger.test.ts`, text: triggerTest(id, title), kind: "new" },
    {
      path: LIST,
      text: addToList(read(LIST), { entry: variable, value: variable, from: `./${id}.trigger.ts` }),
      kind: "changed",
    },
    { path: GERMAN, text: withGerman(read(GERMAN), words), kind: "changed" },
  ];
}

function triggerSource(names: { id: string; variable: string; title: string; docs: string }): string {
  const { id, variable, title, docs } = names;
  return `import { defineTrigger } from "@oven/module-registry";
import { z } from "zod";

const MINUTE = 60_000;

export const ${variable} = defineTrigger({
  id: "${id}",
  title: "${title}",
  docs: "${docs}",
  config: z.strictObject({
    everyMinutes: z.int().min(1).max(1_440).default(60).describe("Minutes between two looks"),
  }),
  sample: { at: "2026-01-01T09:00:00.000Z" },
  clock: {
    first: ({ everyMinutes }, after) => new Date(after.getTime() + everyMinutes * MINUTE),
    async fire({ config, dueAt, now }) {
      const at = dueAt.toISOString();
      const next = new Date(now.getTime() + config.everyMinutes * MINUTE);
      // After a crash it is called again: the same key starts nothing twice.
      return { arrivals: [{ key: \`at:\${at}\`, payload: { at } }], next };
    },
  },
});
`;
}

function triggerTest(id: string, title: string): string {
  return `import { afterAll, beforeAll, expect, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const clock: TestClock = { now: new Date("2026-01-01T08:00:00Z") };
let triggers: TestTriggers;
beforeAll(async () => {
  triggers = await startTriggers(clock);
});
afterAll(() => triggers.stop());

it("starts one run each time it is due", async () => {
  const workflowId = await triggers.workflow("Report");
  const made = await triggers.make({
    type: "${id}",
    name: "${title}",
    target: { kind: "workflow", workflowId },
    config: { everyMinutes: 30 },
  });
  expect(made.dueAt).toBe("2026-01-01T08:30:00.000Z");
  await triggers.tick();
  expect(await triggers.deliveries(made.id)).toEqual([]);
  clock.now = new Date("2026-01-01T08:30:00Z");
  await triggers.tick();
  await triggers.tick();
  expect(await triggers.deliveries(made.id)).toMatchObject([
    { decision: "started", key: "at:2026-01-01T08:30:00.000Z", payload: { at: "2026-01-01T08:30:00.000Z" } },
  ]);
});

it("refuses settings that it does not have", async () => {
  const target = { kind: "workflow", workflowId: await triggers.workflow("Other") };
  const body = { type: "${id}", name: "Other", target, config: { everyMinutes: 0 } };
  await expect(triggers.make(body)).rejects.toThrow("everyMinutes");
});
`;
}
