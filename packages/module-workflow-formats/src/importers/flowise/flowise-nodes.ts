import { type Json, type JsonObject, parseJson, toSlug } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { setOwn } from "@oven/engine";
import { fillJson } from "../../importing/json-template.ts";
import { insideText, joinTexts, toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { safeRequest } from "../../importing/safe-request.ts";
import { type FlowiseContext, keyOf, type MapNode, toStep, updatesOf } from "./flowise-context.ts";
import { plainText, VARIABLE } from "./flowise-data.ts";
import { type FlowiseNode, objectsIn, textOf } from "./flowise-document.ts";
import { loopTarget, mapAgent, mapConditionAgent, mapLlm } from "./flowise-models.ts";

const mapReply: MapNode = (node, context) => {
  const text = joinTexts([context.data.template(node.inputs.directReplyMessage, node)]);
  const content = `$.${context.stateOf(node.id)}_output.text`;
  return toStep(node, context, "core.transform", { input: { mapping: { text } }, content });
};

/** A number, as the beginning of a text is read as one; 0 where there is none. */
const toNumber = (text: string): string => `(${text}).matches("^[-+]?[0-9]+([.][0-9]+)?$") ? double(${text}) : 0.0`;

const NUMBERS: Record<string, string> = {
  equal: "==",
  notEqual: "!=",
  smaller: "<",
  smallerEqual: "<=",
  larger: ">",
  largerEqual: ">=",
};
const TEXTS: Record<string, (one: string, two: string) => string> = {
  equal: (one, two) => `${one} == ${two}`,
  notEqual: (one, two) => `${one} != ${two}`,
  contains: (one, two) => `(${one}).contains(${two})`,
  notContains: (one, two) => `!(${one}).contains(${two})`,
  startsWith: (one, two) => `(${one}).startsWith(${two})`,
  endsWith: (one, two) => `(${one}).endsWith(${two})`,
  isEmpty: (one) => `(${one}) == ""`,
  notEmpty: (one) => `(${one}) != ""`,
};

function guardOf({ type, operation, value1, value2 }: JsonObject, node: FlowiseNode, { data }: FlowiseContext): Guard {
  const [one, two] = [data.cel(value1, node), data.cel(value2, node)];
  const asked = textOf(operation);
  if (type === "number") {
    const operator = Object.hasOwn(NUMBERS, asked) ? NUMBERS[asked] : undefined;
    if (operator === undefined) throw new NoEquivalent(`it compares numbers by “${asked}”`);
    const expression = `(${toNumber(one)}) ${operator} (${toNumber(two)})`;
    return { type: "cel", params: { expression } };
  }
  if (type !== "string" && type !== undefined) throw new NoEquivalent(`it compares values of the type ${textOf(type)}`);
  const compare = Object.hasOwn(TEXTS, asked) ? TEXTS[asked] : undefined;
  if (compare === undefined) throw new NoEquivalent(`it compares texts by “${asked}”`);
  return { type: "cel", params: { expression: compare(one, two) } };
}

const mapCondition: MapNode = (node, context) => {
  const conditions = objectsIn(node.inputs.conditions);
  const outputs = (index: number) => context.document.outputs(node.id, String(index));
  const ways = conditions.map((one, index) => ({ guard: guardOf(one, node, context), targets: outputs(index) }));
  const notes = conditions.some(({ type }) => type !== "number")
    ? ["Texts are compared as they are; Flowise takes the marks of Markdown out of them first."]
    : [];
  return { ways: [...ways, { targets: outputs(conditions.length) }], notes };
};

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|.*(api[-_]?key|token|secret).*)$/i;

