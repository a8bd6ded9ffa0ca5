import { expect, it } from "vitest";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "./validate-definition.ts";

it("names that look alike are warnings at each place that has names, and the definition can be saved", () => {
  const { problems, definition } = validateDefinition(
    {
      initial: "pay_1",
      context: { total: 0, tota1: 0 },
      payloadSchema: { type: "object", properties: { name: {}, "n\u0430me": {} } },
      states: {
        pay_1: { label: "Approve", invoke: { src: "core.log", onDone: "pay_l" } },
        pay_l: { label: "\u0410pprove", invoke: { src: "core.log", onDone: "done" } },
        done: { type: "final", label: "Approved" },
      },
    },
    new ScriptedNodes({ "core.log": {} }),
  );
  expect(definition).toBeDefined();
  const found = problems.filter(({ rule }) => rule === "lookalike-names");
  expect(found.map(({ path, severity, message }) => [path, severity, message])).toEqual([
    ["$.states.pay_l", "warning", "“pay_l” looks like “pay_1”, and is another name"],
    ["$.states.pay_l.label", "warning", "“⟨U+0410⟩pprove” looks like “Approve”, and is another name"],
    ["$.context.tota1", "warning", "“tota1” looks like “total”, and is another name"],
    [
      expect.stringContaining("$.payloadSchema.properties"),
      "warning",
      "“n⟨U+0430⟩me” looks like “name”, and is another name",
    ],
  ]);
});
