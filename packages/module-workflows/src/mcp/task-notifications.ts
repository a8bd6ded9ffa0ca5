import { CLIENT_CAPABILITIES_META_KEY, MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import { TASKS_EXTENSION } from "@oven/contract/mcp";
import { z } from "zod";

const ListenSchema = z.object({
  id: z.union([z.string(), z.number()]).nullable().default(null),
  method: z.literal("subscriptions/listen"),
  params: z.object({
    notifications: z.object({ taskIds: z.array(z.unknown()) }),
    _meta: z
      .object({
        [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()).default({}) }),
      })
      .optional(),
  }),
});

/**
 * A JSON-RPC error for a client that asks to hear of tasks without declaring them, which the extension demands; undefined for everything
 * else. One that declares them is acknowledged without a task, for it gets no notifications: it polls.
 */
export function refuseTaskNotifications(body: unknown): Response | undefined {
  const listen = ListenSchema.safeParse(body).data;
  if (listen === undefined) return undefined;
  const declared = listen.params._meta?.[CLIENT_CAPABILITIES_META_KEY].extensions ?? {};
  if (Object.hasOwn(declared, TASKS_EXTENSION)) return undefined;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  const { code, message, data } = new MissingRequiredClientCapabilityError({ requiredCapabilities });
  return Response.json({ jsonrpc: "2.0", id: listen.id, error: { code, message, data } }, { status: 400 });
}
