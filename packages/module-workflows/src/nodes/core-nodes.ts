import type { NodeDefinition } from "@oven/module-registry";
import { callWorkflowNode } from "./call-workflow.node.ts";
import { checkQuotaNode } from "./check-quota.node.ts";
import { codeNode } from "./code.node.ts";
import { conditionNode } from "./condition.node.ts";
import { delayNode } from "./delay.node.ts";
import { emitNode } from "./emit.node.ts";
import { failNode } from "./fail.node.ts";
import { httpNode } from "./http.node.ts";
import { logNode } from "./log.node.ts";
import { placeholderNode } from "./placeholder.node.ts";
import { requestInputNode } from "./request-input.node.ts";
import { resolveConfigNode } from "./resolve-config.node.ts";
import { setVariableNode } from "./set-variable.node.ts";
import { sqlNode } from "./sql.node.ts";
import { stopNode } from "./stop.node.ts";
import { trackUsageNode } from "./track-usage.node.ts";
import { transformNode } from "./transform.node.ts";
import { waitForEventNode } from "./wait-for-event.node.ts";
import { waitUntilNode } from "./wait-until.node.ts";

/** Every core node. Adding one: its file, its test, its line here. */
export const coreNodes: NodeDefinition[] = [
  conditionNode,
  transformNode,
  setVariableNode,
  resolveConfigNode,
  delayNode,
  waitUntilNode,
  waitForEventNode,
  callWorkflowNode,
  emitNode,
  logNode,
  httpNode,
  codeNode,
  sqlNode,
  requestInputNode,
  checkQuotaNode,
  trackUsageNode,
  failNode,
  stopNode,
  placeholderNode,
];
