import { type JsonObject, OvenError } from "@oven/contract";
import { type SimulatedReply, type SimulatedScript, SimulatedScriptSchema } from "@oven/contract/ai";
import { type CompiledValue, compileValue } from "@oven/engine";
import { RE2JS } from "re2js";
import type { Conversation } from "./conversation.ts";

/** A reply with its values ready to be computed. */
export interface CompiledReply extends Pick<SimulatedReply, "chunkMs" | "usage" | "fail"> {
  text: CompiledValue | undefined;
  object: CompiledValue | undefined;
  toolCalls: { tool: string; arguments: CompiledValue }[];
}

interface Choice {
  reply: CompiledReply | undefined;
  /** What values of the reply refer to: `$.match`, `$.last`, `$.results`. */
  scope: JsonObject;
}

/** A script with its patterns and values compiled. */
export interface CompiledScript {
  name: string;
  /** The first rule that matches decides. */
  choose(conversation: Conversation): Choice;
}

/** @throws OvenError SIMULATED_SCRIPT_INVALID: wrong shape, a pattern that is not RE2, a value that cannot be read */
export function compileScript(given: SimulatedScript): CompiledScript {
  try {
    return compile(SimulatedScriptSchema.parse(given));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OvenError("SIMULATED_SCRIPT_INVALID", `The simulated script ${given.name} is not valid: ${why}`, {
      status: 500,
      fix: "Correct the script where it is registered",
      cause,
    });
  }
}

function compile(script: SimulatedScript): CompiledScript {
  const rules = script.rules.map(({ when, reply }) => ({
    when,
    reply: compileReply(reply),
    pattern: when.matches === undefined ? undefined : RE2JS.compile(when.matches),
  }));
  const otherwise = script.otherwise === undefined ? undefined : compileReply(script.otherwise);
  return {
    name: script.name,
    choose({ last, results, turn }) {
      for (const { when, reply, pattern } of rules) {
        if (when.last !== "any" && when.last !== last.role) continue;
        if (when.tool !== undefined && when.tool !== last.tool) continue;
        if (when.turn !== undefined && when.turn !== turn) continue;
        const match = pattern === undefined ? [last.text] : findMatch(pattern, last.text);
        if (match !== undefined) return { reply, scope: { match, last: last.text, results } };
      }
      return { reply: otherwise, scope: { match: [last.text], last: last.text, results } };
    },
  };
}

function compileReply({ text, object, toolCalls, ...rest }: SimulatedReply): CompiledReply {
  return {
    ...rest,
    text: text === undefined ? undefined : compileValue(text),
    object: object === undefined ? undefined : compileValue(object),
    toolCalls: (toolCalls ?? []).map((call) => ({ tool: call.tool, arguments: compileValue(call.arguments) })),
  };
}

/** The whole match, then its groups; a group that took no part is null. */
function findMatch(pattern: RE2JS, text: string): (string | null)[] | undefined {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? null);
}
