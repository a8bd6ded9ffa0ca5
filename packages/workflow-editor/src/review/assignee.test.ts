import { AssigneeSchema } from "@oven/contract/review";
import { expect, it } from "vitest";
import { toAssignee, toAudience } from "./assignee.ts";

it("takes e-mails and numbers for users, and other words for roles", () => {
  const typed = ["ada@example.com", " 3 ", "support-lead", "user:7", "role:lead"].map(toAssignee);
  expect(typed).toEqual(["user:ada@example.com", "user:3", "role:support-lead", "user:7", "role:lead"]);
  for (const assignee of typed) expect(AssigneeSchema.safeParse(assignee).success).toBe(true);
});

it("names who is asked", () => {
  expect(toAudience([])).toBe("anyone who may decide");
  expect(toAudience(["role:lead", "user:ada@example.com"])).toBe("lead, ada@example.com");
  expect(toAudience(["user:7", "user:8"], 8)).toBe("user 7, you");
});
