import CompareArrowsRounded from "@mui/icons-material/CompareArrowsRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useGetList, useGetMany } from "react-admin";
import { GrantDialog } from "./grant-dialog.tsx";
import type { NamedDefinition } from "./version-view.tsx";

const DRAFT = "draft";

export interface VersionsTabProps {
  kind: WorkflowKind;
  workflowId: number;
  /** The version that is live. */
  live: number;
  draft: JsonObject;
  onPreview: (shown: NamedDefinition) => void;
  onCompare: (from: NamedDefinition, to: NamedDefinition) => void;
  onRestore: (shown: NamedDefinition) => void;
  /** It is live again, as the version that is given. */
  onLive: (workflow: Workflow) => void;
}

function named({ version, definition }: WorkflowVersion): NamedDefinition {
  return { name: t("version {{version}}", { version }), definition };
}

/** Every published version: who, when and why; looked at, compared, and taken back. */
export function VersionsTab(props: VersionsTabProps): ReactElement {
  const { kind, workflowId, live, draft, onPreview, onCompare, onRestore, onLive } = props;
  const path = `${kind.resource}/${workflowId}/versions`;
  const { data, error, refetch } = useGetList<WorkflowVersion>(path, {
    pagination: { page: 1, perPage: 100 },
    sort: { field: "version", order: "DESC" },
    // Another one was published: another list.
    meta: { live },
  });
  const [back, setBack] = useState<WorkflowVersion | null>(null);
  const [grantOf, setGrantOf] = useState<WorkflowVersion | null>(null);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const authors = useAuthors(data);
  if (error)
    return (
      <Box sx={{ p: 1.75 }}>
        <ErrorPanel error={error} title={t("The versions could not be loaded")} onRetry={() => void refetch()} />
      </Box>
    );
  if (data === undefined) return <Skeleton variant="rounded" height={90} sx={{ m: 1.75 }} />;
  return (
    <Box sx={{ px: 1.75, py: 1 }}>
      <Comparison versions={data} live={live} draft={draft} onCompare={onCompare} />
      <Box component="ol" aria-label={t("Versions")} sx={{ m: 0, mt: 1, p: 0, listStyle: "none" }}>
        {data.map((version) => (
          <Box
            component="li"
            key={version.id}
            sx={{
              display: "flex",
              flexWrap: "wrap",
              alignItems: "center",
              gap: 1.25,
              py: 0.75,
              fontSize: 13,
              borderTop: 1,
              borderColor: "divider",
            }}
          >
            <Box sx={{ width: 76, fontWeight: 600 }}>{t("Version {{version}}", { version: version.version })}</Box>
            <Box sx={{ flex: "1 1 180px", minWidth: 0, overflowWrap: "anywhere" }}>
              {version.description ?? <Box sx={{ color: "text.secondary" }}>{t("No note")}</Box>}
            </Box>
            <Box sx={{ color: "text.secondary" }}>
              {authors(version.createdBy)}, <RelativeTime at={version.createdAt} />
            </Box>
            {version.version === live ? <ToneChip tone="completed" word={t("live")} /> : null}
            <Button
              size="small"
              aria-label={t("Permissions of version {{version}}", { version: version.version })}
              onClick={() => setGrantOf(version)}
            >
              {t("Permissions")}
            </Button>
            <Button
              size="small"
              aria-label={t("Preview version {{version}}", { version: version.version })}
              onClick={() => onPreview(named(version))}
            >
              {t("Preview")}
            </Button>
            <Button
              size="small"
              aria-label={t("Compare with the draft: version {{version}}", { version: version.version })}
              onClick={() => onCompare(named(version), { name: t("the draft"), definition: draft })}
            >
              {t("Compare with the draft")}
            </Button>
            {mayUpdate ? (
              <Button
                size="small"
                aria-label={t("Restore version {{version}} into the draft", { version: version.version })}
                onClick={() => onRestore(named(version))}
              >
                {t("Restore")}
              </Button>
            ) : null}
            {mayUpdate && version.version !== live ? (
              <Button
                size="small"
                aria-label={t("Make live: version {{version}}", { version: version.version })}
                onClick={() => setBack(version)}
              >
                {t("Make live")}
              </Button>
            ) : null}
          </Box>
        ))}
      </Box>
      {grantOf === null ? null : (
        <GrantDialog path={`${path}/${grantOf.id}/grant`} version={grantOf.version} onClose={() => setGrantOf(null)} />
      )}
      <ConfirmDialog
        open={back !== null}
        title={t("Make version {{version}} live again?", { version: back?.version ?? "" })}
        text={t(
          "Its definition is published again as version {{version}}. Nothing is lost, and runs that are going on keep their own version.",
          { version: live + 1 },
        )}
        confirmLabel={t("Make live")}
        onClose={() => setBack(null)}
        onConfirm={async () => {
          if (back === null) return;
          const { json } = await api(`${path}/${back.id}/restore`, { method: "POST", body: {} });
          onLive(json as Workflow); // cast: the shape of the restore route
        }}
      />
    </Box>
  );
}

/** Names of users, for who may see them. */
function useAuthors(versions: readonly WorkflowVersion[] | undefined): (id: number | null) => string {
  const ids = [...new Set(versions?.flatMap(({ createdBy }) => (createdBy === null ? [] : [createdBy])))];
  const mayRead = useCan("users.read");
  const { data } = useGetMany<{ id: number; name: string }>(
    "users",
    { ids },
    { enabled: mayRead && ids.length > 0, retry: false },
  );
  return (id) => (id === null ? "OVEN" : (data?.find((user) => user.id === id)?.name ?? t("user {{id}}", { id })));
}

interface ComparisonProps {
  versions: readonly WorkflowVersion[];
  live: number;
  draft: JsonObject;
  onCompare: VersionsTabProps["onCompare"];
}

/** Any two versions, or a version and the draft. */
function Comparison({ versions, live, draft, onCompare }: ComparisonProps): ReactElement {
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState(DRAFT);
  const older = from ?? String(live);
  const pick = (value: string): NamedDefinition | undefined => {
    if (value === DRAFT) return { name: t("the draft"), definition: draft };
    const found = versions.find(({ version }) => String(version) === value);
    return found === undefined ? undefined : named(found);
  };
  const [one, other] = [pick(older), pick(to)];
  const options = [
    <MenuItem key={DRAFT} value={DRAFT}>
      {t("The draft")}
    </MenuItem>,
    ...versions.map(({ version }) => (
      <MenuItem key={version} value={String(version)}>
        {version === live ? t("Version {{version}} (live)", { version }) : t("Version {{version}}", { version })}
      </MenuItem>
    )),
  ];
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, pt: 0.75 }}>
      <TextField
        select
        size="small"
        label={t("Compare")}
        value={older}
        onChange={(event) => setFrom(event.target.value)}
        sx={{ minWidth: 150 }}
      >
        {options}
      </TextField>
      <TextField
        select
        size="small"
        label={t("Compare with")}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        sx={{ minWidth: 150 }}
      >
        {options}
      </TextField>
      <Button
        variant="outlined"
        startIcon={<CompareArrowsRounded />}
        disabled={one === undefined || other === undefined || older === to}
        onClick={() => {
          if (one !== undefined && other !== undefined) onCompare(one, other);
        }}
      >
        {t("Show the differences")}
      </Button>
    </Box>
  );
}
