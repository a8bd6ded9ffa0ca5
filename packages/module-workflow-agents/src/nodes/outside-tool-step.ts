import { type JsonObject, JsonObjectSchema, OvenError } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { NodeResult, NodeSignal } from "@oven/contract/node";
import { asksFirst, type ToolCallOptions } from "@oven/module-agent-core";
import {
  type Ceiling,
  type CeilingFacts,
  type CeilingRequest,
  done,
  type Most,
  type NodeContext,
  type ToolAnswer,
  toToolRun,
  unknownMost,
} from "@oven/module-registry";
import {
  type ApprovalInput,
  type CallToApprove,
  callOrAsk,
  callRejected,
  callReleased,
  findAnswer,
  isApproval,
  orAskPerson,
  type ReleasedCall,
  readAsked,
  toDueAt,
} from "@oven/module-workflows";

/** What a step that calls one tool of an outside service takes. */
export interface OutsideToolInput extends ApprovalInput {
  /** Id of the tool. */
  tool: string;
  arguments: JsonObject;
}

interface OutsideToolStep<Input> {
  /** Id of the node, for errors. */
  node: string;
  /** The first part of the ids of its tools. */
  namespace: string;
  /** `a connected MCP server`, for errors. */
  what: string;
  /** How an id is written, for errors. */
  form: string;
  /** Limits that the step sets in place of its connection's. */
  limits?(input: Input): ToolCallOptions["outside"];
}

/** Run, resume and ceiling of a node that calls one tool of an outside service: reviews before the call, questions in the middle of it. */
export function outsideToolStep<Input extends OutsideToolInput>(step: OutsideToolStep<Input>) {
  type Context = NodeContext<Input>;
  const call = async (context: Context, { arguments: args, release }: Made, answer?: ToolAnswer) => {
    const { assignees, dueIn } = context.input;
    const outside = step.limits?.(context.input);
    return orAskPerson({ arguments: args, release, assignees, dueAt: toDueAt(dueIn) }, async () => {
      const result = await context.services.tools.call(context.input.tool, args, {
        principal: context.principal,
        signal: context.signal,
        idempotencyKey: context.idempotencyKey(),
        ...(outside === undefined ? {} : { outside }),
        run: toToolRun(context),
        report: (message, data) => context.log("info", message, data),
        ...(answer === undefined ? {} : { answer }),
        ...(release === undefined ? {} : { release }),
      });
      return done(JsonObjectSchema.parse(result));
    });
  };
  /** A call that was waited for, or that asked a person meanwhile. */
  const goOn = async (context: Context, answer?: ToolAnswer) => {
    const { assignees, dueIn, tool } = context.input;
    return orAskPerson({ assignees, dueAt: toDueAt(dueIn) }, async () => {
      const { result } = await context.services.tools.resume(tool, {
        principal: context.principal,
        signal: context.signal,
        idempotencyKey: context.idempotencyKey(),
        run: toToolRun(context),
        report: (message, data) => context.log("info", message, data),
        ...(answer === undefined ? {} : { answer }),
      });
      return done(JsonObjectSchema.parse(result));
    });
  };
  return {
    async run(context: Context): Promise<NodeResult> {
      const { principal, services, input } = context;
      const { tool, arguments: args } = input;
      if (!tool.startsWith(`${step.namespace}.`))
        throw new OvenError("TOOL_UNKNOWN", `\`${tool}\` is no tool of ${step.what}`, {
          status: 422,
          fix: `Write it as \`${step.form}\`.`,
        });
      const info = services.tools.get(tool, principal.tenantId);
      // The call says what is wrong.
      if (info === undefined) return call(context, input);
      // No person is asked about a call that cannot be made.
      services.tools.check(tool, args, principal.tenantId);
      return callOrAsk(context, toCallToApprove(context, info), (released) => call(context, released));
    },
    async resume(context: Context, signal: NodeSignal): Promise<NodeResult> {
      const { principal, services, input } = context;
      if (signal.type === "timer") return goOn(context);
      const answer = findAnswer(signal);
      if (answer !== undefined) {
        const asked = await readAsked(context, answer);
        return asked === undefined ? goOn(context, answer) : call(context, asked, answer);
      }
      if (signal.type !== "decision")
        throw new OvenError("UNEXPECTED_SIGNAL", `${step.node} waited for a decision and got ${signal.type}`, {
          status: 500,
        });
      if (!isApproval(signal.action)) throw callRejected(input.tool, signal.reason);
      const info = services.tools.get(input.tool, principal.tenantId);
      // The call says what became of the tool since it was approved.
      if (info === undefined) return call(context, { arguments: signal.data, release: signal.review });
      return callReleased(context, toCallToApprove(context, info), signal, (released) => call(context, released));
    },
    ceiling: ceilingOfCall,
  };
}

/** What is called, with the review that released it, where one had to. */
type Made = Pick<ReleasedCall, "arguments"> & { release?: ReleasedCall["release"] | undefined };

function toCallToApprove({ input }: NodeContext<OutsideToolInput>, tool: ToolInfo): CallToApprove {
  return {
    tool,
    arguments: input.arguments,
    about: { tool: tool.description },
    reviewers: input,
    approved: input.approved,
    needsRelease: (args) => asksFirst(tool, args),
  };
}

function ceilingOfCall({ input }: CeilingRequest, facts: CeilingFacts): Ceiling {
  const { tool } = input;
  const isNamed = typeof tool === "string";
  const asks: Most = { code: "tool-asks", ...(isNamed ? { about: tool } : {}) };
  const spends = isNamed && facts.tools([tool]).some((one) => one.spends);
  return {
    perCall: {
      ...(spends ? unknownMost({ code: "tool", about: tool }) : {}),
      ...{ toolCalls: 1, ...(isNamed ? { [`tool:${tool}`]: 1 } : {}) },
    },
    perVisit: { reviews: asks, waiting: asks },
  };
}
