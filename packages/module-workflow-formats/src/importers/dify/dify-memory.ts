import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts } from "../../importing/literals.ts";
import { beforeKey, type DifyContext, type Mapped, toStep } from "./dify-context.ts";
import type { DifyNode } from "./dify-document.ts";

interface Remembering {
  memory: JsonObject;
  /** Its own prompts of users and assistants. */
  messages: Json[];
  input: Record<string, Json>;
  notes: string[];
}

/** The message itself, with the files that may come with it. */
const PLAIN = /^\s*\{\{#(?:[^#{}.]+\.)?sys\.query#\}\}(?:\s*\{\{#(?:[^#{}.]+\.)?sys\.files#\}\})?\s*$/;
const FILES = /\{\{#(?:[^#{}.]+\.)?sys\.files#\}\}/g;

/**
 * A model with a memory gets its prompts, then the conversation before the message, then what is asked. Only chats have a
 * conversation.
 */
export function mapMemory(node: DifyNode, context: DifyContext, remembering: Remembering): Mapped {
  const { memory, messages, input, notes } = remembering;
  const { document, data, isChat, stateOf } = context;
  const given = typeof memory.query_prompt_template === "string" ? memory.query_prompt_template : "";
  const isPlain = given === "" || PLAIN.test(given);
  const { role_prefix: prefix } = memory;
  if (isObject(prefix) && (prefix.user || prefix.assistant))
    notes.push("The names of the roles in its conversation were not imported.");
  const rounds = roundsOf(memory);
  if (isChat && isPlain && messages.length === 0 && !(rounds > 0)) {
    notes.push("It sees the conversation that the run was started with.");
    return { ...toStep(node, context, "agent.llm", input), notes };
  }
  // Files that cannot come are filled in as nothing.
  const asked = isPlain && isChat ? "{{#sys.query#}}" : document.takesFiles ? given : given.replaceAll(FILES, "");
  const query = asked === "" ? [] : [{ role: "user", content: joinTexts([data.template(asked)]) }];
  if (!isChat) {
    const all = [...messages, ...query];
    return { ...toStep(node, context, "agent.llm", { ...input, messages: all }), notes };
  }
  const state = stateOf(beforeKey(node.id));
  notes.push(`It sees the conversation before the message${rounds > 0 ? `, its last ${rounds} rounds` : ""}.`);
  return {
    ...toStep(node, context, "agent.llm", { ...input, messages: `$.${state}_output.result` }),
    notes,
    before: {
      what: "conversation",
      invoke: {
        src: "core.code",
        input: { code: JOIN_CONVERSATION, inputs: { said: "$.messages", messages, query, rounds } },
      },
    },
  };
}

/** How many rounds of the conversation it sees; 0: all. */
export function roundsOf({ window }: JsonObject): number {
  return isObject(window) && window.enabled === true ? Math.trunc(Number(window.size ?? 0)) : 0;
}

/** A round is a message and what is answered to it. The conversation ends with the message of this run. */
export const JOIN_CONVERSATION = `const earlier = said.slice(0, -1).filter(({ role }) => role === "user" || role === "assistant");
let from = 0;
if (rounds > 0) {
  const starts = earlier.flatMap(({ role }, at) => (role === "user" ? [at] : []));
  from = starts.at(-rounds) ?? 0;
}
return [...messages, ...earlier.slice(from), ...query];
`;
