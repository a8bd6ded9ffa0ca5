import Box from "@mui/material/Box";
import type { Evaluation, Json } from "@oven/contract";
import { type ReactElement, useContext, useEffect, useState } from "react";
import { api } from "../../providers/api-client.ts";
import { asApiError } from "../../providers/api-error.ts";
import { runPath } from "../../resources/workflows/workflow-kind.ts";
import { FormContext } from "./form-context.ts";

const QUIET_MS = 400;
const LONGEST = 200;

/** What an expression, or a condition, comes to over the newest run; asked of the server when typing rests. */
export function Preview({ value, guard }: { value?: Json | undefined; guard?: Json | undefined }): ReactElement | null {
  const { run } = useContext(FormContext);
  const asked = JSON.stringify(guard === undefined ? { value } : { guard });
  const [answer, setAnswer] = useState<{ asked: string; text: string; bad: boolean } | null>(null);
  const path = run === undefined ? null : runPath(run.kind, run.id).replace(/^\/(.*)\/show$/, "$1");
  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api(`${path}/evaluate`, { method: "POST", body: JSON.parse(asked), signal: controller.signal }).then(
        ({ json }) => setAnswer({ asked, ...toText(json as Evaluation) }), // cast: the answer of the route
        (failure: unknown) => {
          if (!controller.signal.aborted) setAnswer({ asked, text: asApiError(failure).message, bad: true });
        },
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, asked]);
  if (run === undefined || answer === null || answer.asked !== asked) return null;
  return (
    <Box
      role="status"
      sx={{ fontSize: 12, color: answer.bad ? "warning.main" : "success.main", overflowWrap: "anywhere" }}
    >
      In run {run.id}: {answer.text}
    </Box>
  );
}

function toText({ value, problem }: Evaluation): { text: string; bad: boolean } {
  if (problem !== null) return { text: problem.message, bad: true };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, bad: false };
}
