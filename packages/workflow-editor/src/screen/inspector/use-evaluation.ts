import type { EvaluateBody, Evaluation } from "@oven/contract/run";
import { api } from "@oven/ui/api/api-client.ts";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";
import type { Past } from "./use-past.ts";

const QUIET_MS = 400;

/** What was asked, and what the server says it comes to. */
export type Answered = { ok: true; evaluation: Evaluation } | { ok: false; message: string };

/** What something comes to over the run that was chosen; asked of the server when typing rests. Null: not known yet. */
export function useEvaluation(past: Past | undefined, asked: Omit<EvaluateBody, "checkpoint"> | null): Answered | null {
  const run = past?.run;
  const path = run === undefined || asked === null ? null : `${kindOf(run.kind).executionResource}/${run.id}/evaluate`;
  const checkpoint = past?.checkpoint ?? null;
  const body = JSON.stringify({ ...asked, ...(checkpoint === null ? {} : { checkpoint }) });
  const key = `${path} ${run?.status} ${run?.steps} ${body}`;
  const [found, setFound] = useState<{ key: string; answered: Answered } | null>(null);
  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api(path, { method: "POST", body: JSON.parse(body), signal: controller.signal }).then(
        ({ json }) => setFound({ key, answered: { ok: true, evaluation: json as Evaluation } }), // cast: the answer of the route
        (failure: unknown) => {
          if (controller.signal.aborted) return;
          setFound({ key, answered: { ok: false, message: asApiError(failure).message } });
        },
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, body, key]);
  return found !== null && found.key === key && path !== null ? found.answered : null;
}
