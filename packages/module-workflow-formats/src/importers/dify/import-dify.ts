import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { carryOver, pathOfFork } from "../../importing/complete/carry-over.ts";
import { withoutLostReaders } from "../../importing/complete/readers-of-left-out.ts";
import type { SourceGraph } from "../../importing/complete/source-graph.ts";
import { branchGuard, buildStates } from "../../importing/graph/build-states.ts";
import type { Part, TangledFork } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart } from "../../importing/graph/part-key.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { RESERVED_KEY, refuseReservedKeys } from "../../importing/reserved-keys.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { parseSource } from "../../shared/import-source.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { afterKey, beforeKey, type DifyContext, defaultKey, type Mapped, ownKey } from "./dify-context.ts";
import { countMessages, DifyData, variablesOf } from "./dify-data.ts";
import { assignDefaults } from "./dify-defaults.ts";
import { DifyDocument, DifyDocumentSchema, type DifyNode, objectsIn, presetOf } from "./dify-document.ts";
import { DIFY_NODES } from "./dify-nodes.ts";
import { gatherResults } from "./dify-results.ts";
import { refuseOthers } from "./refuse-others.ts";

const STARTS = new Set(["iteration-start", "loop-start"]);
const MANY = new Set(["iteration", "loop"]);

/** A workflow or chatflow of Dify as a definition. @throws OvenError SOURCE_INVALID */
export function importDify(value: Json, reporter: ImportReporter): Imported {
  refuseOthers(value);
  const given = parseSource(value, DifyDocumentSchema);
  const document = new DifyDocument(given);
  if (!/^(0\.|$)/.test(String(given.version ?? "")))
    reporter.note(`The format is of the version ${String(given.version)}, and known up to 0.x: check what was read.`);
  const names = new StateNames();
  const start = [...document.nodes.values()].find(({ type }) => type === "start");
  if (start === undefined || document.outputs(start.id).length === 0)
    refuseProblems([
      {
        path: start?.path ?? "$.workflow.graph.nodes",
        message: start === undefined ? "There is no start node" : "Nothing follows the start node",
        fix: "Connect a start node with what comes first.",
      },
    ]);
  const steps = [...document.nodes.values()].filter(
    ({ type, isNote }) => !isNote && type !== "start" && !STARTS.has(type),
  );
  const ids = new Map<string, string>();
  for (const { id, type, title, data } of steps) {
    ids.set(id, names.take(title));
    if (MANY.has(type)) ids.set(afterKey(id), names.take(type === "loop" ? `${title} rounds` : `${title} results`));
    if (type === "llm" && isObject(data.memory)) ids.set(beforeKey(id), names.take(`${title} conversation`));
    if (data.error_strategy === "default-value") ids.set(defaultKey(id), names.take(`${title} default`));
    if (type === "agent") ids.set(beforeKey(id), names.take(`${title} conversation`));
    if (type === "code") ids.set(beforeKey(id), names.take(`${title} pause`));
    if (type === "tool") ids.set(beforeKey(id), names.take(`${title} request`));
    if (type === "http-request") ids.set(beforeKey(id), names.take(`${title} body`));
  }
  const variables = new DifyData(document, ids);
  const stateOf = (key: string): string => ids.get(key) ?? "";
  const context: DifyContext = { document, data: variables, reporter, stateOf, isChat: document.isChat };
  const entry = start === undefined ? [] : document.outputs(start.id);
  const open = new Map<string, string>();
  const toParts = (): Map<string, Part> => {
    const made = new Map<string, Part>();
    for (const node of steps)
      if (MANY.has(node.type) && "reason" in mapNode(node, open.get(node.id), context)) variables.leaveOpen(node.id);
    for (const node of steps) addParts(node, open.get(node.id), context, made);
    return made;
  };
  const { parts } = withoutLostReaders(() => ({ parts: toParts(), entries: entry }), open);
  const source = sourceOf(document);
  carryOver(source, parts, entry, reporter);
  const results = gatherResults({ document, parts, entry, names });
  const tangled: TangledFork[] = [];
  const toTangled = (fork: TangledFork) => {
    tangled.push(fork);
    const labels = fork.targets.map((target) => parts.get(target)?.label ?? target).join(", ");
    const reason = `it goes on in several ways at once (${labels}) that do not come together in one place`;
    const name = `After ${document.nodes.get(nodeOfPart(fork.from))?.title ?? "start"}`;
    return {
      label: `${name}: ${labels}`,
      invoke: toPlaceholder("Dify", { name, originalType: "several edges", reason }),
    };
  };
  const built = buildStates(parts, entry, { names, toTangled });
  tell({ document, source, reporter, parts, tangled });
  const fields = start === undefined ? undefined : schemaOf(start, reporter);
  const payloadSchema = document.takesFiles ? withFiles(fields) : fields;
  return {
    name: document.name,
    description: document.description,
    definition: toDefinition({
      product: "dify",
      isChat: document.isChat,
      built,
      positions: new Map(steps.map(({ id, position }) => [stateOf(id), position])),
      notes: [...document.nodes.values()].filter(({ isNote }) => isNote).map(toNote),
      entry: countMessages(document),
      context: { ...variablesOf(document), ...results },
      ...(payloadSchema === undefined ? {} : { payloadSchema }),
    }),
    source,
  };
}

