import type { Json, JsonObject } from "@oven/contract";
import type { Action, Guard } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import type { Way } from "../../importing/graph/graph-parts.ts";
import { joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { mapAgent } from "./dify-agents.ts";
import { mapCode } from "./dify-code.ts";
import { translateCase } from "./dify-conditions.ts";
import { constantOf } from "./dify-constants.ts";
import { afterKey, type DifyContext, type MapNode, toStep } from "./dify-context.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";
import { mapDocumentExtractor } from "./dify-document-extractor.ts";
import { mapHttp } from "./dify-http.ts";
import { mapIteration, OPEN } from "./dify-iteration.ts";
import { compileJinja, isJinjaProgram } from "./dify-jinja.ts";
import { mapListOperator } from "./dify-list-operator.ts";
import { mapClassifier, mapExtractor, mapKnowledge, mapLlm } from "./dify-models.ts";
import { mapTool } from "./dify-tools.ts";

const mapIf: MapNode = ({ id, data }, context) => {
  const cases = Array.isArray(data.cases)
    ? objectsIn(data.cases)
    : [{ case_id: "true", conditions: data.conditions ?? [], logical_operator: data.logical_operator ?? "and" }];
  const ways = cases.map(
    (one): Way => ({
      guard: translateCase(one, context.data),
      targets: context.document.outputs(id, String(one.case_id ?? one.id ?? "")),
    }),
  );
  return { ways: [...ways, { targets: context.document.outputs(id, "false") }] };
};

const mapTemplate: MapNode = (node, context) => {
  const variables = objectsIn(node.data.variables).flatMap(({ variable, value_selector }) => {
    const selector = selectorOf(value_selector);
    return typeof variable === "string" && selector !== undefined ? [{ name: variable, selector }] : [];
  });
  const source = String(node.data.template ?? "");
  if (isJinjaProgram(source)) {
    const inputs: JsonObject = {};
    for (const { name, selector } of variables) setOwn(inputs, `v_${name}`, context.data.path(selector));
    const names = variables.map(({ name }) => name);
    const step = toStep(node, context, "core.code", { language: "python", code: compileJinja(source, names), inputs });
    return { ...step, endOutput: `$.${context.stateOf(node.id)}_output.result` };
  }
  const output = context.data.jinja(source, variables);
  const notes = variables.length === 0 ? [] : ["Objects and lists are filled in as JSON."];
  return { ...toStep(node, context, "core.transform", { mapping: { output } }), notes };
};

const mapAnswer: MapNode = (node, context) => {
  const text = joinTexts([context.data.template(String(node.data.answer ?? ""))]);
  return toStep(node, context, "core.transform", { mapping: { text } });
};

const mapEnd: MapNode = ({ data }, context) => {
  const output: JsonObject = {};
  for (const { variable, value_selector } of objectsIn(data.outputs)) {
    const selector = selectorOf(value_selector);
    if (selector === undefined) throw new NoEquivalent("an output of it names no variable");
    const path = context.data.path(selector);
    setOwn(output, String(variable ?? ""), path.includes(" | ") ? path : `${path} | default(null)`);
  }
  return { final: { output }, ways: [] };
};

/** The first of several variables that is there; null: none is. */
const mapAggregator: MapNode = (node, context) => {
  const { data } = node;
  const firstOf = (variables: Json | undefined): Json => {
    const selectors = Array.isArray(variables) ? variables.map(selectorOf) : [];
    if (selectors.length === 0) throw new NoEquivalent("it has no variables");
    return selectors.reduceRight<string>((rest, selector) => {
      if (selector === undefined) throw new NoEquivalent("one of its variables cannot be named");
      const path = context.data.path(selector);
      const isInput = context.document.nodes.get(selector[0] ?? "")?.type === "start";
      if (!isInput && path.includes(" | ")) throw new NoEquivalent("one of its variables is an optional parameter");
      // A field of the start form that is left out is null, and null is a value.
      return path.includes(" | ") ? path : rest === "" ? `${path} | default(null)` : `${path} | default(${rest})`;
    }, "");
  };
  const groups = isObject(data.advanced_settings) ? data.advanced_settings : {};
  if (groups.group_enabled !== true)
    return toStep(node, context, "core.transform", { mapping: { output: firstOf(data.variables) } });
  const mapping: JsonObject = {};
  for (const { group_name, variables } of objectsIn(groups.groups))
    setOwn(mapping, String(group_name ?? ""), { output: firstOf(variables) });
  if (Object.keys(mapping).length === 0) throw new NoEquivalent("it has no groups");
  return toStep(node, context, "core.transform", { mapping });
};

/** Writes variables as the run goes on. */
const mapAssigner: MapNode = ({ id, data }, context) => {
  const items = Array.isArray(data.items)
    ? objectsIn(data.items)
    : [
        {
          variable_selector: data.assigned_variable_selector ?? null,
          operation: data.write_mode ?? "over-write",
          input_type: "variable",
          value: data.input_variable_selector ?? null,
        },
      ];
  const actions = items.map((item) => toAssign(item, context));
  const notes = ["Variables last as long as the run: a conversation does not keep them."];
  return { ways: [{ targets: context.document.outputs(id), actions }], notes };
};

/** What a variable is when it is cleared, by its type. */
const ZERO: Record<string, Json> = { string: "", number: 0, integer: 0, float: 0, boolean: false, object: {} };

function toAssign({ variable_selector, operation, input_type, value }: JsonObject, context: DifyContext): Action {
  const { data, document } = context;
  const selector = selectorOf(variable_selector);
  const type = selector && document.typeOf(selector);
  if (selector === undefined || type === undefined) throw new NoEquivalent("it names no variable that can be written");
  const path = data.path(selector);
  if (operation === "clear") {
    const empty = type.startsWith("array") ? [] : Object.hasOwn(ZERO, type) ? ZERO[type] : undefined;
    if (empty === undefined) throw new NoEquivalent(`it clears a variable of the type ${type}`);
    return { type: "assign", params: { path, value: empty } };
  }
  const from = input_type === "constant" ? undefined : selectorOf(value);
  const given = from === undefined ? constantOf(value ?? "", type) : data.path(from);
  // A variable that is null is left out.
  const guard: Guard | undefined =
    from === undefined
      ? undefined
      : { type: "not", guard: { type: "condition", params: { key: data.path(from), operator: "==", value: null } } };
  const only = guard === undefined ? {} : { guard };
  switch (operation) {
    case "over-write":
    case "set":
      return { type: "assign", params: { path, value: given }, ...only };
    case "append":
      return { type: "assign", params: { path, append: given }, ...only };
    case "+=":
      return { type: "assign", params: { path, add: given }, ...only };
    default:
      throw new NoEquivalent(`it writes a variable by “${String(operation)}”`);
  }
}

/** Set by an exit node, and looked at before the next round. */
const leftPath = (loop: string, { stateOf }: DifyContext): string => `$.${stateOf(loop)}_exit`;

const mapLoop: MapNode = ({ id, data, parent }, context) => {
  const { document } = context;
  if (parent !== undefined) throw new NoEquivalent("it is inside of another loop");
  const entry = document.bodyOf(id);
  if (entry.length === 0) throw new NoEquivalent("it has no steps");
  if (!document.isClosed(id)) throw new NoEquivalent(OPEN);
  const actions = objectsIn(data.loop_variables).map(({ label, value_type, var_type, value }): Action => {
    const from = value_type === "variable" ? selectorOf(value) : undefined;
    const given = from === undefined ? constantOf(value ?? "", String(var_type ?? "string")) : context.data.path(from);
    return { type: "assign", params: { path: context.data.path([id, String(label ?? "")]), value: given } };
  });
  const exit = leftPath(id, context);
  const hasExit = [...document.nodes.values()].some((node) => node.type === "loop-end" && node.parent === id);
  if (hasExit) actions.push({ type: "assign", params: { path: exit, value: false } });
  const breaks = objectsIn(data.break_conditions);
  const stops: Guard[] = [
    ...(breaks.length === 0
      ? []
      : [translateCase({ conditions: breaks, logical_operator: data.logical_operator ?? "and" }, context.data)]),
    ...(hasExit ? [{ type: "condition" as const, params: { key: exit, operator: "==" as const, value: true } }] : []),
  ];
  const [first] = stops;
  const stop: Guard | undefined = stops.length > 1 ? { type: "any", guards: stops } : first;
  const count = typeof data.loop_count === "number" ? Math.min(10_000, Math.max(1, Math.trunc(data.loop_count))) : 100;
  return {
    ways: [{ targets: [afterKey(id)], ...(actions.length === 0 ? {} : { actions }) }],
    after: {
      loop: {
        type: "while",
        condition: stop === undefined ? { type: "cel", params: { expression: "true" } } : { type: "not", guard: stop },
        maxIterations: count,
        timeoutMs: 3_600_000,
        onLimit: "continue",
        body: { entry },
      },
      ways: [{ targets: document.outputs(id) }],
    },
  };
};

/** The round ends here, and no other follows. */
const mapExit: MapNode = ({ parent }, context) => {
  if (parent === undefined) throw new NoEquivalent("it is in no loop");
  return {
    ways: [{ targets: [], actions: [{ type: "assign", params: { path: leftPath(parent, context), value: true } }] }],
  };
};

const mapHuman: MapNode = ({ id, data, title }, context) => {
  if (objectsIn(data.inputs).length > 0) throw new NoEquivalent("it has a form of its own: use core.requestInput");
  const actions = objectsIn(data.user_actions).map((action) => String(action.id ?? ""));
  if (actions.length === 0) throw new NoEquivalent("it offers nothing to choose");
  const show = context.data.template(String(data.form_content ?? ""));
  const ways = actions.map((action) => ({
    guard: { type: "condition" as const, params: { key: "$.output.action", operator: "==" as const, value: action } },
    targets: context.document.outputs(id, action),
  }));
  const input: Record<string, Json> = { title, show, actions };
  if (context.document.outputs(id, "__timeout").length > 0) throw new NoEquivalent("it goes on by itself after a time");
  const notes = ["Say in `assignees` who decides; deliveries by mail are not imported."];
  if (data.timeout !== undefined) notes.push("It ended by itself after a time; here it waits: set `dueIn`.");
  return { invoke: { src: "agent.humanReview", input }, ways, notes };
};

/** What nodes become, by type. What is not here becomes a placeholder. */
export const DIFY_NODES: ReadonlyMap<string, MapNode> = new Map(
  Object.entries({
    code: mapCode,
    llm: mapLlm,
    agent: mapAgent,
    "knowledge-retrieval": mapKnowledge,
    "question-classifier": mapClassifier,
    "parameter-extractor": mapExtractor,
    "if-else": mapIf,
    "http-request": mapHttp,
    "template-transform": mapTemplate,
    "variable-aggregator": mapAggregator,
    "variable-assigner": mapAggregator,
    assigner: mapAssigner,
    iteration: mapIteration,
    loop: mapLoop,
    "loop-end": mapExit,
    answer: mapAnswer,
    end: mapEnd,
    "human-input": mapHuman,
    tool: mapTool,
    "list-operator": mapListOperator,
    "document-extractor": mapDocumentExtractor,
  } satisfies Record<string, MapNode>),
);
