import { type NewEvent, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import { z } from "zod";
import type { ConnectionRow } from "../connections/connection-row.ts";

const OPERATION_CHANGED = "api-connections.operation.changed";

export const operationEvents = {
  [OPERATION_CHANGED]: z
    .looseObject({ connectionId: z.int(), connection: z.string(), tools: z.array(z.string()) })
    .describe("When the document of a connected API describes approved operations otherwise than they were approved"),
};

/** @param tools ids of the operations as tools */
export function operationsChanged(
  { id, tenantId, name, title }: Pick<ConnectionRow, "id" | "tenantId" | "name" | "title">,
  tools: string[],
): NewEvent {
  return {
    name: OPERATION_CHANGED,
    tenantId,
    actor: toActor({ ...SYSTEM_PRINCIPAL, tenantId }),
    orderKey: `api-connection:${id}`,
    payload: { connectionId: id, connection: title ?? name, tools },
  };
}