/** What a node becomes, or why nothing does. @param why it has to be a placeholder */
function mapNode(
  node: DifyNode,
  why: string | undefined,
  context: DifyContext,
): { value: Mapped } | { reason: string } {
  const { id, type, data } = node;
  const handler = DIFY_NODES.get(type);
  if (why !== undefined) return { reason: why };
  if (handler === undefined) return { reason: "there is no node here that does the same" };
  return orReason(() => {
    const mapped = handler(node, { ...context, data: context.data.seenFrom(id) });
    const isHandled = data.error_strategy === "default-value" || data.error_strategy === "fail-branch";
    if (isHandled && mapped.before?.mayFail === true)
      throw new NoEquivalent("it is two steps here, and says what happens when it fails");
    if (data.error_strategy === "default-value") mapped.otherwise = assignDefaults(node, context);
    refuseReservedKeys(mapped);
    return mapped;
  });
}

function addParts(node: DifyNode, why: string | undefined, context: DifyContext, parts: Map<string, Part>): void {
  const { document, reporter, stateOf } = context;
  const { id, type, title, data, path } = node;
  const element = { name: title, type, path };
  const about = {
    id: stateOf(id),
    label: title,
    ...(typeof data.desc === "string" && data.desc !== "" ? { description: data.desc } : {}),
    meta: { imported: { product: "dify", name: title, type } },
  };
  const mapped = mapNode(node, why, context);
  if ("reason" in mapped) {
    const { reason } = mapped;
    reporter.element(element, "placeholder", stateOf(id), [reason]);
    const invoke = toPlaceholder("Dify", { name: title, originalType: type, reason, original: data });
    const handles = handlesOf(node, document);
    const ways = handles.map((handle, index) => ({
      targets: document.outputs(id, handle),
      ...(index === handles.length - 1 ? {} : { guard: branchGuard(handle) }),
    }));
    parts.set(id, { ...about, invoke, ways, endOutput: `$.${stateOf(id)}_output` });
    return;
  }
  const { notes = [], before, after, otherwise, ...part } = mapped.value;
  const onError =
    otherwise !== undefined
      ? [defaultKey(id)]
      : data.error_strategy === "fail-branch"
        ? document.outputs(id, "fail-branch")
        : undefined;
  if (otherwise !== undefined)
    parts.set(defaultKey(id), {
      id: stateOf(defaultKey(id)),
      label: `${title}: default value`,
      ways: [{ targets: document.outputs(id), actions: [otherwise] }],
    });
  const { retry_config: again } = data;
  const attempts = isObject(again) && again.retry_enabled === true ? Math.trunc(Number(again.max_retries ?? 3)) + 1 : 1;
  const initialMs = isObject(again) ? Math.max(0, Math.trunc(Number(again.retry_interval ?? 1_000))) : 0;
  const retry =
    attempts > 1 ? { retry: { maxAttempts: Math.min(20, attempts), backoff: "fixed" as const, initialMs } } : {};
  const retried = attempts > 1 ? ["Dify tries again after each failure; here after those that may pass."] : [];
  reporter.element(element, "mapped", stateOf(id), [...notes, ...retried]);
  if (before !== undefined)
    parts.set(id, {
      id: stateOf(beforeKey(id)),
      label: `${title}: ${before.what}`,
      ...(before.invoke === undefined ? {} : { invoke: { ...before.invoke, ...retry } }),
      ways: [{ targets: [ownKey(id)], ...(before.actions === undefined ? {} : { actions: before.actions }) }],
    });
  parts.set(before === undefined ? id : ownKey(id), {
    ...about,
    ...part,
    ...(part.invoke === undefined ? {} : { invoke: { ...part.invoke, ...retry } }),
    ...(onError === undefined || (part.invoke === undefined && part.loop === undefined) ? {} : { onError }),
  });
  if (after === undefined) return;
  const key = afterKey(id);
  parts.set(key, { id: stateOf(key), label: `${title}: ${after.loop === undefined ? "results" : "rounds"}`, ...after });
}

