import KeyRounded from "@mui/icons-material/KeyRounded";
import RestoreRounded from "@mui/icons-material/RestoreRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Agent, AgentVersion } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { GrantDialog } from "@oven/workflow-editor/screen/versions/grant-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { compareSettings } from "./agent-draft.ts";

/** Every version, what it changed, and the way back. */
export function AgentVersions({ agent }: { agent: Agent }): ReactElement {
  const { data, error } = useAnswer<AgentVersion[]>(`agents/${agent.id}/versions?of=${agent.version}`);
  const [restoring, setRestoring] = useState<AgentVersion | null>(null);
  const [grantOf, setGrantOf] = useState<AgentVersion | null>(null);
  const mayUpdate = useCan("agents.update");
  const notify = useNotify();
  const refresh = useRefresh();
  const publishing = useAction(async (version: AgentVersion) => {
    await api(`agents/${agent.id}/versions/${version.id}/restore`, { method: "POST", body: {} });
    setGrantOf(null);
    refresh();
  });
  if (error) return <ErrorPanel error={error} title={t("The versions could not be loaded")} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  return (
    <>
      <Box component="ol" aria-label={t("Versions")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {data.map((version, index) => {
          const before = data[index + 1];
          const changes = before === undefined ? [] : compareSettings(before.settings, version.settings);
          return (
            <Box
              component="li"
              key={version.id}
              sx={{ py: 1.25, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
            >
              <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
                <Box sx={{ width: 84, fontWeight: 600 }}>{t("Version {{version}}", { version: version.version })}</Box>
                <Box sx={{ flex: "1 1 200px", minWidth: 0, overflowWrap: "anywhere" }}>
                  {version.description ?? (before === undefined ? t("The first one") : t("No note"))}
                </Box>
                <Box sx={{ color: "text.secondary", fontSize: 13 }}>
                  <RelativeTime at={version.createdAt} />
                </Box>
                <Button
                  size="small"
                  startIcon={<KeyRounded />}
                  aria-label={t("Permissions of version {{version}}", { version: version.version })}
                  onClick={() => setGrantOf(version)}
                >
                  {t("Permissions")}
                </Button>
                {version.version === agent.version ? (
                  <ToneChip tone="completed" word={t("live")} />
                ) : mayUpdate ? (
                  <Button
                    size="small"
                    variant="outlined"
                    startIcon={<RestoreRounded />}
                    aria-label={t("Restore version {{version}}", { version: version.version })}
                    onClick={() => setRestoring(version)}
                  >
                    {t("Restore")}
                  </Button>
                ) : null}
              </Box>
              {changes.length === 0 ? null : (
                <Box component="details" sx={{ mt: 0.5, "& > summary": { cursor: "pointer", fontSize: 13 } }}>
                  <summary>{changes.map(({ name }) => name).join(", ")}</summary>
                  <Box sx={{ pt: 1 }}>
                    <ChangeLines
                      label={t("What version {{version}} changed", { version: version.version })}
                      lines={changes}
                    />
                  </Box>
                </Box>
              )}
            </Box>
          );
        })}
      </Box>
      {grantOf === null ? null : (
        <GrantDialog
          path={`agents/${agent.id}/versions/${grantOf.id}/grant`}
          version={grantOf.version}
          onClose={() => setGrantOf(null)}
          action={
            mayUpdate && grantOf.version === agent.version ? (
              <Button disabled={publishing.busy} onClick={() => void publishing.run(grantOf)}>
                {t("Publish again with your permissions")}
              </Button>
            ) : undefined
          }
        />
      )}
      {publishing.failure === null ? null : (
        <ErrorPanel error={publishing.failure} title={t("The agent was not published again")} />
      )}
      <ConfirmDialog
        open={restoring !== null}
        title={t("Restore version {{version}}?", { version: restoring?.version ?? "" })}
        text={t(
          "Its settings become version {{version}}. Nothing is lost, and runs that are going on keep their own version.",
          { version: agent.version + 1 },
        )}
        confirmLabel={t("Restore")}
        onClose={() => setRestoring(null)}
        onConfirm={async () => {
          if (restoring === null) return;
          await api(`agents/${agent.id}/versions/${restoring.id}/restore`, { method: "POST", body: {} });
          notify(t("Version {{version}} is live again", { version: restoring.version }), { type: "success" });
          refresh();
        }}
      />
    </>
  );
}
