import type { JsonObject } from "@oven/contract";
import type { Workflow, WorkflowDraft } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { chooseDraft, type StoredWork } from "./open-draft.ts";
import { toSaveText } from "./save-state-text.ts";

const definition = (name: string): JsonObject => ({ initial: name, states: { [name]: { type: "final" } } });
const workflow = { id: 1, version: 3, definition: definition("published") } as unknown as Workflow; // cast: what is read of it
const draft: WorkflowDraft = {
  revision: 5,
  updatedAt: "2026-01-01T00:00:00Z",
  updatedBy: 1,
  baseVersion: 3,
  definition: definition("draft"),
};
const kept = (work: Partial<StoredWork>): { draft: StoredWork; at: string } => ({
  draft: { definition: definition("kept"), revision: 5, baseVersion: 3, ...work },
  at: "2026-01-02T00:00:00Z",
});

describe("where a session of the editor begins", () => {
  it.each([
    ["with the version when there is nothing else", null, null, "published", 0],
    ["with the draft", draft, null, "draft", 5],
    ["with what the browser kept of that draft", draft, kept({}), "kept", 5],
    ["with what was kept of an older draft, so that saving it asks", draft, kept({ revision: 4 }), "kept", 4],
    ["with what was kept before the first save", null, kept({ revision: 0 }), "kept", 0],
    ["with what was kept of a draft that is gone, as a new one", null, kept({}), "kept", 0],
    [
      "with the draft when what was kept is the same",
      draft,
      kept({ definition: definition("draft"), revision: 4 }),
      "draft",
      5,
    ],
  ] as const)("%s", (_, server, browser, initial, revision) => {
    const chosen = chooseDraft(workflow, server, browser);
    expect(chosen.definition.initial).toBe(initial);
    expect(chosen.recovered).toBe(initial === "kept");
    expect(chosen.revision).toBe(revision);
    expect(chosen.server.definition).toBe((server ?? workflow).definition);
  });
});

describe("whether the work is safe", () => {
  it("is said in a word, also where the server's clock is ahead", () => {
    const now = Date.parse("2026-01-01T00:01:00Z");
    expect(toSaveText({ is: "saved", at: "2026-01-01T00:00:00Z" }, now).word).toBe("Draft · saved 1m ago");
    expect(toSaveText({ is: "saved", at: "2026-01-01T00:02:00Z" }, now).word).toBe("Draft · saved just now");
    expect(toSaveText({ is: "offline", failure: null }, now)).toEqual({
      word: "Offline · kept in this browser",
      tone: "paused",
    });
    expect(toSaveText({ is: "conflict", theirs: draft, base: {} }, now).tone).toBe("failed");
  });
});
