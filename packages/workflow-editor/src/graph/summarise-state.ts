import { t } from "@oven/i18n";
import { describeGuard } from "./describe-guard.ts";
import { isRecord, type Loose, toRecord, toText } from "./read-json.ts";

const LIMIT = 42;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LIMIT ? `${line.slice(0, LIMIT - 1)}…` : line;
}

function toList(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function summariseModel(input: Loose, definition: Loose): string {
  const config = toRecord(definition.agentConfig);
  const model = toText(input.model) || toText(config.model) || t("default model");
  const tools = toList(input.tools ?? config.tools);
  return tools.length === 0 ? model : `${model} · ${tools.length === 1 ? tools[0] : count(tools.length, "tool")}`;
}

function summariseReview(input: Loose): string {
  const assignees = toList(input.assignees).map((entry) => entry.replace(/^(role|user):/, ""));
  const who = assignees.length === 0 ? t("anyone who may decide") : assignees.join(", ");
  const line = t("for {{who}}", { who });
  return typeof input.dueIn === "string" ? `${line} · ${t("due {{dueIn}}", { dueIn: input.dueIn })}` : line;
}

/** The first inputs that are a plain value, for types nobody wrote a line for. */
function summariseInput(input: Loose): string {
  if (isRecord(input.guard)) return describeGuard(input.guard);
  if (isRecord(input.condition)) return describeGuard(input.condition);
  return Object.entries(input)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .slice(0, 2)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(" · ");
}

/** One line under a node's name: what a reader wants to know first about this type. */
export function summariseInvoke(src: string, input: Loose, definition: Loose): string {
  switch (src) {
    case "agent.llm":
    case "agent.toolLoop":
    case "agent.code":
      return shorten(summariseModel(input, definition));
    case "agent.toolExecutor": {
      const tools = toList(input.tools);
      return shorten(tools.length === 0 ? t("the calls the model asked for") : tools.join(", "));
    }
    case "agent.humanReview":
      return shorten(summariseReview(input));
    case "agent.prompt":
      return shorten(toText(input.text) || toText(input.template) || toText(input.prompt) || toText(input.system));
    default:
      return shorten(summariseInput(input));
  }
}

export function summariseLoop(loop: Loose): string {
  if (loop.type === "while") return shorten(t("while {{guard}}", { guard: describeGuard(loop.condition) }));
  const collection = typeof loop.collection === "string" ? loop.collection : t("a list");
  return shorten(`for each of ${collection}`);
}
