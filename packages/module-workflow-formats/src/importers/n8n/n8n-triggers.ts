import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { isStep, isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";

interface Started {
  /** What a run begins with: nodes, and triggers that lead to several places by their outputs. */
  entries: readonly string[];
  /** The triggers, where they begin in different places: a run begins with one of them. */
  choice: readonly N8nNode[];
  /** Triggers whose outputs lead to different places. */
  forks: readonly N8nNode[];
  isChat: boolean;
  payloadSchema?: JsonObject;
}

const CHAT = new Set(["langchain.chatTrigger", "langchain.manualChatTrigger"]);
/** Where runs begin. Triggers are made apart from workflows here, so each one is named. */
export function mapTriggers(document: N8nDocument, reporter: ImportReporter): Started {
  const triggers = [...document.nodes.values()].filter(isTrigger);
  const active = triggers.filter(({ disabled }) => !disabled);
  const forks = active.filter((trigger) => isFork(trigger, document));
  const starts = active.map((trigger) => startOf(trigger, document));
  const begun = new Set(starts.flat());
  const first = starts.find((targets) => targets.length > 0);
  const isSame = starts.every((targets) => targets.length === 0 || sameAs(targets, first ?? []));
  const isChat = active.some(({ type }) => CHAT.has(type));
  const several = isSame ? [] : active.filter((trigger) => startOf(trigger, document).length > 0);
  const choice = several.toSorted((one, other) => handOrder(one) - handOrder(other));
  const isElse = (trigger: N8nNode) => trigger === choice.at(-1) && isByHand(trigger);
  for (const trigger of triggers) tellTrigger(trigger, reporter, choice.includes(trigger) && !isElse(trigger));
  const entries = begun.size > 0 ? [...begun] : rootsOf(document);
  if (entries.length === 0 && [...document.nodes.values()].some((node) => isStep(node, document)))
    refuseProblems([
      { path: "$.connections", message: "Nothing says where this workflow begins", fix: "Connect its trigger." },
    ]);
  return { entries, choice, forks, isChat, ...(isChat ? {} : formOf(active)) };
}

/** What the input of a run says where its workflow has several starts: the name of the trigger in n8n. */
export const STARTED_BY = "startedBy";

/** Triggers that a person or another workflow starts, the likeliest one last. */
const BY_HAND = ["formTrigger", "executeWorkflowTrigger", "start", "manualTrigger", ...CHAT];
const handOrder = ({ type }: N8nNode): number => BY_HAND.indexOf(type);

/** Whether runs of a trigger have an input that nothing can be added to. */
export function isByHand(trigger: N8nNode): boolean {
  return handOrder(trigger) >= 0;
}

/** Whether its outputs lead to different places. */
function isFork({ name }: N8nNode, document: N8nDocument): boolean {
  const outputs = Array.from({ length: document.outputCount(name) }, (_, index) => document.outputs(name, index));
  return outputs.slice(1).some((targets) => !sameAs(targets, outputs[0] ?? []));
}

/** Where a trigger begins: with itself, if its outputs lead to different places. */
export function startOf(trigger: N8nNode, document: N8nDocument): readonly string[] {
  return isFork(trigger, document) ? [trigger.name] : document.outputs(trigger.name);
}

/** The methods that a webhook takes, in the order of its outputs; undefined: it has one output. */
export function methodsOf({ type, parameters }: N8nNode): string[] | undefined {
  const { multipleMethods, httpMethod = ["GET", "POST"] } = parameters;
  if (type !== "webhook" || multipleMethods !== true || !Array.isArray(httpMethod)) return undefined;
  return httpMethod.map((method) => String(method).toUpperCase());
}

function sameAs(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name) => other.includes(name)) && other.every((name) => one.includes(name));
}

/** Without a trigger: what nothing leads to. */
function rootsOf(document: N8nDocument): string[] {
  return [...document.nodes.values()]
    .filter((node) => isStep(node, document))
    .filter(({ name }) => document.inputs(name).length === 0)
    .map(({ name }) => name);
}

/** @param isNamed whether the input has to name the trigger, because there are several */
function tellTrigger(trigger: N8nNode, reporter: ImportReporter, isNamed: boolean): void {
  const { name, fullType, path } = trigger;
  const element = { name, type: fullType, path };
  if (trigger.disabled) {
    reporter.element(element, "ignored", null, ["It is switched off."]);
    return;
  }
  const own = adviceFor(trigger);
  const naming = `Its input has to have \`${STARTED_BY}\`: ${JSON.stringify(name)}.`;
  const advice = isNamed ? [own, naming].filter((text) => text !== undefined).join(" ") : own;
  if (advice !== undefined) reporter.setting("trigger", name, advice, path);
  reporter.element(element, "mapped", null, advice === undefined ? [] : [advice]);
}

