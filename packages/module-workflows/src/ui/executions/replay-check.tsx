import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ReplayReport } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";

/** A button that goes through a run again from its recording, without calling anything, and says whether it comes out the same. */
export function ReplayCheck({ path }: { path: string }): ReactElement {
  const [report, setReport] = useState<ReplayReport | null>(null);
  const { busy, failure, run } = useAction(async () => {
    setReport(null);
    const { json } = await api(`${path}/replay`, { method: "POST", body: {} });
    setReport(json as ReplayReport); // cast: the answer of this route
  });
  return (
    <Box sx={{ display: "grid", gap: 1.5, justifyItems: "start" }}>
      <Button variant="outlined" startIcon={<FactCheckOutlined />} loading={busy} onClick={() => void run()}>
        {t("Check the replay")}
      </Button>
      <Box aria-live="polite" sx={{ width: "100%", "&:empty": { display: "none" } }}>
        {failure === null ? (
          report === null ? null : (
            <Report report={report} />
          )
        ) : (
          <ErrorPanel error={failure} title={t("The replay was not checked")} />
        )}
      </Box>
    </Box>
  );
}

function Report({ report: { same, moves, divergence } }: { report: ReplayReport }): ReactElement {
  if (same || divergence === null)
    return (
      <Typography>
        {t("It comes out the same. Moves that were gone through again, without calling anything: {{moves}}.", {
          moves,
        })}
      </Typography>
    );
  return (
    <Box>
      <Typography>{t("It comes out differently at entry {{seq}} of its log.", { seq: divergence.seq })}</Typography>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          mt: 1,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        <Box>
          <Typography variant="h3">{t("Recorded")}</Typography>
          <JsonView value={divergence.recorded} what={t("what was recorded")} maxHeight={320} />
        </Box>
        <Box>
          <Typography variant="h3">{t("Now")}</Typography>
          <JsonView value={divergence.happened} what={t("what comes out now")} maxHeight={320} />
        </Box>
      </Box>
    </Box>
  );
}
