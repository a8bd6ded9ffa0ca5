import { BuildingSchema, StartBuildingSchema } from "@oven/contract/workflow";
import { created, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { ConversationService } from "./conversation-service.ts";

const access = { permission: "builder.use" };

/** Conversations with the builder. None is an operation: a model does not talk to the builder in the name of a person. */
export function conversationRoutes(service: () => ConversationService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "builder/conversations",
      operation: false,
      summary: "Say what an agent workflow is to do, and let the builder make a draft of it",
      description:
        "Begins a chat with the workflow `builder` about one agent workflow, a new one where none is named. What it makes is a draft: nothing of it runs before a person publishes it. It may do what you may: changing the draft takes `agent-workflows.update`, trying it out `agent-workflows.execute`.",
      access,
      effect: "at-least-once",
      body: StartBuildingSchema,
      response: BuildingSchema,
      handler: async ({ principal, body }) => created(await service().start(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "builder/conversations",
      operation: false,
      summary: "Your conversations with the builder about an agent workflow, the newest first",
      access,
      effect: "pure",
      query: z.object({ workflowId: z.coerce.number().int().positive() }),
      response: z.array(BuildingSchema),
      handler: async ({ principal, query }) => ok(await service().list(principal, query.workflowId)),
    }),
  ];
}
