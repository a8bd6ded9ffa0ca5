import type { Json } from "@oven/contract";
import type { Damage } from "../../../importing/testing/damaged-documents.ts";

export const SOUND: Json = {
  StartAt: "A",
  States: {
    A: { Type: "Pass", Next: "B" },
    B: { Type: "Choice", Choices: [{ Variable: "$.x", NumericEquals: 1, Next: "C" }], Default: "D" },
    C: { Type: "Task", Resource: "arn", Catch: [{ ErrorEquals: ["States.ALL"], Next: "D" }], End: true },
    D: { Type: "Succeed" },
  },
};

const wrong = (at: string, ...values: Json[]): Damage[] => values.map((value) => [at, value]);

export const DAMAGED: readonly Damage[] = [
  ...wrong("$.StartAt", "none", 4, null, [], {}, true, "__proto__"),
  ...wrong("$.States", [], "none", 4, null, true),
  ...wrong("$.Comment", 4, [], {}),
  ...wrong("$.QueryLanguage", "SQL", 4, null),
  ...wrong("$.States.A", "Pass", 4, null, []),
  ...wrong("$.States.A.Type", "Unknown", 4, null, []),
  ...wrong("$.States.A.Next", "none", 4, null, [], "toString"),
  ...wrong("$.States.B.Choices", {}, "none", 4, null),
  ...wrong("$.States.B.Choices[0]", "none", 4, null, []),
  ...wrong("$.States.B.Choices[0].Next", "none", 4, null),
  ...wrong("$.States.B.Default", "none", 4, null),
  ...wrong("$.States.C.Catch", {}, "none", 4),
  ...wrong("$.States.C.Catch[0].ErrorEquals", [], "none", 4, null),
  ...wrong("$.States.C.Catch[0].Next", "none", 4, null),
];
