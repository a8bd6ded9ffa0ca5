import type { TriggerDefinition } from "@oven/module-registry";
import { bucketTrigger } from "./bucket.trigger.ts";
import { emailTrigger } from "./email.trigger.ts";
import { eventTrigger } from "./event.trigger.ts";
import { feedTrigger } from "./feed.trigger.ts";
import { formTrigger } from "./form.trigger.ts";
import { manualTrigger } from "./manual.trigger.ts";
import { mcpTrigger } from "./mcp.trigger.ts";
import { scheduleTrigger } from "./schedule.trigger.ts";
import { sqlRowTrigger } from "./sql-row.trigger.ts";
import { webhookTrigger } from "./webhook.trigger.ts";

/** The kinds of triggers that this module brings. */
export const triggerTypes: TriggerDefinition[] = [
  manualTrigger,
  scheduleTrigger,
  eventTrigger,
  webhookTrigger,
  formTrigger,
  emailTrigger,
  bucketTrigger,
  feedTrigger,
  mcpTrigger,
  sqlRowTrigger,
];
