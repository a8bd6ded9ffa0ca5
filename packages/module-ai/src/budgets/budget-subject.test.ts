import { describe, expect, it } from "vitest";
import type { ModelCaller } from "../usage/record-usage.ts";
import { periodOf, subjectOf } from "./budget-subject.ts";

const caller: ModelCaller = {
  ...{ tenantId: 1, userId: 2, keyId: 4, executionId: 12, rootExecutionId: 10 },
  ...{ workflow: "agent-workflow:7", agent: "3" },
};
const of = (scope: Parameters<typeof subjectOf>[0]["scope"], target: string | null, by = caller) =>
  subjectOf({ scope, target, period: "day" }, by);

describe("whose amount a call is taken from", () => {
  it.each([
    ["tenant", null, "tenant"],
    ["run", null, "run:10"],
    ["run", "agent-workflow:7", "run:10"],
    ["run", "agent-workflow:8", undefined],
    ["workflow", null, "agent-workflow:7"],
    ["workflow", "agent-workflow:7", "agent-workflow:7"],
    ["workflow", "workflow:7", undefined],
    ["agent", null, "agent:3"],
    ["agent", "3", "agent:3"],
    ["agent", "4", undefined],
    ["key", null, "key:4"],
    ["key", "4", "key:4"],
    ["key", "5", undefined],
  ] as const)("%s for %s: %s", (scope, target, subject) => {
    expect(of(scope, target)).toBe(subject);
  });

  it("is nobody's of what the call does not belong to", () => {
    const direct = { tenantId: 1, userId: 2 };
    for (const scope of ["run", "workflow", "agent", "key"] as const) expect(of(scope, null, direct)).toBeUndefined();
    expect(of("run", null, { ...direct, executionId: 12 })).toBe("run:12");
  });
});

it("days and months are those of UTC", () => {
  const lastInstant = Date.parse("2026-01-31T23:59:59.999Z");
  const at = (period: "day" | "month" | "run", now: number) => periodOf({ period }, now);
  expect([at("day", lastInstant), at("month", lastInstant), at("run", lastInstant)]).toEqual([
    "2026-01-31",
    "2026-01",
    "run",
  ]);
  expect([at("day", lastInstant + 1), at("month", lastInstant + 1)]).toEqual(["2026-02-01", "2026-02"]);
});
