import type { RuleRow } from "../rules/rule-row.ts";
import { type DecidingSettings, type DecidingType, isDeciding } from "./decision-channel.ts";

interface Source {
  kind: "rule" | "bot";
  /** Of its kind. */
  id: number;
  tenantId: number;
  /** IANA, for times in messages. */
  timezone: string;
}

/** What posts messages about reviews, and takes presses on their buttons: a rule, or a bot of module-bots. */
export type DecisionSource<Type extends DecidingType = DecidingType> = Source & {
  channel: Extract<DecidingSettings, { type: Type }>;
};

/** @throws Error for a rule whose messages decide nothing */
export function toSource(rule: RuleRow): DecisionSource {
  const { id, tenantId, timezone, channel } = rule;
  if (!isDeciding(channel)) throw new Error(`a channel of the type ${channel.type} posts no reviews`);
  return { kind: "rule", id, tenantId, timezone, channel };
}
