import { getOwn, isObject, type Json, markDeceptive, toLabel } from "@oven/contract";
import type { McpPending } from "@oven/contract/mcp";
import { tellingTags } from "@oven/contract/review";

/** Longer proposals are shown in the dashboard. */
export const LONGEST_PROPOSAL = 4_000;
const LONGEST_CONTEXT = 2_000;
const LONGEST_FIELD = 500;

const OF_TAG: Record<string, string> = {
  money: "moves money",
  outbound: "reaches outside",
  "outside-content": "reads what strangers wrote",
};

/** A review as a person reads it in a client: what the inbox shows, with a link to all of it. */
export function toMessage(pending: McpPending): string {
  const { title, proposal, warning, context, assignees, dueAt, workflow, url } = pending;
  const risk = toRisk(pending);
  const facts = [
    ...(risk === undefined ? [] : [risk]),
    `For: ${assignees.length === 0 ? "anyone who may decide" : assignees.map((who) => who.replace(/^(role|user):/, "")).join(", ")}`,
    ...(dueAt === null ? [] : [`Due: ${dueAt.slice(0, 16).replace("T", " ")} UTC`]),
    `Workflow: ${markDeceptive(workflow)}`,
    `All of it: ${url}`,
  ];
  return [
    title,
    shortened(toText(proposal, LONGEST_PROPOSAL), LONGEST_PROPOSAL),
    ...(warning === undefined ? [] : [warning]),
    ...(context === undefined ? [] : [`Why:\n${shortened(toText(context, LONGEST_FIELD), LONGEST_CONTEXT)}`]),
    facts.join("\n"),
  ].join("\n\n");
}

/** What releasing a call may do. What is unknown is taken for the worst. */
function toRisk({ tool, risk }: McpPending): string | undefined {
  if (tool === null) return undefined;
  const words =
    risk === null
      ? ["may have effects that cannot be undone"]
      : [
          ...tellingTags(risk.tags).map((tag) => getOwn(OF_TAG, tag) ?? `is tagged ${tag}`),
          risk.effect === "pure"
            ? "changes nothing"
            : risk.effect === "idempotent"
              ? "changes something"
              : "cannot be undone",
        ];
  return `Calls: ${tool} (${words.join(", ")})`;
}

/** Fields line by line, for a person; anything deeper as JSON. @param longest of one field */
function toText(value: Json, longest: number): string {
  if (typeof value === "string") return markDeceptive(value);
  if (!isObject(value)) return markDeceptive(JSON.stringify(value, null, 2));
  return markDeceptive(
    Object.entries(value)
      .map(
        ([name, field]) =>
          `${toLabel(name)}: ${shortened(typeof field === "string" ? field : JSON.stringify(field), longest)}`,
      )
      .join("\n"),
  );
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
