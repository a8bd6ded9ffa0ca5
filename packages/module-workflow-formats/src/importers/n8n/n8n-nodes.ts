import { type Json, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { Way } from "../../importing/graph/graph-parts.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { isExpression, js } from "./apps/app-values.ts";
import { asCalled, calledWorkflow } from "./n8n-called.ts";
import { mapCode } from "./n8n-code.ts";
import { toCode } from "./n8n-computed.ts";
import { translateConditions, translateOld } from "./n8n-conditions.ts";
import { type MapNode, type Mapped, type N8nContext, toStep } from "./n8n-context.ts";
import { mapDateTime } from "./n8n-date-time.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { type N8nReferences, translateValue } from "./n8n-expression.ts";
import { mapExtractFile } from "./n8n-extract-file.ts";
import { mapExtractHtml } from "./n8n-extract-html.ts";
import { extractsHtml } from "./n8n-html-kind.ts";
import { mapHttp } from "./n8n-http.ts";
import { mapRetrieval } from "./n8n-knowledge.ts";
import { mapMarkdown } from "./n8n-markdown.ts";
import { mapMerge } from "./n8n-merge.ts";
import { mapAgent, mapChain, mapClassifier, mapExtractor } from "./n8n-models.ts";
import { mapOpenAi } from "./n8n-openai.ts";
import { outputsOf } from "./n8n-outputs.ts";
import { mapList } from "./n8n-regions.ts";
import { mapRespond } from "./n8n-respond.ts";
import { fieldsOfSet, mappingOfSet, textFrom } from "./n8n-set.ts";

const UNITS: Record<string, number> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** What comes in goes on, and is what a run hands on that ends there. */
const passOn: MapNode = (node, { document, references }): Mapped => ({
  ways: [{ targets: document.outputs(node.name) }],
  endOutput: references.pathOf(undefined, []),
});

const mapIf: MapNode = (node, { document, references }) => {
  const { conditions, combineOperation } = node.parameters;
  const guard = translateConditions(conditions, references, combineOperation);
  return { ways: [{ guard, targets: document.outputs(node.name, 0) }, { targets: document.outputs(node.name, 1) }] };
};

const mapFilter: MapNode = (node, { document, references }) => {
  const guard = translateConditions(node.parameters.conditions, references, node.parameters.combineConditions);
  const targets = document.outputs(node.name);
  // With an empty item, which nothing can be read from.
  return { ways: [{ guard, targets }, { targets: node.spec.alwaysOutputData === true ? targets : [] }] };
};

const mapSwitch: MapNode = (node, { document, references }) => {
  const { mode = "rules", rules, options } = node.parameters;
  const list = isObject(rules) ? rules.values : undefined;
  if (mode !== "rules") throw new NoEquivalent("its output is computed by an expression");
  if (node.version < 3) return oldSwitch(node, document, references);
  if (!Array.isArray(list)) throw new NoEquivalent("it has no rules");
  if (isObject(options) && options.allMatchingOutputs === true)
    throw new NoEquivalent("it goes on in every way that fits, not in the first");
  const ways = list.filter(isObject).map(
    (rule, index): Way => ({
      guard: translateConditions(rule.conditions, references),
      targets: document.outputs(node.name, index),
    }),
  );
  const fallback = isObject(options) ? options.fallbackOutput : undefined;
  const index = fallback === "extra" ? ways.length : fallback;
  return { ways: [...ways, { targets: typeof index === "number" ? document.outputs(node.name, index) : [] }] };
};

/** Before version 3 every rule compares one value; in version 1 it says which output it leads to. */
function oldSwitch(node: N8nNode, document: N8nDocument, references: N8nReferences): Mapped {
  const { dataType = "number", value1, rules, fallbackOutput = -1 } = node.parameters;
  const list = isObject(rules) && Array.isArray(rules.rules) ? rules.rules.filter(isObject) : [];
  if (list.length === 0) throw new NoEquivalent("it has no rules");
  const ways = list.map(({ operation, value2, output = 0 }, index): Way => {
    const guard = translateOld({ left: value1, right: value2, operation }, String(dataType), references);
    return { guard, targets: document.outputs(node.name, node.version < 2 ? Number(output) : index) };
  });
  const otherwise = typeof fallbackOutput === "number" && fallbackOutput >= 0 ? fallbackOutput : undefined;
  return { ways: [...ways, { targets: otherwise === undefined ? [] : document.outputs(node.name, otherwise) }] };
}

const mapSet: MapNode = (node, context) => {
  const mapping = mappingOfSet(node, context.references);
  const keepsOthers = fieldsOfSet(node)?.keepsOthers === true;
  if (isObject(mapping) && Object.keys(mapping).length === 0 && keepsOthers) return passOn(node, context);
  const notes = keepsOthers
    ? ["The other fields stay where they were: later steps read them from the step that made them."]
    : [];
  return { ...toStep(node, context, "core.transform", { mapping }), notes };
};

/** A page of HTML with expressions in it, which n8n fills in without an equals sign before it. */
const mapHtml: MapNode = (node, context) => {
  const { operation = "generateHtmlTemplate", html = "" } = node.parameters;
  if (extractsHtml(node)) return mapExtractHtml(node, context);
  if (operation !== "generateHtmlTemplate")
    throw new NoEquivalent(`there is no node here that does ${String(operation)} with HTML`);
  const text = String(html).replace(/^=/, "");
  return toStep(node, context, "core.transform", { mapping: { html: textFrom(`=${text}`, context.references) } });
};

const mapWait: MapNode = (node, context) => {
  const [amountThen, unitThen] = node.version > 1 ? [5, "seconds"] : [1, "hours"];
  const { resume = "timeInterval", amount = amountThen, unit = unitThen, dateTime } = node.parameters;
  if (resume === "timeInterval") {
    const factor = Object.hasOwn(UNITS, String(unit)) ? UNITS[String(unit)] : undefined;
    if (isExpression(amount) && factor !== undefined) {
      const ms = context.references.compute(`Math.max(0, Math.round(Number(${js(amount)}) * ${factor}))`);
      return toStep(node, context, "core.delay", { ms });
    }
    if (typeof amount !== "number" || amount < 0 || factor === undefined)
      throw new NoEquivalent("how long it waits is computed");
    return toStep(node, context, "core.delay", { ms: Math.round(amount * factor) });
  }
  if (resume === "specificTime") {
    const until = translateValue(dateTime ?? "", context.references);
    const notes = ["The instant must have its zone, such as 2026-01-31T09:00:00+01:00."];
    return { ...toStep(node, context, "core.waitUntil", { until }), notes };
  }
  if (resume !== "webhook") throw new NoEquivalent(`it waits for ${String(resume)}`);
  if (node.parameters.limitWaitTime === true)
    throw new NoEquivalent("it goes on by itself after a time: replace it by core.waitForEvent with a deadline");
  const event = `${toSlug(node.name).replaceAll("-", "_")}.resumed`;
  const notes = [`It waits for the event ${event}; there is no address to call that resumes it.`];
  return { ...toStep(node, context, "core.waitForEvent", { event }), notes };
};

const mapStop: MapNode = (node, { references }) => {
  const { errorType = "errorMessage", errorMessage, errorObject } = node.parameters;
  const message = textFrom((errorType === "errorObject" ? errorObject : errorMessage) ?? "", references);
  return { invoke: { src: "core.fail", input: { message: message === "" ? "Stopped" : message } }, ways: [] };
};

const mapCall: MapNode = (node, context) => {
  const { workflowId, workflowInputs, options } = node.parameters;
  const { slug, isItself, tell } = calledWorkflow(node, workflowId, context);
  if (isObject(options) && options.waitForSubWorkflow === false)
    throw new NoEquivalent("it goes on without waiting for the workflow that it calls");
  const input = calledWith(node, workflowInputs, context);
  const called = { workflow: slug, kind: "agent-workflow" };
  const { input: begun, before } = isItself ? asCalled(input, context) : { input, before: undefined };
  return {
    ...toStep(node, context, "core.callWorkflow", { ...called, input: begun }),
    notes: [tell()],
    ...(before === undefined ? {} : { before }),
  };
};

/** The fields that a call names, else the item that arrives. @throws NoEquivalent */
function calledWith({ name }: N8nNode, inputs: Json | undefined, { document, references }: N8nContext): Json {
  const { value, schema } = isObject(inputs) ? inputs : {};
  const isNamed = (Array.isArray(schema) && schema.length > 0) || (isObject(value) && Object.keys(value).length > 0);
  if (isNamed) return translateValue(value ?? {}, references);
  const item = references.pathOf(undefined, []);
  if (item !== undefined) return item;
  const isAsked = document.inputs(name).every(({ from }) => document.nodes.get(from)?.type === "webhook");
  if (isAsked) return { body: "$.trigger.body", headers: "$.trigger.headers", query: "$.trigger.query" };
  return references.compute("$json");
}

/** The list that a loop goes through. @throws NoEquivalent */
function collectionOf(
  { name }: N8nNode,
  { document, references, incoming, idBefore }: N8nContext,
  body: number,
): Pick<Mapped, "before" | "notes"> & { collection: string } {
  const listed = incoming.pathInto(name);
  if (listed !== undefined) return { collection: listed };
  const [source, ...others] = document.inputs(name).filter(({ from }) => !document.reaches(name, body, from));
  const before = source && document.nodes.get(source.from);
  if (before === undefined || others.length > 0) throw new NoEquivalent("where its list comes from is not sure");
  if (before.spec.alwaysOutputData === true)
    throw new NoEquivalent("with “Always Output Data” an empty list is a round with an empty item");
  const answer =
    before.type === "httpRequest" && before.part === undefined ? references.pathOf(undefined, []) : undefined;
  if (answer !== undefined) return { collection: answer };
  if (!N8N_NODES.has(before.type) && !isTrigger(before)) {
    const handedOn = references.pathOf(undefined, []);
    if (handedOn === undefined) throw new NoEquivalent("where its list comes from is not sure");
    const notes = [`What takes the place of “${before.name}” has to hand on its list as \`result\`.`];
    return { collection: `${handedOn}.result`, notes };
  }
  const { lines, inputs } = incoming.into(name);
  return { collection: `$.${idBefore()}_output.result`, before: toCode([...lines, "return all;"], inputs) };
}

const mapLoop: MapNode = (node, context) => {
  const { document, id } = context;
  const { name, parameters, version } = node;
  const [done, body] = version >= 3 ? [0, 1] : [1, 0];
  const { batchSize = version >= 3 ? 1 : 10, options } = parameters;
  if (isObject(options) && options.reset !== undefined && options.reset !== false)
    throw new NoEquivalent("it begins anew each time it is come to");
  if (batchSize !== 1) throw new NoEquivalent("it takes several items at a time");
  const { collection, before, notes = [] } = collectionOf(node, context, body);
  const entry = document.outputs(name, body);
  if (entry.length === 0) throw new NoEquivalent("nothing is in the loop");
  if (!document.isClosed(name, body)) throw new NoEquivalent("its steps are also come to from outside of the loop");
  if (partsOnTheWayBack(name, body, document))
    throw new NoEquivalent("a round leads back to it and goes on somewhere else at the same time");
  if (!alwaysLeadsBack(name, body, document))
    throw new NoEquivalent(
      "a round may end without leading back to it: n8n stops there, and a loop here goes on with the next one",
    );
  return {
    loop: { type: "forEach", collection, maxIterations: 10_000, timeoutMs: 3_600_000, body: { entry } },
    // Without an item nothing comes to it, so nothing follows it.
    ways: [
      {
        guard: { type: "condition", params: { key: "$.output.count", operator: ">", value: 0 } },
        targets: document.outputs(name, done),
      },
      { targets: [] },
    ],
    endOutput: `$.${id}_output`,
    notes,
    ...(before === undefined ? {} : { before }),
  };
};

/** Whether a step of a round leads back to the loop and, by the same output, to what leads to that step again. */
function partsOnTheWayBack(loop: string, body: number, document: N8nDocument): boolean {
  const comesAgain = (name: string, from: string): boolean => {
    const seen = new Set([from]);
    for (const key of seen) {
      if (key === loop) continue;
      for (let output = 0; output < document.outputCount(key); output += 1)
        for (const next of document.outputs(key, output)) seen.add(next);
    }
    return seen.has(name);
  };
  return [...document.reachFrom(loop, body)].some((name) =>
    Array.from({ length: document.outputCount(name) }, (_, output) => new Set(document.outputs(name, output))).some(
      (targets) =>
        name !== loop &&
        targets.has(loop) &&
        [...targets].some((target) => target !== loop && comesAgain(name, target)),
    ),
  );
}

/** Whether at least one way of each round of a loop leads back to it. */
function alwaysLeadsBack(loop: string, body: number, document: N8nDocument): boolean {
  const known = new Map<string, boolean>();
  const leadsBack = (name: string): boolean => {
    const node = document.nodes.get(name);
    if (name === loop || node?.type === "stopAndError") return true;
    const before = known.get(name);
    if (node === undefined || before !== undefined) return before ?? false;
    // Come to again on the way: what leads out of the circle decides.
    known.set(name, true);
    const isTaken = (output: number) => document.outputs(name, output).some(leadsBack);
    const count = node.disabled ? 1 : outputsOf(node) + (node.spec.onError === "continueErrorOutput" ? 1 : 0);
    const found = node.type !== "filter" && Array.from({ length: count }, (_, output) => output).every(isTaken);
    known.set(name, found);
    return found;
  };
  return document.outputs(loop, body).some(leadsBack);
}

/** What nodes become, by type. What is not here becomes a placeholder. */
export const N8N_NODES: ReadonlyMap<string, MapNode> = new Map(
  Object.entries({
    if: mapIf,
    filter: mapFilter,
    switch: mapSwitch,
    merge: mapMerge,
    noOp: passOn,
    ...{ html: mapHtml, htmlExtract: mapExtractHtml },
    markdown: mapMarkdown,
    ...{ extractFromFile: mapExtractFile, readPDF: mapExtractFile },
    dateTime: mapDateTime,
    set: mapSet,
    wait: mapWait,
    httpRequest: mapHttp,
    stopAndError: mapStop,
    executeWorkflow: mapCall,
    respondToWebhook: mapRespond,
    splitInBatches: mapLoop,
    ...{ splitOut: mapList, aggregate: mapList, limit: mapList, sort: mapList },
    ...{ removeDuplicates: mapList, itemLists: mapList, summarize: mapList },
    ...{ code: mapCode, function: mapCode, functionItem: mapCode },
    ...{ openAi: mapOpenAi, "langchain.openAi": mapOpenAi },
    "langchain.agent": mapAgent,
    "langchain.chainLlm": mapChain,
    "langchain.chainRetrievalQa": mapRetrieval,
    "langchain.informationExtractor": mapExtractor,
    "langchain.textClassifier": mapClassifier,
  }),
);

/** Apps that are called at an address of one's own. */
const OWN_ADDRESS = new Set(["nocoDb"]);

/** Why there is nothing for a type, where more can be said than that. */
export function whyUnknown(type: string): string {
  if (OWN_ADDRESS.has(type))
    return "the address that it asks is in its credential, which a document does not have: ask it by core.http";
  if (/^(langchain\.code|ai-?transform)$/i.test(type)) return "it runs code, which is never imported";
  return "there is no node here that does the same";
}
