import { AGENT_WORKFLOWS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { runsOf } from "./executions/runs-of.ts";

interface KindInFilterProps {
  kind: WorkflowKind;
  of: "resource" | "executionResource";
  /** The list of both kinds. */
  children: ReactElement;
}

/**
 * Both kinds have one list, at the path of agent workflows. The path of the other kind, and a link that names a workflow by its id, lead to
 * it with the kind as a filter.
 */
export function KindInFilter({ kind, of, children }: KindInFilterProps): ReactElement {
  const [search] = useSearchParams();
  const filter = toFilter(search.get("filter"));
  const resource = kind === AGENT_WORKFLOWS ? runsOf(filter).chosen?.resource : kind[of];
  const isHere = kind === AGENT_WORKFLOWS && (resource === undefined || filter.resource !== undefined);
  if (isHere) return children;
  const others = new URLSearchParams(search);
  others.set("filter", JSON.stringify({ ...filter, resource }));
  return <Navigate to={`/${AGENT_WORKFLOWS[of]}?${others}`} replace />;
}

function toFilter(text: string | null): Record<string, unknown> {
  try {
    const filter: unknown = JSON.parse(text ?? "{}");
    return typeof filter === "object" && filter !== null ? { ...filter } : {};
  } catch {
    // As React Admin takes a filter that is no JSON.
    return {};
  }
}
