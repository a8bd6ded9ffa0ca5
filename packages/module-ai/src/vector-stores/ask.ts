import type { AskAnswer, AskBody, RetrieveAnswer } from "@oven/contract/ai";
import type { Models, Spend, StoreCall } from "./query-store.ts";
import { addSpend } from "./query-store.ts";

const SYSTEM = [
  "Answer the question from the numbered sources only.",
  "After each statement name the source it comes from, as [1] or [2][3].",
  "When the sources do not answer the question, say so and name none.",
].join(" ");

/** An answer made of what a search found. When it found nothing, no model is asked. */
export async function ask(
  models: Models,
  body: AskBody,
  { spend, ...found }: RetrieveAnswer & { spend: Spend },
  call: StoreCall,
): Promise<AskAnswer & { simulated: boolean }> {
  if (found.matches.length === 0) {
    const { usage, costMicros, simulated } = spend;
    return { ...found, answer: null, citations: [], usage, costMicros, model: null, simulated };
  }
  const { text, usage, costMicros, model } = await models.generate({
    model: body.model,
    system: body.system === undefined ? SYSTEM : `${body.system}\n\n${SYSTEM}`,
    messages: [{ role: "user", content: `${found.context}\n\nQuestion: ${body.query}` }],
    ...call,
  });
  const { citations, unknown } = toCitations(text, found);
  const warnings = unknown.map((number) => `The answer names source ${number}, which there is not`);
  const total = addSpend(spend, { usage, costMicros, simulated: model.simulated });
  return {
    ...found,
    warnings: [...found.warnings, ...warnings],
    answer: text,
    citations,
    usage: total.usage,
    costMicros: total.costMicros,
    model,
    simulated: total.simulated,
  };
}

function toCitations(text: string, { matches }: Pick<RetrieveAnswer, "matches">) {
  const named = new Set([...text.matchAll(/\[(\d{1,4})\]/g)].map(([, digits]) => Number(digits)));
  const numbers = [...named].sort((a, b) => a - b);
  const citations: AskAnswer["citations"] = [];
  for (const number of numbers) {
    const match = matches[number - 1];
    if (match !== undefined) citations.push({ number, key: match.key, source: match.source });
  }
  return { citations, unknown: numbers.filter((number) => matches[number - 1] === undefined) };
}
