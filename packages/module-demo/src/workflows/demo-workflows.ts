import type { Definition } from "@oven/contract/workflow";
import { orderTriage } from "./order-triage.definition.ts";
import { refund } from "./refund.definition.ts";
import { supportReply } from "./support-reply.definition.ts";

export interface DemoWorkflow {
  slug: string;
  name: string;
  description: string;
  definition: Definition;
}

/** Every demo workflow. Adding one: its file and its line here. */
export const demoWorkflows: DemoWorkflow[] = [
  {
    slug: "support-reply",
    name: "Support reply",
    description: "Looks an order and the policy up, drafts a reply, and lets a person approve it before it goes out.",
    definition: supportReply,
  },
  {
    slug: "order-triage",
    name: "Order triage",
    description: "Sorts a message into urgent or routine, without a person.",
    definition: orderTriage,
  },
  {
    slug: "refund",
    name: "Refund",
    description: "Proposes a refund and pays exactly what a person has approved.",
    definition: refund,
  },
];
