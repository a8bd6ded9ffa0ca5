import { z } from "zod";
import { MessageSchema } from "../model.ts";

/*
 * Routed graphs, named and shaped as their document has them: agents and tool executors as nodes, routes as edges. The ids are those of
 * whoever writes the document.
 */

const GivenIdSchema = z.string().trim().min(1).max(200);

/** A node of a routed graph: an agent, or what runs the tools that an agent asked for. */
export const RoutedNodeSchema = z.strictObject({
  id: GivenIdSchema,
  workflowId: GivenIdSchema,
  nodeType: z.enum(["AGENT", "TOOL_EXECUTOR"]),
  nodeName: GivenIdSchema,
  /** Slug or id of an agent; null for a tool executor. */
  agentId: GivenIdSchema.nullable(),
});
export type RoutedNode = z.infer<typeof RoutedNodeSchema>;

/** A route from one node to the next, or to the end. */
export const RoutedEdgeSchema = z.strictObject({
  id: GivenIdSchema,
  workflowId: GivenIdSchema,
  sourceNodeId: GivenIdSchema,
  /** Null: the route ends the turn, and its value is `END`. */
  targetNodeId: GivenIdSchema.nullable(),
  conditionType: z.enum(["CONDITIONAL", "ALWAYS"]),
  /** For an agent the value of `next`, for a tool executor the tool that has just run; null for ALWAYS. */
  conditionValue: z.string().min(1).max(200).nullable(),
});
export type RoutedEdge = z.infer<typeof RoutedEdgeSchema>;

/** The body of `PUT /api/routed-graphs/[graph]`. */
export const RoutedGraphSpecSchema = z.strictObject({
  id: z
    .string()
    .max(100)
    .regex(/^[\w.-]+$/, "must be letters, digits, _, . or -"),
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000),
  isConversational: z.boolean(),
  entrypointNodeId: GivenIdSchema,
  nodes: z.array(RoutedNodeSchema).min(1).max(500),
  edges: z.array(RoutedEdgeSchema).max(5_000),
  /** The most nodes that run in one turn; absent: 15. */
  stepLimit: z.int().min(1).max(1_000).optional(),
  /** The time limit of one turn, without the time that a person takes to answer; absent: 90. */
  timeoutSeconds: z.int().min(1).max(3_600).optional(),
});
export type RoutedGraphSpec = z.infer<typeof RoutedGraphSpecSchema>;

/** The document as it was written, with the agent workflow that it was compiled to. */
export const RoutedGraphSchema = RoutedGraphSpecSchema.extend({
  agentWorkflowId: z.int(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RoutedGraph = z.infer<typeof RoutedGraphSchema>;

/** The body of `POST /api/routed-graphs`. */
export const ImportRoutedGraphSchema = z.strictObject({
  source: z.string().max(8_000_000),
  /** Adds the nodes and edges that the error of an earlier import has proposed. */
  repair: z.boolean().optional(),
});

/** The next message of the user. */
export const RoutedTurnSchema = z.strictObject({ message: z.string().min(1).max(1_000_000) });

/** A routed conversation, as `GET /api/routed-graphs/[graph]/conversations` answers it. */
export const RoutedConversationSchema = z.strictObject({
  id: z.string(),
  workflowId: z.string(),
  /** The status of the newest turn; `paused`: the turn waits for a person. */
  status: z.enum(["pending", "running", "paused", "completed", "failed", "cancelled"]),
  /** The value of `next` after the newest turn. */
  next: z.string().nullable(),
  /** The reason why the newest turn was handed over to a person. */
  handoffReason: z.string().nullable(),
  error: z.string().nullable(),
  messages: z.array(MessageSchema),
  /** The ids of the executions, one for each turn. */
  executions: z.array(z.int()),
});
export type RoutedConversation = z.infer<typeof RoutedConversationSchema>;
