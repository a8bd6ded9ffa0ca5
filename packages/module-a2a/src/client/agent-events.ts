import { type NewEvent, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import { z } from "zod";
import type { ConnectionRow } from "./agent-client.ts";
import { toolIdOf } from "./connection-row.ts";

const AGENT_CHANGED = "a2a-connections.agent.changed";

export const agentEvents = {
  [AGENT_CHANGED]: z
    .looseObject({ connectionId: z.int(), connection: z.string(), tools: z.array(z.string()) })
    .describe("When the card of a connected A2A agent says something else than was approved"),
};

export function agentChanged(row: ConnectionRow): NewEvent {
  const { id, tenantId, name, title } = row;
  return {
    name: AGENT_CHANGED,
    tenantId,
    actor: toActor({ ...SYSTEM_PRINCIPAL, tenantId }),
    orderKey: `a2a-connection:${id}`,
    payload: { connectionId: id, connection: title ?? name, tools: [toolIdOf(row)] },
  };
}
