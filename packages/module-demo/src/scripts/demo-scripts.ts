import type { SimulatedScript } from "@oven/contract/ai";
import { orderTriageScript } from "./order-triage.script.ts";
import { refundScript } from "./refund.script.ts";
import { shopAssistantScript } from "./shop-assistant.script.ts";
import { supportReplyScript } from "./support-reply.script.ts";

/** What the simulated models of the demo say. */
export const demoScripts: SimulatedScript[] = [
  supportReplyScript,
  orderTriageScript,
  refundScript,
  shopAssistantScript,
];
