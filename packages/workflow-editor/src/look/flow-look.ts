import type { NodeKind } from "@oven/contract/node";
import type { FlowColour } from "@oven/ui/theme/tokens.ts";

/** Each kind of state that steers a run, apart from the others by symbol and colour. */
export type FlowLook =
  | "choice"
  | "condition"
  | "loop"
  | "parallel"
  | "group"
  | "delay"
  | "wait-until"
  | "wait-for-event"
  | "emit"
  | "log"
  | "fail"
  | "stop"
  | "quota"
  | "placeholder"
  | "end"
  | "failed-end";

/** One stroke drawing each, 24 × 24, and the colour of what it does; null: that of its kind. */
export const FLOW_LOOKS: Record<FlowLook, { colour: FlowColour | null; drawing: string }> = {
  choice: { colour: "decide", drawing: "M12 3l9 9-9 9-9-9zM12 8.5v4M12 15.5v.2" },
  condition: { colour: "decide", drawing: "M3 5h18l-7 8v6l-4 2v-8z" },
  loop: { colour: "repeat", drawing: "M17 2l4 4-4 4M3 11V9a3 3 0 0 1 3-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 0 1-3 3H3" },
  parallel: { colour: "beside", drawing: "M4 5h16M4 12h16M4 19h16" },
  group: { colour: null, drawing: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z" },
  delay: { colour: "wait", drawing: "M6 3h12M6 21h12M7 3c0 5 5 6 5 9s-5 4-5 9M17 3c0 5-5 6-5 9s5 4 5 9" },
  "wait-until": { colour: "wait", drawing: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2" },
  "wait-for-event": { colour: "signal", drawing: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4" },
  emit: { colour: "signal", drawing: "M4 10v4h3l7 5V5L7 10zM17.5 9a4 4 0 0 1 0 6M20 6.5a8 8 0 0 1 0 11" },
  log: { colour: "note", drawing: "M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3" },
  fail: { colour: "stop", drawing: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9l6 6M15 9l-6 6" },
  stop: { colour: "stop", drawing: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9h6v6H9z" },
  quota: { colour: "limit", drawing: "M4 18a9 9 0 1 1 16 0M12 15l4-6M12 15v.2" },
  placeholder: { colour: null, drawing: "M5 5h3M11 5h3M17 5h2v2M19 10v3M19 16v3h-2M14 19h-3M8 19H5v-2M5 14v-3" },
  end: { colour: "beside", drawing: "M6 21V4M6 5h12l-3 4 3 4H6" },
  "failed-end": { colour: "stop", drawing: "M6 21V4M6 5h12l-3 4 3 4H6M10 7.5l4 3M14 7.5l-4 3" },
};

const BY_NODE: Readonly<Record<string, FlowLook>> = {
  "core.condition": "condition",
  "core.forEach": "loop",
  "core.delay": "delay",
  "core.waitUntil": "wait-until",
  "core.waitForEvent": "wait-for-event",
  "core.emit": "emit",
  "core.log": "log",
  "core.fail": "fail",
  "core.stop": "stop",
  "core.checkQuota": "quota",
  "core.placeholder": "placeholder",
};

/** How a node that steers a run looks; null: as all of its kind do. */
export function lookOfNode(kind: NodeKind, nodeType: string | null): FlowLook | null {
  return kind === "flow" && nodeType !== null ? (BY_NODE[nodeType] ?? null) : null;
}
