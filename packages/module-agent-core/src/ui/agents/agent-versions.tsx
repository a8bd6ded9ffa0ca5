import KeyRounded from "@mui/icons-material/KeyRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Agent, AgentVersion } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { VersionRows } from "@oven/ui/components/version-rows.tsx";
import { GrantDialog } from "@oven/workflow-editor/screen/versions/grant-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";
import { compareSettings } from "./agent-draft.ts";

/** Every version, what it changed, and the way back. */
export function AgentVersions({ agent }: { agent: Agent }): ReactElement {
  const { data, error } = useAnswer<AgentVersion[]>(`agents/${agent.id}/versions?of=${agent.version}`);
  const [grantOf, setGrantOf] = useState<AgentVersion | null>(null);
  const mayUpdate = useCan("agents.update");
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
      <VersionRows
        versions={data}
        live={agent.version}
        path={`agents/${agent.id}/versions`}
        mayRestore={mayUpdate}
        restoreText={t(
          "Its settings become version {{version}}. Nothing is lost, and runs that are going on keep their own version.",
          { version: agent.version + 1 },
        )}
        toNote={(_, index) => (index === data.length - 1 ? t("The first one") : t("No note"))}
        renderParts={(version) => (
          <Button
            size="small"
            startIcon={<KeyRounded />}
            aria-label={t("Permissions of version {{version}}", { version: version.version })}
            onClick={() => setGrantOf(version)}
          >
            {t("Permissions")}
          </Button>
        )}
        renderBelow={(version, index) => <Changes version={version} before={data[index + 1]} />}
      />
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
    </>
  );
}

/** What a version changed of the one before it, folded up. */
function Changes({
  version,
  before,
}: {
  version: AgentVersion;
  before: AgentVersion | undefined;
}): ReactElement | null {
  const changes = before === undefined ? [] : compareSettings(before.settings, version.settings);
  if (changes.length === 0) return null;
  return (
    <Box component="details" sx={{ mt: 0.5, "& > summary": { cursor: "pointer", fontSize: 13 } }}>
      <summary>{changes.map(({ name }) => name).join(", ")}</summary>
      <Box sx={{ pt: 1 }}>
        <ChangeLines label={t("What version {{version}} changed", { version: version.version })} lines={changes} />
      </Box>
    </Box>
  );
}
