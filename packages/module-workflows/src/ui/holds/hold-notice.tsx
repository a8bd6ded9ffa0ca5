import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Hold } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";

/** Says what is held, by whom and why, each with the button that lets it go on. */
export function HoldNotices({
  holds,
  onChange,
}: {
  holds: readonly Hold[];
  onChange: () => void;
}): ReactElement | null {
  if (holds.length === 0) return null;
  return (
    <Box sx={{ display: "grid", gap: 1, mb: 2 }}>
      {holds.map((hold) => (
        <HoldNotice key={hold.id} hold={hold} onChange={onChange} />
      ))}
    </Box>
  );
}

function HoldNotice({ hold, onChange }: { hold: Hold; onChange: () => void }): ReactElement {
  const mayManage = useCan("holds.manage");
  const { busy, failure, run } = useAction(async () => {
    await api(`holds/${hold.id}`, { method: "DELETE" });
    onChange();
  });
  return (
    <>
      <Alert
        severity="warning"
        action={
          mayManage ? (
            <Button color="inherit" size="small" loading={busy} onClick={() => void run()}>
              {t("Let it go on")}
            </Button>
          ) : null
        }
      >
        {toText(hold)}
        {hold.reason === null ? null : <Box sx={{ overflowWrap: "anywhere" }}>{hold.reason}</Box>}
        <Box sx={{ fontSize: 12.5 }}>
          {hold.heldByName ?? t("the system")} · <RelativeTime at={hold.createdAt} />
        </Box>
      </Alert>
      {failure === null ? null : <ErrorPanel error={failure} title={t("It was not let go on")} />}
    </>
  );
}

function toText({ executionId, workflow }: Hold): string {
  if (executionId !== null)
    return t("This run is held: it begins no new step. Decisions, events and timers count when it goes on.");
  if (workflow !== null)
    return t("{{name}} is held: its runs begin no new step, and new ones wait.", { name: workflow.name });
  return t("All runs are held: none begins a new step, and new ones wait.");
}