/** All ways out of a node, those among them behind which nothing follows. */
function handlesOf({ id, type, data }: DifyNode, document: DifyDocument): string[] {
  const idsIn = (list: Json | undefined, key: string) => objectsIn(list).map((one) => String(one[key] ?? ""));
  const own =
    type === "if-else"
      ? [...idsIn(data.cases, "case_id"), "false"]
      : type === "question-classifier"
        ? idsIn(data.classes, "id")
        : type === "human-input"
          ? idsIn(data.user_actions, "id")
          : ["source", ...(data.error_strategy === "fail-branch" ? ["fail-branch"] : [])];
  return [...new Set([...own, ...document.handles(id)])];
}

/** Files come as addresses, data: URLs, files of webhooks and mails, or references of files of a run. */
const FILE: JsonObject = { type: ["string", "object"] };

const TYPES: Record<string, JsonObject> = {
  "text-input": { type: "string" },
  paragraph: { type: "string", contentMediaType: "text/plain" },
  select: { type: "string" },
  number: { type: "number" },
  checkbox: { type: "boolean" },
  file: FILE,
  "file-list": { type: "array", items: FILE },
};
const FILE_FIELDS = new Set(["file", "file-list"]);

function schemaOf(start: DifyNode, reporter: ImportReporter): JsonObject | undefined {
  const variables = objectsIn(start.data.variables);
  const properties: JsonObject = {};
  const required: string[] = [];
  const notes: string[] = [];
  for (const field of variables) {
    const { variable, label, type, options, max_length, required: isRequired } = field;
    const preset = presetOf(field);
    const name = String(variable ?? "");
    if (name === RESERVED_KEY) {
      notes.push(`A field called ${name} cannot be taken in here: give it another name.`);
      continue;
    }
    const base = Object.hasOwn(TYPES, String(type)) ? TYPES[String(type)] : undefined;
    if (base === undefined) notes.push(`${name} is a ${String(type)}: hand it over as a text or a reference.`);
    if (FILE_FIELDS.has(String(type)))
      notes.push(
        `${name} takes ${type === "file" ? "a file" : "files"}: an address, a data: URL, or {filename, blob} as webhooks and mails hand files on. Which kinds are allowed is not checked.`,
      );
    const isChoice = type === "select" && Array.isArray(options) && options.length > 0;
    const property: JsonObject = {
      ...(isChoice ? { enum: options } : base),
      ...(typeof label === "string" && label !== "" ? { title: label } : {}),
      ...(base === undefined || preset === null || preset === "" ? {} : { default: preset }),
      ...(base?.type === "string" && typeof max_length === "number" && max_length > 0 ? { maxLength: max_length } : {}),
      ...(type === "file-list" && typeof max_length === "number" && max_length > 0 ? { maxItems: max_length } : {}),
    };
    setOwn(properties, name, property);
    if (isRequired === true) required.push(name);
  }
  reporter.element({ name: start.title, type: "start", path: start.path }, "mapped", null, notes);
  if (variables.length === 0) return undefined;
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function withFiles(schema: JsonObject = { type: "object" }): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const files = { type: "array", title: "Files", items: FILE };
  return { ...schema, properties: { files, ...properties } };
}

