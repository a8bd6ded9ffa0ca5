import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { JsonObject, Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";

/** What the policies about past runs have against publishing this, as the server finds it; publishing asks once more. */
export function PublishRules({
  kind,
  workflowId,
  definition,
}: {
  kind: WorkflowKind;
  workflowId: number;
  definition: JsonObject;
}): ReactElement | null {
  const [again, setAgain] = useState(0);
  const [ask] = useState(() => async (path: string, signal: AbortSignal): Promise<unknown> => {
    return (await api(path, { method: "POST", body: { definition }, signal })).json;
  });
  const path = `${kind.resource}/${workflowId}/publish-check`;
  const { data, error } = useAnswer<{ problems: Problem[] }>(path, again, ask);
  if (error) return <ErrorPanel error={error} title={t("The rules about past runs could not be checked")} />;
  if (data === undefined || data.problems.length === 0) return null;
  return (
    <Box component="section" aria-label={t("Rules about past runs")} sx={{ display: "grid", gap: 1 }}>
      {data.problems.map(({ message, fix, severity }) => (
        <Alert key={message} severity={severity}>
          {message}
          <Box sx={{ fontSize: 13, mt: 0.5 }}>{fix}</Box>
        </Alert>
      ))}
      <Box>
        <Button size="small" variant="outlined" color="inherit" onClick={() => setAgain((count) => count + 1)}>
          {t("Check the rules again")}
        </Button>
      </Box>
    </Box>
  );
}
