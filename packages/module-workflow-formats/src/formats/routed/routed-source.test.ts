import { isOvenError } from "@oven/contract";
import { RoutedGraphSpecSchema } from "@oven/contract/formats/routed.ts";
import { expect, it } from "vitest";
import { importSource } from "../../shared/import-source.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { checkRouted, type KnownAgents } from "./check-routed.ts";
import { GOOD, MALFORMED } from "./testing/malformed-routed.ts";

const AGENTS: KnownAgents = new Map([
  ["router", { name: "Router", hasTools: false }],
  ["clerk", { name: "Clerk", hasTools: true }],
]);
const take = (source: string) =>
  importSource(source, RoutedGraphSpecSchema, async (spec) => {
    refuseProblems(checkRouted(spec, AGENTS, [...AGENTS.keys()]));
    return spec;
  });

it("a document that is good is taken", async () => {
  expect(await take(GOOD)).toEqual(JSON.parse(GOOD));
});

it.each(MALFORMED)("a document that is malformed is refused at its place: %s", async (_what, marked, says) => {
  const before = marked.slice(0, marked.indexOf("§")).split("\n");
  const told = await take(marked.replace("§", "")).then(
    () => "it was taken",
    (error: unknown) => error,
  );
  if (!isOvenError(told)) throw new Error(String(told));
  expect(told.code).toMatch(/^SOURCE_(INVALID|UNREADABLE)$/);
  expect(told.message).toMatch(says);
  expect(told.details, told.message).toMatchObject({
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
  });
});
