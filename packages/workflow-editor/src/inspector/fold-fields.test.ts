import { expect, it } from "vitest";
import { foldFields } from "./fold-fields.ts";
import { toFields } from "./shape.ts";

const names = ["needed", "prompt", "model", "seed", "topP", "history", "step"];
const fields = toFields({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: ["needed"],
});

it("shows what is needed, usual, picked or set, and folds the rest", () => {
  const { shown, folded } = foldFields(fields, { seed: 3 });
  expect(shown.map(({ name }) => name)).toEqual(["needed", "prompt", "model", "seed"]);
  expect(folded.map(({ name }) => name)).toEqual(["topP", "history", "step"]);
});

it("folds nothing of a short form", () => {
  expect(foldFields(fields.slice(2, 6), {}).folded).toEqual([]);
});

it("shows what a node says comes first, in that order, and what is needed or set behind it", () => {
  const { shown, folded } = foldFields(fields, { seed: 3 }, ["topP", "model"]);
  expect(shown.map(({ name }) => name)).toEqual(["topP", "model", "needed", "seed"]);
  expect(folded.map(({ name }) => name)).toEqual(["prompt", "history", "step"]);
});
