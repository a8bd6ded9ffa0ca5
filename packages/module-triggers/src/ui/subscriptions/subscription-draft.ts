import type { CreateEventSubscription, EventSubscription } from "@oven/contract/trigger";

/** A header as its form holds it: a text, or the name of a secret with what stands before its value. */
export interface HeaderDraft {
  key: number;
  name: string;
  kind: "text" | "secret";
  value: string;
  prefix: string;
}

export interface SubscriptionDraft {
  name: string;
  url: string;
  events: string[];
  secret: string;
  headers: HeaderDraft[];
}

export const NEW_SUBSCRIPTION: SubscriptionDraft = { name: "", url: "", events: [], secret: "", headers: [] };

export function toDraft({ name, url, events, secret, headers }: EventSubscription): SubscriptionDraft {
  const rows = Object.entries(headers).map(([header, value], index): HeaderDraft => {
    const row = { key: index + 1, name: header };
    return typeof value === "string"
      ? { ...row, kind: "text", value, prefix: "" }
      : { ...row, kind: "secret", value: value.$secret, prefix: value.prefix ?? "" };
  });
  return { name, url, events, secret, headers: rows };
}

/** Headers without a name are left out. */
export function toBody({ name, url, events, secret, headers }: SubscriptionDraft): CreateEventSubscription {
  const named = headers.filter((header) => header.name.trim() !== "");
  const entries = named.map((header): [string, CreateEventSubscription["headers"][string]] => [
    header.name.trim(),
    header.kind === "text"
      ? header.value
      : { $secret: header.value, ...(header.prefix === "" ? {} : { prefix: header.prefix }) },
  ]);
  return { name, url, events, secret, headers: Object.fromEntries(entries), enabled: true };
}
