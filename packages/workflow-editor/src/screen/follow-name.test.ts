import { expect, it } from "vitest";
import { followName } from "./follow-name.ts";

it("derives the slug from a new name until the workflow is published for the first time", () => {
  const fresh = { name: "Untitled workflow", slug: "untitled-workflow", version: 1 };
  expect(followName(fresh, "Refund desk")).toEqual({ slug: "refund-desk" });
  expect(followName({ ...fresh, slug: "untitled-workflow-12" }, "Crème")).toEqual({ slug: "creme" });
});

it("leaves a slug that somebody chose, or that others may use already", () => {
  const fresh = { name: "Untitled workflow", slug: "untitled-workflow", version: 1 };
  expect(followName({ ...fresh, slug: "mine" }, "Refund desk")).toEqual({});
  expect(followName({ ...fresh, slug: "untitled-workflow-b" }, "Refund desk")).toEqual({});
  expect(followName({ ...fresh, version: 2 }, "Refund desk")).toEqual({});
});
