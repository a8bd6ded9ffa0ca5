import type { BotLanguage } from "@oven/contract/agent";
import german from "../i18n/de.json" with { type: "json" };

/** What bots say themselves, in English. The German of each sentence is in `i18n/de.json`. */
export const BOT_SENTENCES = {
  working: "Working on it …",
  waiting: "This waits for a decision: see the review in this thread.",
  nothing: "There is nothing to say.",
  left: "On the page of the run, and not here: {{files}}. {{link}}",
  limit: "You have reached the limit of messages within an hour ({{limit}}). Try again later.",
  empty: "Write what you want to know.",
  stopped: "It was stopped.",
  failed: "That did not work: {{problem}}",
  broken: "That did not work because of an error inside of OVEN. It is in the log of the server.",
  review: "Review needed: {{title}}",
  decide: "The answer waits for this decision.",
  locked: "Your account in OVEN may not sign in any more.",
  foreign: "I only answer people of my own organisation.",
  unlinked:
    "I do not know yet who you are in OVEN. Open the address within 15 minutes, sign in and confirm that this account is yours. Then write to me again. Do not give the address to anyone.",
  unlinkedOpenly: "Write to me in a personal chat first, to say who you are in OVEN.",
  ownerless: "I cannot answer at present: the person who set me up may not sign in any more.",
  hello: "Hello from OVEN: this bot is connected.",
} as const;

export type BotSentence = keyof typeof BOT_SENTENCES;

/** Says a sentence in one language; each `{{name}}` in it stands for one of `values`. */
export type BotWords = (sentence: BotSentence, values?: Readonly<Record<string, string | number>>) => string;

const TRANSLATIONS: Record<BotLanguage, Readonly<Record<string, string>>> = { en: {}, de: german };

export function botWords(language: BotLanguage): BotWords {
  return (sentence, values = {}) => {
    const english = BOT_SENTENCES[sentence];
    const text = TRANSLATIONS[language][english] ?? english;
    // In one pass: a value that looks like a placeholder stays as it is.
    return text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => String(values[name] ?? all));
  };
}
