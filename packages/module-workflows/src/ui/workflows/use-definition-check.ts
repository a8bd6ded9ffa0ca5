import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import {
  type ParsedDefinition,
  type PlacedProblem,
  parseDefinition,
  placeProblems,
} from "@oven/workflow-editor/definition/check-definition.ts";
import { type ServerCheck, useServerCheck } from "@oven/workflow-editor/definition/use-server-check.ts";
import { useMemo } from "react";

export interface DefinitionCheck extends Omit<ServerCheck, "problems"> {
  parsed: ParsedDefinition;
  problems: PlacedProblem[];
}

/** Reads the text at once and asks the server when typing rests. */
export function useDefinitionCheck(resource: WorkflowKind["resource"], text: string): DefinitionCheck {
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const { problems: found, state, failure } = useServerCheck(resource, parsed.ok ? parsed.definition : null);
  const problems = useMemo(
    () => (parsed.ok ? placeProblems(text, parsed.positions, found) : [parsed.problem]),
    [parsed, text, found],
  );
  return parsed.ok ? { parsed, problems, state, failure } : { parsed, problems, state: "checked", failure: null };
}
