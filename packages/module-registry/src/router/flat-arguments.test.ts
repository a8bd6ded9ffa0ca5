import { expect, it } from "vitest";
import { z } from "zod";
import { defineRoute, noContent } from "../define/define-route.ts";
import { toFlatArguments } from "./flat-arguments.ts";

const common = { operation: false, summary: "x", access: "session", handler: async () => noContent() } as const;
const update = toFlatArguments(
  defineRoute({
    ...common,
    method: "PUT",
    path: "books/[id]",
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ dry: z.boolean().optional() }),
    body: z.strictObject({ title: z.string(), year: z.int().optional() }),
  }),
);

it("spreads arguments over path, query and body", () => {
  expect(update.split({ id: 7, dry: true, title: "Emma", year: 1815 })).toEqual({
    params: { id: "7" },
    query: { dry: true },
    body: { title: "Emma", year: 1815 },
  });
});

it("puts a part whose names clash, or that is no plain object, under its own name", () => {
  const clash = toFlatArguments(
    defineRoute({
      ...common,
      method: "POST",
      path: "books/[id]/copy",
      params: z.strictObject({ id: z.string() }),
      body: z.strictObject({ id: z.string() }),
    }),
  );
  expect(clash.split({ id: "1", body: { id: "2" } })).toEqual({ params: { id: "1" }, query: {}, body: { id: "2" } });
  const list = toFlatArguments(defineRoute({ ...common, method: "POST", path: "books", body: z.array(z.string()) }));
  expect(list.split({ body: ["a"] }).body).toEqual(["a"]);
});

it("takes a number for a path's text, and nothing that does not fit", () => {
  expect(update.safeParse({ id: 7, title: "Emma" }).success).toBe(true);
  expect(update.safeParse({ id: true, title: "Emma" }).success).toBe(false);
  expect(update.safeParse({ id: "7", title: "Emma", year: "1815" }).success).toBe(false);
  expect(update.safeParse({ id: "7", titel: "Emma" }).success).toBe(false);
  expect(() => update.split({ id: "7", titel: "Emma" })).toThrow(
    expect.objectContaining({ code: "TOOL_INPUT_INVALID", path: "$.titel", fix: expect.stringContaining("title") }),
  );
});
