import type { ToolInfo } from "@oven/contract/ai";
import { type Pinned, pinnedState } from "@oven/module-agent-core";
import { toJsonSchema } from "@oven/module-workflows";
import type { A2aConnection } from "../shapes.ts";
import type { ConnectionRow } from "./agent-client.ts";
import { AskSchema } from "./ask-schema.ts";

/** The first part of the ids of the tools of connected agents. */
export const A2A_NAMESPACE = "a2a";
export const USE_PERMISSION = "a2a-agents.use";

export function toolIdOf({ name }: Pick<ConnectionRow, "name">): string {
  return `${A2A_NAMESPACE}.${name}.ask`;
}

function stateOf(row: ConnectionRow): A2aConnection["state"] {
  const { enabled, lastError } = row;
  if (!enabled) return "disabled";
  const state = pinnedState(pinOf(row));
  if (state === "changed") return state;
  if (lastError !== null) return "failing";
  return state === "approved" ? state : "new";
}

/** A card has no problems of its own, and is not gone while its agent does not answer. */
export function pinOf({ approvedHash, cardHash }: ConnectionRow): Pinned {
  return { approvedHash, listedHash: cardHash, problem: null, vanishedAt: null };
}

export function toConnection(row: ConnectionRow): A2aConnection {
  const {
    tenantId: _tenant,
    day: _day,
    dayCalls: _calls,
    cardReadAt,
    approvedHash: _hash,
    failures: _failures,
    nextCheckAt: _next,
    ...shown
  } = row;
  return {
    ...shown,
    toolId: toolIdOf(row),
    state: stateOf(row),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    lastContactAt: cardReadAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What a model reads about an agent, in the words that were approved. */
export function toToolInfo(
  row: Pick<ConnectionRow, "name" | "title" | "approvedCard" | "needsApproval" | "approvalWhen" | "lastError">,
): ToolInfo[] {
  const { approvedCard, needsApproval, approvalWhen, lastError } = row;
  if (approvedCard === null) return [];
  const skills = approvedCard.skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [
    {
      id: toolIdOf(row),
      title: row.title ?? approvedCard.name,
      description: [
        `Asks the outside agent ${approvedCard.name}. ${approvedCard.description}`,
        ...(skills.length === 0 ? [] : [`It can:\n${skills.join("\n")}`]),
      ].join("\n\n"),
      inputSchema: toJsonSchema(AskSchema, "input"),
      outputSchema: {
        type: "object",
        properties: {
          text: { type: "string" },
          data: { type: "array" },
          links: { type: "array", items: { type: "string" } },
          attachments: { type: "array", items: { type: "object" } },
          contextId: { type: "string" },
        },
        required: ["text"],
      },
      effect: "at-most-once",
      needsApproval,
      ...(approvalWhen === null ? {} : { approvalWhen }),
      permission: USE_PERMISSION,
      source: "a2a",
      asksCaller: true,
      ...(lastError === null ? {} : { note: `The agent cannot be used now: ${lastError}` }),
      tags: ["outside-content", "outbound", "a2a"],
    },
  ];
}
