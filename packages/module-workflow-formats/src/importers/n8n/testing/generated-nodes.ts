import type { Json, JsonObject } from "@oven/contract";
import type { Random } from "../../../importing/testing/random.ts";

const full = (type: string): string =>
  type.startsWith("langchain.") ? type.replace("langchain.", "@n8n/n8n-nodes-langchain.") : `n8n-nodes-base.${type}`;

/** A node with how many outputs it has, as `outputs`, which its document leaves out. */
function toNode(name: string, type: string, parameters: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, type: full(type), typeVersion: 3.4, position: [0, 0], parameters, outputs: 1, ...more };
}

export function generateTrigger(random: Random, name: string): JsonObject {
  const more: JsonObject = random.chance(5) ? { disabled: true } : {};
  switch (random.below(8)) {
    case 0:
      return toNode(name, "webhook", { httpMethod: "POST" }, more);
    case 1: {
      const httpMethod = random.pick([["GET", "POST"], ["POST", "PUT", "DELETE"], ["GET", "GET"], []]);
      return toNode(
        name,
        "webhook",
        { multipleMethods: true, httpMethod },
        { ...more, outputs: Math.max(1, httpMethod.length) },
      );
    }
    case 2:
      return toNode(name, "langchain.chatTrigger", {}, more);
    case 3:
      return toNode(name, "scheduleTrigger", {}, more);
    case 4:
      return toNode(name, "somethingTrigger", {}, { ...more, outputs: random.between(1, 2) });
    default:
      return toNode(name, random.pick(["manualTrigger", "executeWorkflowTrigger"]), {}, more);
  }
}

export function generateHelper(name: string, kind: string): JsonObject {
  const types: Record<string, string> = {
    ai_languageModel: "langchain.lmChatOpenAi",
    ai_tool: "langchain.toolCalculator",
    ai_memory: "langchain.memoryBufferWindow",
    ai_outputParser: "langchain.outputParserStructured",
  };
  return toNode(name, types[kind] ?? "", {});
}

function valueFor(random: Random, others: readonly string[]): Json {
  const other = random.pick(others);
  return random.pick<Json>([
    ...["text", "={{ $json.x }}", "={{ $json.x }}", 7, true, "={{ 1 + 1 }}", "=so {{ $json.y }} is", "$.x {{ y }}"],
    `={{ $('${other}').item.json.x }}`,
    `={{ $node["${other}"].json.y }}`,
  ]);
}

function conditionsFor(random: Random, others: readonly string[]): JsonObject {
  const operator = random.pick<JsonObject>([
    { type: "string", operation: "equals" },
    { type: "string", operation: "contains" },
    { type: "number", operation: "gt" },
    { type: "string", operation: "notExists" },
    { type: "string", operation: "regex" },
  ]);
  const one = (): JsonObject => ({
    leftValue: valueFor(random, others),
    rightValue: random.pick<Json>(["a", "7", 7]),
    operator,
  });
  return {
    options: { caseSensitive: random.chance(50), typeValidation: random.pick(["strict", "loose"]), version: 2 },
    combinator: random.pick(["and", "or"]),
    conditions: Array.from({ length: random.between(1, 2) }, one),
  };
}

const assignments = (random: Random, others: readonly string[]): JsonObject => ({
  assignments: {
    assignments: Array.from({ length: random.below(3) }, () => ({
      ...{ name: random.pick(["x", "y", "a.b", "__proto__", "constructor"]), value: valueFor(random, others) },
      type: random.pick(["string", "string", "number", "boolean", "array"]),
    })),
  },
  includeOtherFields: random.chance(30),
});

type Make = (random: Random, name: string, others: readonly string[]) => JsonObject;

const makeSwitch: Make = (random, name, others) => {
  const values = Array.from({ length: random.between(1, 3) }, () => ({ conditions: conditionsFor(random, others) }));
  const fallbackOutput = random.pick<Json>(["extra", 0, "none"]);
  const outputs = values.length + (fallbackOutput === "extra" ? 1 : 0);
  return random.chance(85)
    ? toNode(name, "switch", { rules: { values }, options: { fallbackOutput } }, { outputs })
    : toNode(
        name,
        "switch",
        {
          value1: valueFor(random, others),
          rules: {
            rules: [
              { value2: 1, output: random.below(4) },
              { value2: 2, output: 1 },
            ],
          },
          fallbackOutput: random.pick([-1, 3]),
        },
        { typeVersion: random.pick([1, 2]), outputs: 4 },
      );
};

const makeClassifier: Make = (random, name, others) => {
  const categories = Array.from({ length: random.between(1, 3) }, (_, index) => ({ category: `c${index}` }));
  const fallback = random.pick(["other", "discard"]);
  const outputs = categories.length + (fallback === "other" ? 1 : 0);
  const inputText = valueFor(random, others);
  return toNode(
    name,
    "langchain.textClassifier",
    { inputText, categories: { categories }, options: { fallback } },
    { outputs },
  );
};

