import { expect, it } from "vitest";
import type { Examiner } from "./examiner.ts";
import { findTriggers } from "./find-triggers.ts";
import type { PublishedWorkflow } from "./read-published.ts";
import type { StoredTrigger } from "./read-triggers.ts";

const examiner = { missing: async () => [] } as unknown as Examiner; // cast: all that it is asked here
const WORKFLOW: PublishedWorkflow = {
  ...{ kind: "workflow", id: 1, tenantId: 1, name: "Report", slug: "report", version: 1, enabled: true },
  ...{ definition: {}, publisherId: 1, publisher: "ada@example.com", granted: ["*"] },
};
const TRIGGER: StoredTrigger = {
  ...{ id: 7, tenantId: 1, name: "Hook", targetKind: "workflow", workflowId: 1, saverId: 1, saver: "ada@example.com" },
  ...{ keyId: null, scopes: null, permissions: ["*"], granted: ["*"], isOld: false, problem: null },
};

it("finds triggers whose workflow is gone or switched off, and whose firings are refused", async () => {
  const problemsOf = async (trigger: Partial<StoredTrigger>, workflow: Partial<PublishedWorkflow> = {}) => {
    const found = await findTriggers(examiner, [{ ...WORKFLOW, ...workflow }], [{ ...TRIGGER, ...trigger }]);
    return found.map(({ problem }) => problem);
  };
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ workflowId: 2 })).toEqual(["it starts nothing: workflow 2 is gone"]);
  expect(await problemsOf({}, { enabled: false })).toEqual(["it starts nothing: Report is switched off"]);
  expect(await problemsOf({ problem: "amount is missing" })).toEqual([
    "each of its firings is refused: amount is missing",
  ]);
});
