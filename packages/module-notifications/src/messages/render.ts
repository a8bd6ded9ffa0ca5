import { type Json, markDeceptive, OvenError } from "@oven/contract";
import type { NotificationKind } from "@oven/contract/system";
import { compileValue, ExpressionSyntaxError, initialContext, type Scope } from "@oven/engine";
import { DEFAULT_TEXTS } from "./default-texts.ts";
import { exampleFacts, type Facts } from "./facts.ts";
import { shorten } from "./shorten.ts";

export interface Message {
  /** One line. */
  subject: string;
  text: string;
}

/** A rule's own words; null: ours. */
export interface Words {
  subject: string | null;
  text: string | null;
}

const LONGEST_SUBJECT = 250;
const LONGEST_TEXT = 10_000;

/** The message of an event, with marks for invisible characters. Words of a rule that no longer fit the facts are replaced by ours: it is told anyway. */
export function renderMessage(words: Words, facts: Facts): Message {
  const ours = DEFAULT_TEXTS[facts.kind];
  const fill = (template: string | null, fallback: string): string => {
    try {
      return toText(template ?? fallback, facts);
    } catch (error) {
      if (!(error instanceof OvenError) && !(error instanceof ExpressionSyntaxError)) throw error;
      return toText(fallback, facts);
    }
  };
  const subject = fill(words.subject, ours.subject);
  return {
    // A line break in a subject would begin another header.
    subject: shorten(markDeceptive(subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()), LONGEST_SUBJECT),
    text: shorten(markDeceptive(fill(words.text, ours.text)), LONGEST_TEXT),
  };
}

/**
 * Tries a rule's words on an example of each of its events.
 * @throws OvenError INVALID_NOTIFICATION_RULE with the place
 */
export function checkWords(words: Words, events: readonly NotificationKind[]): void {
  for (const [key, template] of Object.entries(words) as [keyof Words, string | null][]) {
    // cast: the two keys
    if (template === null) continue;
    for (const kind of events) {
      try {
        toText(template, exampleFacts(kind));
      } catch (cause) {
        if (!(cause instanceof ExpressionSyntaxError) && !(cause instanceof OvenError)) throw cause;
        const fix = cause.fix ?? "See docs/guides/notifications.md for what a message can read.";
        const message = cause instanceof ExpressionSyntaxError ? cause.message : `For ${kind}: ${cause.message}`;
        throw new OvenError("INVALID_NOTIFICATION_RULE", message, { status: 400, path: `$.${key}`, fix, cause });
      }
    }
  }
}

function toText(template: string, facts: Facts): string {
  const scope: Scope = { context: initialContext({}, facts), trigger: facts, execution: facts.execution ?? {} };
  const value = compileValue(template).resolve(scope);
  return toStorable(typeof value === "string" ? value : JSON.stringify(value as Json)); // cast: what resolve answers
}

/** PostgreSQL keeps no NUL in text, and no half of a character. */
function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
