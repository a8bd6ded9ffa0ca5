import { type AnsweredCalls, readAnsweredCalls } from "../requests/call-ids.ts";
import { readText, unsupported } from "../requests/read-text.ts";
import type { Entry } from "../requests/to-said.ts";
import type { InputItem, NewResponse } from "./response-shapes.ts";

/**
 * What the input of a request has, in its order.
 * @param answerOf the text of an earlier answer that the input only names
 * @throws OvenError INVALID_REQUEST, UNSUPPORTED_PARAMETER, NOT_FOUND for a message that is named and not there
 */
export async function readInput(
  { input, instructions }: Pick<NewResponse, "input" | "instructions">,
  answerOf: (id: string) => Promise<string>,
): Promise<Entry[]> {
  const system: Entry[] = instructions ? [{ role: "system", text: instructions }] : [];
  if (typeof input === "string") return [...system, { role: "user", text: input }];
  const entries: Entry[] = [...system];
  for (const [index, item] of input.entries()) entries.push(...(await toEntries(item, `$.input[${index}]`, answerOf)));
  return entries;
}

/** The results that end an input. */
export function readResults({ input }: Pick<NewResponse, "input">): AnsweredCalls | undefined {
  if (typeof input === "string") return undefined;
  const from = input.findLastIndex(({ type }) => type !== "function_call_output") + 1;
  const results = input.slice(from).map(({ call_id: id = "", output }, index) => ({
    id,
    text: readText(output, `$.input[${from + index}].output`),
  }));
  return readAnsweredCalls(results);
}

async function toEntries(item: InputItem, path: string, answerOf: (id: string) => Promise<string>): Promise<Entry[]> {
  const { type = "message", role = "user", content, id, call_id: callId = "" } = item;
  switch (type) {
    case "message": {
      const text = readText(content, `${path}.content`);
      return [{ role: role === "developer" ? "system" : role, text }];
    }
    case "item_reference":
      return [{ role: "assistant", text: await answerOf(id ?? "") }];
    case "function_call":
      return [{ role: "call", name: item.name ?? "", arguments: item.arguments ?? "" }];
    case "function_call_output":
      return [{ role: "result", id: callId, text: readText(item.output, `${path}.output`) }];
    case "reasoning":
      return [];
    default:
      throw unsupported(path, `An item of the type ${type} cannot be given`, "Send messages with text.");
  }
}