function toNote({ data, position }: DifyNode, index: number): JsonObject {
  const [x, y] = position ?? [0, 0];
  const size = (value: Json | undefined, otherwise: number) => (typeof value === "number" ? value : otherwise);
  const text = String(data.text ?? "");
  const words = [...text.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "");
  const plain = words.length > 0 ? words.join(" ").replaceAll('\\"', '"') : text;
  return { id: `note${index + 1}`, text: plain, x, y, width: size(data.width, 240), height: size(data.height, 110) };
}

function sourceOf({ nodes, edges }: DifyDocument): SourceGraph {
  return {
    nodes: [...nodes.values()].map(({ id, title, type, path, parent, isNote }) => ({
      ...{ key: id, name: title, path },
      kind: isNote ? "aside" : type === "start" || STARTS.has(type) ? "start" : "step",
      ...(STARTS.has(type) && parent !== undefined ? { of: parent } : {}),
    })),
    edges,
  };
}

/** Where the rounds of a loop begin. */
function tellInnerStart(
  { title, type, path, parent = "" }: DifyNode,
  document: DifyDocument,
  reporter: ImportReporter,
  parts: ReadonlyMap<string, Part>,
): void {
  const isLoop = [parent, afterKey(parent)].some((key) => parts.get(key)?.loop !== undefined);
  const around = document.nodes.get(parent)?.title ?? parent;
  const outcome = isLoop ? "mapped" : "ignored";
  const notes = isLoop ? [] : [`“${around}” is no loop here, so no rounds begin.`];
  reporter.element({ name: title, type, path }, outcome, null, notes);
}

interface ReportedImport {
  document: DifyDocument;
  source: SourceGraph;
  reporter: ImportReporter;
  parts: ReadonlyMap<string, Part>;
  tangled: readonly TangledFork[];
}

function tell({ document, source, reporter, parts, tangled }: ReportedImport): void {
  reporter.note("A value that is missing is an error here; where Dify fills in nothing, give the path a default.");
  if (document.isChat)
    reporter.note(
      "The reply of a chat is `text` of the run's output: what the answers on the way say, one after the other.",
    );
  for (const fork of tangled) {
    const { from, targets } = fork;
    const labels = targets.map((target) => parts.get(target)?.label ?? target).join(", ");
    const title = document.nodes.get(nodeOfPart(from))?.title ?? "start";
    const path = pathOfFork(source, fork, "target");
    const note = `It goes on to ${labels} at once, and these do not come together in one place: say in which order.`;
    reporter.element({ name: `After ${title}`, type: "several edges", path }, "placeholder", null, [note]);
  }
  for (const node of document.nodes.values()) {
    const element = { name: node.title, type: node.type, path: node.path };
    if (node.isNote) reporter.element({ ...element, name: "Note", type: "note" }, "mapped", null);
    else if (STARTS.has(node.type)) tellInnerStart(node, document, reporter, parts);
    else if (node.type !== "start" && !parts.has(node.id)) {
      const around = document.nodes.get(node.parent ?? "");
      const isReplaced = around !== undefined && parts.get(around.id)?.invoke?.src === "core.placeholder";
      const why = isReplaced ? `It is in “${around.title}”, which has to be replaced.` : "Nothing leads to it.";
      reporter.element(element, "ignored", null, [why]);
    }
  }
  for (const [index, { name, value_type }] of document.environment.entries()) {
    const path = `$.workflow.environment_variables[${index}]`;
    if (value_type === "secret")
      reporter.setting(
        "credential",
        name,
        "Its value was not imported: make a secret and name it where it is needed.",
        path,
      );
    else
      reporter.setting(
        "configuration",
        name,
        `It became the variable env_${name} of the run; use $config for one that is set from outside.`,
        path,
      );
  }
}
