import { isOvenError, type JsonObject } from "@oven/contract";
import {
  CustomAgentSchema,
  CustomLlmSchema,
  LinearTriggerSchema,
  StopCheckerSchema,
} from "@oven/contract/formats/linear.ts";
import { fromZod } from "@oven/module-registry";
import { describe, expect, it } from "vitest";
import { checkSource, type SourceFacts } from "./check-source.ts";
import { toFilter } from "./filter-rules.ts";
import type { LinearSource, StepRow, TriggerRow } from "./linear-source.ts";

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const shared = { uuid: uuid(1), user_id: uuid(2), name: "A step", description: "" };
const asks = {
  ...shared,
  model: "fast",
  system_prompt: "Go.",
  output_datacontainer_uuid: uuid(3),
  generated_summary: null,
};
const condition = {
  ...{ datacontainer_definition_uuid: uuid(3), extraction_json_path: "$.a" },
  ...{ operator: "equals", target_value: 1 },
};
const GOOD = {
  llm: { ...asks, type: "custom_llm" },
  agent: { ...asks, type: "custom_agent", tools: { "mail.addLabel": { enabled: true } } },
  checker: { ...shared, type: "stop_checker", stop_conditions: [condition] },
  trigger: {
    ...{ uuid: uuid(4), user_id: uuid(2), workflow_uuid: uuid(5), type: "manual", config: {}, filter_rules: {} },
    ...{ output_datacontainer_uuid: uuid(6), initial_data_description: "" },
    ...{ created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" },
  },
};
const SCHEMAS = {
  llm: CustomLlmSchema,
  agent: CustomAgentSchema,
  checker: StopCheckerSchema,
  trigger: LinearTriggerSchema,
};
type Kind = keyof typeof GOOD;

const ONE = (more: JsonObject) => ({ stop_conditions: [{ ...condition, ...more }] });
const BODIES: [what: string, kind: Kind, change: JsonObject, path: string][] = [
  ["a step's id that is no UUID", "llm", { uuid: "one" }, "$.uuid"],
  ["a step's id that is a number", "llm", { uuid: 1 }, "$.uuid"],
  ["an owner that is no UUID", "llm", { user_id: "me" }, "$.user_id"],
  ["a step without a name", "llm", { name: "" }, "$.name"],
  ["a name of blanks", "agent", { name: "   " }, "$.name"],
  ["a name that is a list", "checker", { name: [] }, "$.name"],
  ["a kind of trigger whose name is too long", "trigger", { type: "x".repeat(101) }, "$.type"],
  ["a description that is null", "llm", { description: null }, "$.description"],
  ["a description that is too long", "llm", { description: "x".repeat(10_001) }, "$.description"],
  ["a model that is a list", "llm", { model: ["fast"] }, "$.model"],
  ["a model that is too long", "llm", { model: "x".repeat(301) }, "$.model"],
  ["a prompt that is an object", "llm", { system_prompt: {} }, "$.system_prompt"],
  ["a prompt that is too long", "agent", { system_prompt: "x".repeat(200_001) }, "$.system_prompt"],
  ["an output container that is null", "llm", { output_datacontainer_uuid: null }, "$.output_datacontainer_uuid"],
  ["a type that does not exist", "llm", { type: "python" }, "$.type"],
  ["a step of another type", "llm", { type: "custom_agent" }, "$.type"],
  ["a checker of another type", "checker", { type: "custom_llm" }, "$.type"],
  ["a field that does not exist", "llm", { temprature: 1 }, "$"],
  ["tools that are a list", "agent", { tools: ["mail.addLabel"] }, "$.tools"],
  ["tools that are text", "agent", { tools: "all" }, "$.tools"],
  ["a tool that is on by a word", "agent", { tools: { a: { enabled: "yes" } } }, "$.tools.a.enabled"],
  ["a tool that is only true", "agent", { tools: { a: true } }, "$.tools.a"],
  ["conditions that are an object", "checker", { stop_conditions: condition }, "$.stop_conditions"],
  ["a condition that is text", "checker", { stop_conditions: ["a = 1"] }, "$.stop_conditions[0]"],
  ["a hundred and one conditions", "checker", { stop_conditions: Array(101).fill(condition) }, "$.stop_conditions"],
  [
    "a condition on a container that is no UUID",
    "checker",
    ONE({ datacontainer_definition_uuid: "x" }),
    "$.stop_conditions[0].datacontainer_definition_uuid",
  ],
  [
    "a condition without a path",
    "checker",
    ONE({ extraction_json_path: "" }),
    "$.stop_conditions[0].extraction_json_path",
  ],
  [
    "a condition whose path is a number",
    "checker",
    ONE({ extraction_json_path: 1 }),
    "$.stop_conditions[0].extraction_json_path",
  ],
  ["an operator that does not exist", "checker", ONE({ operator: "like" }), "$.stop_conditions[0].operator"],
  ["a field of a condition that does not exist", "checker", ONE({ value: 1 }), "$.stop_conditions[0]"],
  ["a trigger of no type", "trigger", { type: "" }, "$.type"],
  ["settings that are a list", "trigger", { config: [] }, "$.config"],
  ["rules that are text", "trigger", { filter_rules: "all" }, "$.filter_rules"],
  ["a trigger of a workflow that is no UUID", "trigger", { workflow_uuid: "x" }, "$.workflow_uuid"],
  ["an instant that is a number", "trigger", { created_at: 7 }, "$.created_at"],
];

describe("a linear workflow's part that is malformed is refused at its place", () => {
  it("and those that are good are taken", () => {
    for (const kind of Object.keys(GOOD) as Kind[]) // cast: its own keys
      expect(SCHEMAS[kind].safeParse(GOOD[kind]).error?.issues ?? [], kind).toEqual([]);
  });

  it.each(BODIES)("%s", (_what, kind, change, path) => {
    const { error } = SCHEMAS[kind].safeParse({ ...GOOD[kind], ...change });
    if (error === undefined) throw new Error("it was taken");
    expect(fromZod(error, "$").path).toBe(path);
  });

  it.each([
    ["a path that cannot be read", { "a..b": 1 }, '$.filter_rules["a..b"]'],
    ["a path without an end", { "a[0": 1 }, '$.filter_rules["a[0"]'],
    ["an operator that does not exist", { a: { operator: "like", value: 1 } }, '$.filter_rules["a"]'],
    ["a rule without a value", { a: { operator: "equals" } }, '$.filter_rules["a"]'],
    ["a rule without an operator", { b: { value: 1 } }, '$.filter_rules["b"]'],
  ])("a filter rule: %s", (_what, rules, path) => {
    const refused = (() => {
      try {
        return toFilter({ good: 1, ...rules });
      } catch (error) {
        return error;
      }
    })();
    if (!isOvenError(refused)) throw new Error("it was taken");
    expect(refused).toMatchObject({ code: "INVALID_TRIGGER", path });
  });
});

const FACTS: SourceFacts = {
  containers: new Set([uuid(90)]),
  modelProblem: async (model) => (model === "fast" ? undefined : `There is no model ${model}`),
  tools: new Set(["mail.addLabel"]),
  triggerProblem: undefined,
};
// cast: no more of a row is read
const step = (number: number, details: JsonObject, type = "custom_llm") =>
  ({ uuid: uuid(number), name: `Step ${number}`, type, details: { ...details } }) as unknown as StepRow;
const first = step(11, { model: "fast", systemPrompt: "Go.", outputContainer: uuid(21) });
const second = (details: JsonObject, type?: string) =>
  step(12, { model: "fast", systemPrompt: "Go.", outputContainer: uuid(22), ...details }, type);
const trigger = { details: { outputContainer: uuid(20) } } as TriggerRow; // cast: as above
const checker = (more: JsonObject) => {
  const own = { ...condition, datacontainer_definition_uuid: uuid(21), ...more };
  return second({ stopConditions: [own] }, "stop_checker");
};

const SOURCES: [what: string, steps: StepRow[], says: RegExp, step: number | null, more?: object][] = [
  ["no trigger", [first], /has no trigger/, null, { trigger: null }],
  ["a trigger that cannot listen", [first], /cannot listen: no host/, null, { triggerProblem: "no host" }],
  ["no prompt", [first, second({ systemPrompt: " " })], /Step 12 has no system prompt/, 12],
  ["no model", [first, second({ model: "" })], /Step 12 has no model/, 12],
  ["a model that does not exist", [first, second({ model: "fsat" })], /There is no model fsat/, 12],
  [
    "a tool that does not exist",
    [first, second({ tools: { "mail.adLabel": { enabled: true } } }, "custom_agent")],
    /tool mail\.adLabel, which does not exist/,
    12,
  ],
  [
    "data of a container that does not exist",
    [first, second({ systemPrompt: `Read <<data.${uuid(99)}>>` })],
    /at character 5, a data container that does not exist/,
    12,
  ],
  [
    "data that no step writes",
    [first, second({ systemPrompt: `<<data.${uuid(90)}>>` })],
    /at character 0, which no step of this workflow writes/,
    12,
  ],
  [
    "data that is written only later",
    [second({ systemPrompt: `See <<data.${uuid(21)}>>` }), first],
    /at character 4, which Step 11 writes only later/,
    12,
  ],
  ["its own output", [first, second({ systemPrompt: `<<data.${uuid(22)}>>` })], /which Step 12 writes only later/, 12],
  [
    "a checker without a condition",
    [first, second({ stopConditions: [] }, "stop_checker")],
    /Step 12 has no stop condition/,
    12,
  ],
  [
    "a condition on what is not there",
    [first, checker({ datacontainer_definition_uuid: uuid(99) })],
    /condition 1's container, a data container that does not exist/,
    12,
  ],
  [
    "a condition whose path cannot be read",
    [first, checker({ extraction_json_path: "$.a[" })],
    /Step 12, condition 1: /,
    12,
  ],
];

it.each(SOURCES)(
  "a linear workflow that is incomplete says which step and where: %s",
  async (_what, steps, says, at, more = {}) => {
    const { trigger: given = trigger, ...facts } = more as { trigger?: TriggerRow | null }; // cast: as written above
    const problems = await checkSource(
      { workflow: {} as LinearSource["workflow"], steps, trigger: given },
      { ...FACTS, ...facts },
    ); // cast: not read
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      step_uuid: at === null ? null : uuid(at),
      message: expect.stringMatching(says),
    });
  },
);
