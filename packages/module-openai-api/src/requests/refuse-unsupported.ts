import { unsupported } from "./read-text.ts";

/** What changes an answer so much that a client must know that it has no effect here. */
const REFUSED: readonly { name: string; isAsked(value: unknown): boolean; message: string; fix: string }[] = [
  {
    name: "functions",
    isAsked: (value) => Array.isArray(value) && value.length > 0,
    message: "`functions` has no counterpart here",
    fix: "Give `tools`.",
  },
  {
    name: "n",
    isAsked: (value) => typeof value === "number" && value > 1,
    message: "One request is one run, which has one answer",
    fix: "Leave `n` out.",
  },
  {
    name: "response_format",
    isAsked: (value) => typeOf(value) !== undefined && typeOf(value) !== "text",
    message: "The form of the answer is the author's to say",
    fix: "Leave it out, and give the agent an output schema in OVEN.",
  },
  {
    name: "text",
    isAsked: (value) => {
      const type = isRecord(value) ? typeOf(value.format) : undefined;
      return type !== undefined && type !== "text";
    },
    message: "The form of the answer is the author's to say",
    fix: "Leave `text.format` out, and give the agent an output schema in OVEN.",
  },
  {
    name: "modalities",
    isAsked: (value) => Array.isArray(value) && value.some((one) => one !== "text"),
    message: "Answers are text",
    fix: "Leave it out.",
  },
  ...["audio", "web_search_options", "conversation", "prompt"].map((name) => ({
    name,
    isAsked: (value: unknown) => value != null,
    message: `\`${name}\` has no counterpart here`,
    fix: "Leave it out.",
  })),
  ...["logprobs", "background"].map((name) => ({
    name,
    isAsked: (value: unknown) => value === true,
    message: `\`${name}\` has no counterpart here`,
    fix: "Leave it out.",
  })),
];

/** @throws OvenError UNSUPPORTED_PARAMETER */
export function refuseUnsupported(body: Readonly<Record<string, unknown>>): void {
  for (const { name, isAsked, message, fix } of REFUSED) {
    if (isAsked(body[name])) throw unsupported(`$.${name}`, message, fix);
  }
}

function typeOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value.type === "string" ? value.type : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
