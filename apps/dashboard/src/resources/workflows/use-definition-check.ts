import type { Problem } from "@oven/contract";
import { useEffect, useMemo, useState } from "react";
import { api } from "../../providers/api-client.ts";
import {
  type ParsedDefinition,
  type PlacedProblem,
  parseDefinition,
  placeProblems,
  toProblems,
} from "./check-definition.ts";
import type { WorkflowKind } from "./workflow-kind.ts";

const QUIET_MS = 450;

export interface DefinitionCheck {
  parsed: ParsedDefinition;
  problems: PlacedProblem[];
  state: "checking" | "checked" | "failed";
  /** Why the server could not be asked. */
  failure: unknown;
}

interface Answer {
  text: string;
  problems: Problem[];
  failure: unknown;
}

/** Reads the text at once and asks the server when typing rests. */
export function useDefinitionCheck(resource: WorkflowKind["resource"], text: string): DefinitionCheck {
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (!parsed.ok) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api(`${resource}/validate`, {
        method: "POST",
        body: { definition: parsed.definition },
        signal: controller.signal,
      }).then(
        // cast: the shape of the validate route
        ({ json }) => setAnswer({ text, problems: (json as { problems: Problem[] }).problems, failure: null }),
        (failure: unknown) => {
          if (controller.signal.aborted) return;
          // Some faults of shape are answered as an error with the same list.
          const problems = toProblems(failure);
          setAnswer({ text, problems, failure: problems.length > 0 ? null : failure });
        },
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [resource, parsed, text]);
  const problems = useMemo(() => {
    if (!parsed.ok) return [parsed.problem];
    return placeProblems(text, parsed.positions, answer?.problems ?? []);
  }, [parsed, text, answer]);
  const current = answer?.text === text;
  return {
    parsed,
    problems,
    state: !parsed.ok ? "checked" : !current ? "checking" : answer.failure === null ? "checked" : "failed",
    failure: current ? answer.failure : null,
  };
}
