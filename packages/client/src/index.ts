import { type AgentCalls, createAgentCalls } from "./agents.ts";
import { type Call, createCall } from "./call.ts";
import * as formats from "./formats.ts";
import { type ClientOptions, Http } from "./http.ts";
import { createReviewCalls, type ReviewCalls } from "./reviews.ts";
import { type AgentWorkflowTypes, createWorkflowCalls, type WorkflowCalls, type WorkflowTypes } from "./workflows.ts";

type Formats = typeof formats;

/** The functions of the API by workflow format, and those of OVEN itself. */
export type OvenClient = { [Name in keyof Formats]: ReturnType<Formats[Name]> } & {
  /**
   * Calls any route: `call("GET /agents/{id}", { path: { id: "order-desk" } })`.
   * @throws OvenError of the server; SERVER_UNREACHABLE when none answered
   */
  call: Call;
  agentWorkflows: WorkflowCalls<AgentWorkflowTypes>;
  workflows: WorkflowCalls<WorkflowTypes>;
  agents: AgentCalls;
  reviews: ReviewCalls;
};

/** A client of an installation. It needs `fetch` and nothing else: Node, browsers and edge runtimes. */
export function createOvenClient(options: ClientOptions): OvenClient {
  const http = new Http(options);
  const call = createCall(http);
  const made = Object.entries(formats).map(([name, create]) => [name, create(http)]);
  return {
    ...(Object.fromEntries(made) as { [Name in keyof Formats]: ReturnType<Formats[Name]> }), // cast: under the same names
    call,
    agentWorkflows: createWorkflowCalls(http, call, "agent-workflows"),
    workflows: createWorkflowCalls(http, call, "workflows"),
    agents: createAgentCalls(http, call),
    reviews: createReviewCalls(call),
  };
}

export { OvenError } from "@oven/contract/error";
export type { AgentCalls, AgentStreamEvent } from "./agents.ts";
export type { Call, OperationAnswer, OperationInput, OperationName } from "./call.ts";
export type { RunEvent } from "./events.ts";
export type * as Shapes from "./generated/operations.ts";
export type { CallOptions, ClientOptions } from "./http.ts";
export type { Review, ReviewCalls } from "./reviews.ts";
export type { AgentWorkflowTypes, Run, RunDetail, StartOptions, WorkflowCalls, WorkflowTypes } from "./workflows.ts";
