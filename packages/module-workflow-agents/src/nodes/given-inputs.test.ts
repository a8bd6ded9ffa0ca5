import { type CatalogEntry, validateDefinition } from "@oven/engine";
import { expect, it } from "vitest";
import { agentNodes } from "./agent-nodes.ts";

const RUN = "$.trigger.value";

function problemsOf(src: string, input: Record<string, string>): string[] {
  const nodes = new Map(agentNodes.map((node) => [node.id, node as unknown as CatalogEntry])); // cast: a catalogue reads no more of a node
  const { problems } = validateDefinition(
    { initial: "a", states: { a: { invoke: { src, input, onDone: "b" } }, b: { type: "final" } } },
    { get: (id) => nodes.get(id), names: () => [...nodes.keys()] },
  );
  return problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

it.each<[string, Record<string, string>, string | undefined]>([
  ["agent.humanReview", { title: RUN }, "agent.humanReview: give either `show` or `toolCall`"],
  [
    "agent.humanReview",
    { title: RUN, show: RUN, toolCall: RUN },
    "agent.humanReview: give either `show` or `toolCall`",
  ],
  ["agent.humanReview", { title: RUN, show: RUN }, undefined],
  ["agent.embed", { model: RUN }, "agent.embed: give either `text` or `texts`"],
  ["agent.embed", { text: RUN, texts: RUN }, "agent.embed: give either `text` or `texts`"],
  ["agent.embed", { texts: RUN }, undefined],
  ["data.extractText", {}, "data.extractText: give either `file` or `files`"],
  ["data.extractText", { file: RUN, files: RUN }, "data.extractText: give either `file` or `files`"],
  ["data.extractText", { files: RUN }, undefined],
  ["agent.prompt", {}, "agent.prompt: give `system`, `template`, or both"],
  ["agent.prompt", { template: RUN }, undefined],
])("%s with %j known in a run only: %s", (src, input, problem) => {
  expect(problemsOf(src, input)).toEqual(problem === undefined ? [] : [problem]);
});
