import { expect, it } from "vitest";
import { z } from "zod";
import { rowRoutes } from "./row-routes.ts";

const NOTES = {
  path: "notes",
  operation: "notes",
  permission: (action: string) => `notes.${action}`,
  summaries: { list: "List", create: "Make", get: "Get", update: "Change", delete: "Delete" },
  params: z.object({ id: z.coerce.number() }),
  row: z.object({ id: z.number() }),
  create: z.object({ text: z.string() }),
  update: z.object({ text: z.string() }),
  rows: () => {
    throw new Error("no route is called");
  },
};
const shown = (resource: Parameters<typeof rowRoutes>[0]) =>
  rowRoutes(resource).map(({ method, path, operation, access, needsApproval }) => ({
    route: `${method} ${path}`,
    operation,
    permission: typeof access === "object" ? access.permission : access,
    ...(needsApproval === undefined ? {} : { needsApproval }),
  }));

it("rows have five routes, each with its permission and operation", () => {
  expect(shown(NOTES)).toEqual([
    { route: "GET notes", operation: "notes.list", permission: "notes.read" },
    { route: "POST notes", operation: "notes.create", permission: "notes.create" },
    { route: "GET notes/[id]", operation: "notes.get", permission: "notes.read" },
    { route: "PUT notes/[id]", operation: "notes.update", permission: "notes.update" },
    { route: "DELETE notes/[id]", operation: "notes.delete", permission: "notes.delete" },
  ]);
});

it("what is said of changes holds for those that change something", () => {
  const operations = (changes: { operation: false } | { needsApproval: true }) =>
    shown({ ...NOTES, changes }).map(({ operation, needsApproval }) => needsApproval ?? operation);
  expect(operations({ operation: false })).toEqual(["notes.list", false, "notes.get", false, false]);
  expect(operations({ needsApproval: true })).toEqual(["notes.list", true, "notes.get", true, true]);
  expect(shown({ ...NOTES, operation: false }).every(({ operation }) => operation === false)).toBe(true);
});
