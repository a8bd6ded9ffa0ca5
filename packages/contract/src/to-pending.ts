import { deceptiveIn, markDeceptive } from "./deceptive.ts";
import type { Json } from "./json.ts";
import type { McpPending } from "./mcp.ts";
import type { Review } from "./review.ts";

/** A context of which clients get the beginning only, in characters of its JSON. */
const LONGEST_CONTEXT = 8_000;
/** One of its texts then, so that the others are seen. */
const LONGEST_TEXT = 1_000;
const DEEPEST = 20;

/** An open review as those read it who asked for the run: what the inbox shows, and what a decision takes. */
export function toPending(review: Review, publicUrl: string): McpPending {
  const { id, title, proposal, context, tool, risk, workflowName, assignees, dueAt, schema, actions, digest } = review;
  const invisible = deceptiveIn([title, proposal, context]);
  return {
    reviewId: id,
    title: markDeceptive(title),
    proposal,
    ...(invisible.length === 0
      ? {}
      : {
          warning: `The review has characters that are not seen or pass for others: ${invisible.join(", ")}. Show them to the user.`,
        }),
    ...toContext(context),
    tool,
    risk,
    workflow: workflowName,
    assignees,
    dueAt,
    schema,
    actions,
    digest,
    url: `${publicUrl}/reviews/${id}`,
  };
}

function toContext(context: Json): Pick<McpPending, "context" | "shortened"> {
  if (context === null || (typeof context === "object" && Object.keys(context).length === 0)) return {};
  if (JSON.stringify(context).length <= LONGEST_CONTEXT) return { context };
  const shorter = withShortTexts(context);
  const text = JSON.stringify(shorter);
  const isShort = text.length <= LONGEST_CONTEXT;
  return { context: isShort ? shorter : `${text.slice(0, LONGEST_CONTEXT)}…`, shortened: ["context"] };
}

function withShortTexts(value: Json, depth = 0): Json {
  if (typeof value === "string") return value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT)}…`;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => withShortTexts(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withShortTexts(item, depth + 1)]));
}