const mapHttp: MapNode = (node, context) => {
  const { inputs, label, path } = node;
  const { data, reporter, stateOf } = context;
  const method = textOf(inputs.method) || "GET";
  if (!METHODS.has(method)) throw new NoEquivalent(`the method ${method} is not known`);
  if (node.hasCredential) throw new NoEquivalent("its credential, whose kind is not in the document, has to be chosen");
  if (textOf(inputs.url) === "") throw new NoEquivalent("it has no address");
  const kind = textOf(inputs.responseType);
  if (kind !== "" && kind !== "json" && kind !== "text") throw new NoEquivalent(`it reads its answer as ${kind}`);
  const notes: string[] = [];
  const text = (value: Json | undefined) => insideText(data.template(value, node));
  const pairs = (field: Json | undefined) =>
    objectsIn(field).filter(({ key, value }) => textOf(key) !== "" && textOf(value) !== "");
  const headers: JsonObject = {};
  for (const { key, value } of pairs(inputs.headers)) {
    const name = textOf(key);
    if (!SECRET_HEADERS.test(name)) {
      setOwn(headers, name, text(value));
      continue;
    }
    const secret = toSlug(`${label} ${name}`);
    reporter.setting("credential", secret, `Make a secret of this name for the header ${name}.`, path);
    notes.push(`It signs in with the secret ${secret}, which must be made.`);
    setOwn(headers, name, { $secret: secret });
  }
  const query: JsonObject = {};
  for (const { key, value } of pairs(inputs.queryParams)) {
    if (Object.hasOwn(query, textOf(key))) throw new NoEquivalent("a query parameter of it stands twice");
    setOwn(query, textOf(key), text(value));
  }
  const input: Record<string, Json> = {
    ...{ method, url: joinTexts([data.template(inputs.url, node)]) },
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(method === "GET" ? {} : bodyOf(node, context, notes)),
  };
  const content = `$.${stateOf(node.id)}_output.body`;
  const safe = safeRequest(input, { name: label, path, reporter, notes });
  const step = toStep(node, context, "core.http", { input: safe, content });
  // It is sent once there, whatever comes back.
  return { ...step, invoke: { src: "core.http", input: safe, retry: { maxAttempts: 1 } }, notes };
};

function bodyOf(node: FlowiseNode, { data }: FlowiseContext, notes: string[]): JsonObject {
  const { body, bodyType } = node.inputs;
  const fields = objectsIn(body);
  if (textOf(body) === "" && fields.length === 0) return {};
  const fieldsOf = (): JsonObject => {
    const result: JsonObject = {};
    for (const { key, value } of fields) setOwn(result, textOf(key), insideText(data.template(value, node)));
    return result;
  };
  switch (bodyType) {
    case "json": {
      const filled = fillJson(plainText(textOf(body)), VARIABLE, (part) => data.template(part, node));
      if (filled === undefined) throw new NoEquivalent("its JSON cannot be read without filling it in");
      if (filled.isBare)
        notes.push("A variable without quotes in its body is sent as its value; Flowise reads its text as JSON.");
      return { body: filled.value };
    }
    case "raw":
      return { body: insideText(data.template(body ?? "", node)), bodyType: "text" };
    case "formData":
      return { body: fieldsOf(), bodyType: "multipart" };
    default:
      throw new NoEquivalent(`it sends a body of the kind ${textOf(bodyType) || "none"}`);
  }
}

/** What code has there beside JavaScript itself. */
const MISSING: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\brequire\s*\(|\bimport\s*\(/, "it loads modules"],
  [/\b(?:axios|fetch)\b/, "it calls over the network"],
  [/\bprocess\b|\bBuffer\b|\bset(?:Timeout|Interval)\b/, "it uses what Node has beside the language"],
  [/\$(?:flow|vars|input)\b/, "it reads the flow itself"],
];

