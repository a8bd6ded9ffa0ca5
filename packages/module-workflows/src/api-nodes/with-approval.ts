import { type JsonObject, JsonObjectSchema, OvenError } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import {
  type FlatArguments,
  type NodeContext,
  type RunnableNode,
  requireRelease,
  toToolRun,
} from "@oven/module-registry";
import { z } from "zod";
import {
  ApprovalInputSchema,
  type CallToApprove,
  callOrAsk,
  callRejected,
  callReleased,
  isApproval,
  type ReleasedCall,
} from "../reviews/approved-call.ts";
import { asGiven } from "./as-given.ts";

type Call = (context: NodeContext, args: JsonObject) => Promise<NodeResult>;

/** The argument that says how a call is approved, beside those of the route. */
const APPROVAL = "approval";

/**
 * The part of an operation's step that calls only what a person has approved. The review shows the arguments of the operation;
 * these, or what the person made of them, are what is called.
 */
export function withApproval(
  { id, title }: { id: string; title: string },
  given: FlatArguments,
  call: Call,
): Pick<RunnableNode, "input" | "run" | "resume"> {
  const { $schema: _draft, ...shown } = z.toJSONSchema(given.schema, { io: "input", unrepresentable: "any" });
  const tool = { id, title, inputSchema: JsonObjectSchema.parse(shown) };
  // A route may have an argument of that name; then anyone who decides reviews decides, without a deadline.
  const hasInput = given.schema.shape[APPROVAL] === undefined;
  const schema = hasInput
    ? given.schema.extend({
        [APPROVAL]: ApprovalInputSchema.optional().describe("Who approves the call, and until when"),
      })
    : given.schema;

  const split = (input: JsonObject) => {
    const { [APPROVAL]: approval, ...args } = input;
    return hasInput ? { args, approval } : { args: input, approval: undefined };
  };
  const toCallToApprove = (context: NodeContext): CallToApprove => {
    // cast: `asGiven` hands the resolved input on, which is JSON
    const { args, approval } = split(context.input as JsonObject);
    const { approved, ...reviewers } = ApprovalInputSchema.parse(approval ?? {});
    return {
      ...{ tool, arguments: args, about: { operation: title }, reviewers, approved },
      needsRelease: () => true,
    };
  };
  const callAs = (context: NodeContext) => async (released: ReleasedCall) => {
    const { tenantId } = context.principal;
    await requireRelease(context.services, { tool: id, tenantId, run: toToolRun(context), ...released });
    return call(context, JsonObjectSchema.parse(released.arguments));
  };

  return {
    input: asGiven(schema, (input) => {
      const { args, approval } = split(input);
      const checked = given.safeParse(args);
      if (!checked.success || approval === undefined) return checked;
      return schema.pick({ [APPROVAL]: true }).safeParse({ [APPROVAL]: approval });
    }),
    run: (context) => callOrAsk(context, toCallToApprove(context), callAs(context)),
    async resume(context, signal) {
      if (signal.type !== "decision")
        throw new OvenError("UNEXPECTED_SIGNAL", `${id} waited for a decision and got ${signal.type}`, { status: 500 });
      if (!isApproval(signal.action)) throw callRejected(id, signal.reason);
      return callReleased(context, toCallToApprove(context), signal, callAs(context));
    },
  };
}
