import type { JsonObject, Problem } from "@oven/contract";
import { api } from "@oven/ui/api/api-client.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";
import { toProblems } from "./check-definition.ts";

const QUIET_MS = 450;

export interface ServerCheck {
  /** The problems of the last answer, which may be about an earlier definition. */
  problems: readonly Problem[];
  state: "checking" | "checked" | "failed";
  /** Why the server could not be asked. */
  failure: unknown;
}

interface Answer extends Omit<ServerCheck, "state"> {
  definition: JsonObject;
}

const NONE: readonly Problem[] = [];

/** What the server finds wrong with a definition, asked when changes rest; null: nothing to ask about. */
export function useServerCheck(resource: WorkflowKind["resource"], definition: JsonObject | null): ServerCheck {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (definition === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api(`${resource}/validate`, { method: "POST", body: { definition }, signal: controller.signal }).then(
        // cast: the shape of the validate route
        ({ json }) => setAnswer({ definition, problems: (json as { problems: Problem[] }).problems, failure: null }),
        (failure: unknown) => {
          if (controller.signal.aborted) return;
          // Some faults of shape are answered as an error with the same list.
          const problems = toProblems(failure);
          setAnswer({ definition, problems, failure: problems.length > 0 ? null : failure });
        },
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [resource, definition]);
  const current = answer !== null && answer.definition === definition;
  return {
    problems: answer?.problems ?? NONE,
    state: !current ? "checking" : answer.failure === null ? "checked" : "failed",
    failure: current ? answer.failure : null,
  };
}