/** What somebody has to set up so that runs begin as they did; undefined: nothing. */
function adviceFor(trigger: N8nNode): string | undefined {
  const { type, fullType, parameters } = trigger;
  const { httpMethod } = parameters;
  const methods = methodsOf(trigger)?.join(", ") ?? (typeof httpMethod === "string" ? httpMethod : undefined);
  switch (type) {
    case "manualTrigger":
    case "start":
    case "executeWorkflowTrigger":
      return undefined;
    case "langchain.chatTrigger":
    case "langchain.manualChatTrigger":
      return "Chat with the workflow, or bind an agent to it: the message is `message` of the run's input.";
    case "webhook":
      return `Make a webhook trigger${methods === undefined ? "" : ` for ${methods}`}; the run's input is the same body, headers and query.`;
    case "scheduleTrigger":
    case "cron":
    case "interval":
      return `Make a schedule trigger: ${scheduleOf(type, parameters)}.`;
    case "formTrigger":
      return "People fill in the input where they start the workflow; the fields became its payload schema.";
    case "emailReadImap":
      return mailAdvice(parameters);
    default:
      return `Nothing here is ${fullType}: make a webhook trigger, and let the other side post what steps read.`;
  }
}

/** What arrives with a mail in n8n, from what arrives with one here. */
const MAIL: JsonObject = {
  ...{ textPlain: "$.text", textHtml: "$.html", subject: "$.subject", date: "$.date" },
  ...{ from: "{{ $.from[0].name }} <{{ $.from[0].address }}>", to: "{{ $.to[0].address }}" },
};

function mailAdvice({ format, mailbox = "INBOX" }: JsonObject): string {
  const about = `Make an e-mail trigger for the mailbox ${String(mailbox)}`;
  return format === undefined || format === "simple"
    ? `${about}, with the input ${JSON.stringify(MAIL)} and what else of a mail steps read.`
    : `${about}, with an input that has what steps read of a mail: n8n hands it on in the format ${String(format)}.`;
}

function scheduleOf(type: string, { rule, triggerTimes, interval, unit }: JsonObject): string {
  // Settings that stayed as n8n begins with them are not in the document.
  if (type === "interval") return `every ${String(interval ?? 1)} ${String(unit ?? "seconds")}`;
  if (type === "cron") {
    const times = isObject(triggerTimes) && Array.isArray(triggerTimes.item) ? triggerTimes.item.filter(isObject) : [];
    return times.map(timeOf).join("; ") || "at times of your choice, for it has none";
  }
  const intervals = isObject(rule) && Array.isArray(rule.interval) ? rule.interval.filter(isObject) : [];
  const texts = intervals.map((interval) =>
    Object.entries(interval)
      .map(([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
      .join(", "),
  );
  return texts.filter((text) => text !== "").join("; ") || "every day";
}

/** One of the times of a node of the older kind. */
function timeOf({ mode, cronExpression, value, unit, hour = 14, minute = 0, dayOfMonth, weekday }: JsonObject): string {
  const at = `at ${String(hour)}:${String(minute).padStart(2, "0")}`;
  switch (mode) {
    case "custom":
      return String(cronExpression ?? "");
    case "everyX":
      return `every ${String(value ?? 2)} ${String(unit ?? "hours")}`;
    case "everyMinute":
      return "every minute";
    case "everyHour":
      return `every hour at minute ${String(minute)}`;
    case "everyWeek":
      return `every week on weekday ${String(weekday ?? 1)} ${at}`;
    case "everyMonth":
      return `every month on day ${String(dayOfMonth ?? 1)} ${at}`;
    default:
      return `every day ${at}`;
  }
}

function formOf(triggers: readonly N8nNode[]): { payloadSchema?: JsonObject } {
  const form = triggers.find(({ type }) => type === "formTrigger");
  const fields =
    form !== undefined && isObject(form.parameters.formFields) ? form.parameters.formFields.values : undefined;
  if (!Array.isArray(fields)) return {};
  const named = fields.filter(isObject).filter(({ fieldLabel }) => typeof fieldLabel === "string");
  const properties = Object.fromEntries(
    named.map(({ fieldLabel, fieldType }) => [
      String(fieldLabel),
      { type: fieldType === "number" ? "number" : fieldType === "file" ? ["string", "object"] : "string" },
    ]),
  );
  const required = named.filter((field) => field.requiredField === true).map((field) => String(field.fieldLabel));
  return { payloadSchema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) } };
}