const mapFunction: MapNode = (node, context) => {
  const { inputs } = node;
  const code = textOf(inputs.customFunctionJavascriptFunction);
  if (code.trim() === "") throw new NoEquivalent("it has no code");
  const missing = MISSING.find(([pattern]) => pattern.test(code));
  if (missing !== undefined) throw new NoEquivalent(`${missing[1]}, and code here has its inputs only`);
  const given: JsonObject = {};
  const names: string[] = [];
  for (const { variableName, variableValue } of objectsIn(inputs.customFunctionInputVariables)) {
    const name = textOf(variableName);
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new NoEquivalent(`a variable of it is called ${JSON.stringify(name)}`);
    names.push(name);
    // What names an output arrives as it is; everything else as a text.
    const isRaw = /^\s*\{\{[^{}]+\.output\.[^{}]+\}\}\s*$/.test(plainText(textOf(variableValue)));
    setOwn(given, isRaw ? `$${name}` : `given_${name}`, context.data.template(variableValue, node));
  }
  const texts = names.filter((name) => Object.hasOwn(given, `given_${name}`));
  const toText = '(value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value))';
  const lines = texts.map((name) => `const $${name} = (${toText})(given_${name});`);
  const whole = [
    ...lines,
    "const answered = await (async () => {",
    code.trimEnd(),
    "})();",
    'return typeof answered === "object" ? JSON.stringify(answered, null, 2) : answered;',
    "",
  ].join("\n");
  const content = `$.${context.stateOf(node.id)}_output.result`;
  const updates = updatesOf(inputs.customFunctionUpdateState, node, context, content);
  const input = { language: "javascript", code: whole, inputs: given };
  return toStep(node, context, "core.code", { input, updates, content });
};

const mapRetriever: MapNode = (node, context) => {
  const { inputs, label, path } = node;
  const query = textOf(inputs.retrieverQuery);
  if (query === "" && !context.isChat) throw new NoEquivalent("it has no query");
  if (inputs.outputFormat === "textWithMetadata") throw new NoEquivalent("it hands on what it found as JSON");
  const count = objectsIn(inputs.retrieverKnowledgeDocumentStores).length;
  const store = toSlug(label);
  const advice = `Make a vector store with the slug ${store} and fill it${count > 1 ? ` from ${count} document stores` : ""}; document stores are not imported.`;
  context.reporter.setting("knowledge", label, advice, path);
  const notes = [
    advice,
    "What it finds is put together with the titles of the documents, where Flowise joins the texts.",
  ];
  const asked = query === "" ? "$.trigger.message" : context.data.template(query, node);
  const input: Record<string, Json> = { store, query: joinTexts([asked]), history: "none" };
  const content = `$.${context.stateOf(node.id)}_output.context`;
  const updates = updatesOf(inputs.retrieverUpdateState, node, context, content);
  return { ...toStep(node, context, "agent.rag", { input, updates, content }), notes };
};

const mapHuman: MapNode = (node, context) => {
  const { inputs, label } = node;
  if (inputs.humanInputDescriptionType === "dynamic") throw new NoEquivalent("a model writes what it asks");
  const show = joinTexts([context.data.template(inputs.humanInputDescription || "Do you want to proceed?", node)]);
  const notes = [
    "It showed the last message above its question: name it in `show`.",
    "Say in `assignees` who decides.",
  ];
  const [proceed, reject] = ["0", "1"].map((output) => context.document.outputs(node.id, output));
  const guard = {
    type: "condition" as const,
    params: { key: "$.output.action", operator: "==" as const, value: "approve" },
  };
  return {
    invoke: { src: "agent.humanReview", input: { title: label, show, actions: ["approve", "reject"] } },
    ways: [{ guard, targets: proceed ?? [] }, { targets: reject ?? [] }],
    notes,
  };
};

/** @throws NoEquivalent */
function listOf(node: FlowiseNode, { data }: FlowiseContext): Json {
  const text = plainText(textOf(node.inputs.iterationInput));
  if (VARIABLE.test(text)) return data.template(text, node);
  try {
    return toLiteral(parseJson(text));
  } catch {
    throw new NoEquivalent("its list is no JSON");
  }
}

/** A list that is a text is read as JSON. A number that would be rounded is refused, as everywhere at the border. */
const READ_LIST = String.raw`if (typeof list !== "string") return list;
const numbers = list.replace(/"(?:[^"\\]|\\.)*"/g, "");
if (/[\d.]{16,}|e[+]?\d{3,}/i.test(numbers)) throw new Error("The list has a number that would be rounded");
const { parse } = JSON;
return parse(list);
`;

