import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { TriedCondition, TryCondition } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { api } from "../api/api-client.ts";
import { MONOSPACE } from "../theme/tokens.ts";
import { ErrorPanel } from "./error-panel.tsx";
import { useAction } from "./use-action.ts";
import { kindOf } from "./workflow-kind.ts";

/** Tries a condition for approvals on what was proposed in the past. Nothing is shown where there is no condition. */
export function ConditionTrial({ asked }: { asked: TryCondition | null }): ReactElement | null {
  const key = JSON.stringify(asked);
  const [tried, setTried] = useState<{ key: string; result: TriedCondition } | null>(null);
  const { busy, failure, run, reset } = useAction(async () => {
    const { json } = await api("approval-conditions/try", { method: "POST", body: asked });
    setTried({ key, result: json as TriedCondition }); // cast: the shape of the route
  });
  if (asked === null) return null;
  const result = tried?.key === key ? tried.result : null;
  return (
    <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
      <Button
        size="small"
        disabled={busy}
        onClick={() => {
          reset();
          void run();
        }}
      >
        {t("Try on past runs")}
      </Button>
      <Box role="status" sx={{ display: "grid", gap: 0.5, fontSize: 13, color: "text.secondary", minWidth: 0 }}>
        {result === null ? null : <Result result={result} />}
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The condition was not tried")} />}
    </Box>
  );
}

function Result({ result: { looked, asks, unknown, examples } }: { result: TriedCondition }): ReactElement {
  if (looked === 0) return <span>{t("No past run has proposed anything here yet.")}</span>;
  return (
    <>
      <span>{t("Of the last {{looked}}, {{asks}} would have asked a person.", { looked, asks })}</span>
      {unknown === 0 ? null : (
        <Box component="span" sx={{ color: "var(--oven-status-paused)" }}>
          {t("In {{count}} of them the condition could not be computed, which asks as well: check the names.", {
            count: unknown,
          })}
        </Box>
      )}
      {examples.map(({ executionId, executionKind, args }) => (
        <Box key={`${executionId} ${JSON.stringify(args)}`} sx={{ display: "flex", gap: 1, minWidth: 0 }}>
          <Link component={RouterLink} to={`/${kindOf(executionKind).executionResource}/${executionId}/show`}>
            {t("Run {{id}}", { id: executionId })}
          </Link>
          <Box
            component="code"
            sx={{
              fontFamily: MONOSPACE,
              fontSize: 12,
              overflow: "hidden",
              textOverflow: "ellipsis",
              whiteSpace: "nowrap",
            }}
          >
            {JSON.stringify(args)}
          </Box>
        </Box>
      ))}
    </>
  );
}