const makeMerge: Make = (random, name) =>
  toNode(name, "merge", {
    mode: random.pick(["append", "append", "combine", "chooseBranch", "combineBySql"]),
    combineBy: random.pick(["combineByPosition", "combineAll", "combineByFields"]),
  });

const makeLoop: Make = (random, name) =>
  toNode(name, "splitInBatches", random.chance(20) ? { batchSize: 5 } : {}, {
    outputs: 2,
    ...(random.chance(15) ? { typeVersion: 2 } : {}),
  });

const makeHttp: Make = (random, name, others) =>
  toNode(name, "httpRequest", {
    method: random.pick(["GET", "POST"]),
    url: random.pick<Json>([
      "https://example.com/list",
      "=https://example.com/{{ $json.x }}",
      valueFor(random, others),
    ]),
  });

/** A node of an app: one that hands on an item, or a list. */
const makeApp: Make = (random, name, others) => {
  const place = (value: Json): JsonObject => ({ __rl: true, mode: "id", value });
  const at = { base: place("app1"), table: place(random.pick<Json>(["tbl1", valueFor(random, others)])), options: {} };
  const sheet = { documentId: place("d1"), sheetName: place(0), options: {} };
  const columns = {
    mappingMode: "defineBelow",
    value: { x: valueFor(random, others), id: "7" },
    matchingColumns: ["id"],
  };
  return random.pick([
    toNode(
      name,
      "slack",
      { select: "channel", channelId: place("C1"), text: valueFor(random, others) },
      { typeVersion: 2.2 },
    ),
    toNode(
      name,
      "airtable",
      { ...at, operation: "search", filterByFormula: valueFor(random, others) },
      { typeVersion: 2.1 },
    ),
    toNode(name, "airtable", { ...at, operation: "create", columns }, { typeVersion: 2.1 }),
    toNode(name, "googleSheets", sheet, { typeVersion: 4.5 }),
    toNode(name, "googleSheets", { ...sheet, operation: "update", columns }, { typeVersion: 4.5 }),
  ]);
};

/** Those that are more likely are there more often. */
const MAKES: readonly Make[] = [
  ...Array<Make>(4).fill((random, name, others) => toNode(name, "set", assignments(random, others))),
  ...Array<Make>(4).fill((random, name, others) =>
    toNode(name, "if", { conditions: conditionsFor(random, others) }, { outputs: 2 }),
  ),
  ...Array<Make>(3).fill(makeSwitch),
  ...Array<Make>(3).fill(makeLoop),
  ...Array<Make>(2).fill(makeMerge),
  ...Array<Make>(2).fill((_, name) => toNode(name, "noOp", {})),
  ...Array<Make>(2).fill(makeHttp),
  ...Array<Make>(2).fill(makeApp),
  ...Array<Make>(2).fill((random, name) =>
    toNode(name, "splitOut", { fieldToSplitOut: random.pick(["x", "a.b", "=x"]) }),
  ),
  makeClassifier,
  (random, name, others) => toNode(name, "filter", { conditions: conditionsFor(random, others) }),
  (random, name) =>
    toNode(
      name,
      "wait",
      random.pick<JsonObject>([{ amount: 1, unit: "seconds" }, { resume: "webhook" }, { resume: "form" }]),
    ),
  (random, name, others) => toNode(name, "stopAndError", { errorMessage: valueFor(random, others) }),
  (random, name) => toNode(name, "executeWorkflow", { workflowId: random.pick(["Other", "=x"]) }),
  (random, name, others) =>
    toNode(name, "respondToWebhook", {
      respondWith: random.pick(["text", "json", "noData"]),
      responseBody: valueFor(random, others),
    }),
  (random, name, others) =>
    toNode(name, "langchain.agent", {
      promptType: "define",
      text: valueFor(random, others),
      hasOutputParser: random.chance(20),
    }),
  (random, name, others) =>
    toNode(name, "langchain.chainLlm", { promptType: "define", text: valueFor(random, others) }),
  (random, name) =>
    toNode(name, random.pick(["code", "googleSheets", "somethingElse"]), {}, { outputs: random.pick([1, 1, 2]) }),
];

export function generateNode(random: Random, name: string, others: readonly string[]): JsonObject {
  const node = random.pick(MAKES)(random, name, others.length === 0 ? [name] : others);
  const outputs = Number(node.outputs);
  return {
    ...node,
    ...(random.chance(12) ? { onError: "continueErrorOutput", outputs: outputs + 1 } : {}),
    ...(random.chance(4) ? { onError: "continueRegularOutput" } : {}),
    ...(random.chance(5) ? { disabled: true } : {}),
    ...(random.chance(4) ? { alwaysOutputData: true } : {}),
    ...(random.chance(4) ? { retryOnFail: true, maxTries: 2 } : {}),
  };
}
