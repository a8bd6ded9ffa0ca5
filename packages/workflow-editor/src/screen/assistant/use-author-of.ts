import type { WorkflowDraft } from "@oven/contract/workflow";
import { type RefObject, useCallback } from "react";
import { useGetIdentity } from "react-admin";
import type { FoldAuthor } from "../fold-draft.ts";

/** Says whose a draft is that was saved elsewhere: the assistant saves as the person it works for. */
export function useAuthorOf(working: RefObject<boolean>): (draft: WorkflowDraft) => FoldAuthor {
  const { identity } = useGetIdentity();
  const me = identity === undefined ? null : Number(identity.id);
  return useCallback(
    ({ updatedBy }) => (working.current && (updatedBy === me || updatedBy === null) ? "assistant" : "other"),
    [working, me],
  );
}