const mapIteration: MapNode = (node, context) => {
  const { document, data, stateOf } = context;
  if (node.parent !== undefined) throw new NoEquivalent("it is inside of another iteration");
  const entry = document.bodyOf(node.id);
  if (entry.length === 0) throw new NoEquivalent("it has no steps");
  if (!document.isClosed(node.id)) throw new NoEquivalent("its steps are connected with some outside of it");
  const inner = [...document.nodes.values()].filter(({ parent }) => parent === node.id);
  const [last, ...others] = inner.filter(({ id }) => document.outputs(id).length === 0);
  if (last === undefined || others.length > 0) throw new NoEquivalent("its rounds end in several ways");
  const [list, results] = [stateOf(node.id, "list"), stateOf(node.id, "results")];
  const joined = `ctx.${list}_output.items.map(i, i.status == "completed" ? string(i.output) : "").join("\\n")`;
  return {
    invoke: {
      src: "core.code",
      input: { language: "javascript", code: READ_LIST, inputs: { list: listOf(node, context) } },
    },
    ways: [{ targets: [keyOf("list", node.id)] }],
    notes: ["A round that fails adds an empty line to what it hands on, where Flowise adds the error."],
    more: [
      [
        "list",
        {
          loop: {
            type: "forEach",
            collection: `$.${stateOf(node.id)}_output.result`,
            maxIterations: 1_000,
            timeoutMs: 3_600_000,
            continueOnError: true,
            body: { entry, output: data.contentOf(last) },
          },
          ways: [{ targets: [keyOf("results", node.id)] }],
        },
      ],
      [
        "results",
        {
          invoke: { src: "core.transform", input: { mapping: { text: { $cel: joined } } } },
          ways: [{ targets: document.outputs(node.id) }],
          endOutput: { text: `$.${results}_output.text` },
        },
      ],
    ],
  };
};

/** Goes back to an earlier node, at most so many times. */
const mapLoop: MapNode = (node, context) => {
  const { inputs } = node;
  const target = loopTarget(node);
  if (!context.document.nodes.has(target)) throw new NoEquivalent("it names no node to go back to");
  if (context.document.nodes.get(target)?.parent !== node.parent)
    throw new NoEquivalent("it goes back out of an iteration");
  const most = Number(textOf(inputs.maxLoopCount) || 5);
  const counter = countPath(node, context);
  const expression = `ctx.${counter.slice(2)} < ${Math.max(0, Math.trunc(most))}`;
  const actions = [
    { type: "assign" as const, params: { path: counter, add: 1 } },
    ...updatesOf(inputs.loopUpdateState, node, context),
  ];
  const fallback = textOf(inputs.fallbackMessage);
  return {
    ways: [{ guard: { type: "cel", params: { expression } }, targets: [target], actions }, { targets: [] }],
    endOutput: { text: fallback === "" ? null : joinTexts([context.data.template(fallback, node)]) },
  };
};

/** Counts how often a loop went back. */
export const countPath = (node: FlowiseNode, { stateOf }: Pick<FlowiseContext, "stateOf">): string =>
  `$.${stateOf(node.id)}_count`;

/** What nodes become, by kind. What is not here becomes a placeholder. */
export const FLOWISE_NODES: ReadonlyMap<string, MapNode> = new Map(
  Object.entries({
    llmAgentflow: mapLlm,
    agentAgentflow: mapAgent,
    conditionAgentflow: mapCondition,
    conditionAgentAgentflow: mapConditionAgent,
    httpAgentflow: mapHttp,
    customFunctionAgentflow: mapFunction,
    retrieverAgentflow: mapRetriever,
    directReplyAgentflow: mapReply,
    humanInputAgentflow: mapHuman,
    iterationAgentflow: mapIteration,
    loopAgentflow: mapLoop,
  } satisfies Record<string, MapNode>),
);

export function whyUnknown({ type, inputs }: FlowiseNode): string {
  if (type === "toolAgentflow") return `it calls the tool ${textOf(inputs.toolAgentflowSelectedTool) || "of Flowise"}`;
  if (type === "executeFlowAgentflow") return "it calls another flow: import that one, and call it here";
  return "there is no node here that does the same";
}
