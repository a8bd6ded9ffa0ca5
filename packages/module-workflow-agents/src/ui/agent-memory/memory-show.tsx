import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { type MemoryEntry, MemorySourceSchema } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { EmbeddingChip } from "./embedding-chip.tsx";
import { MemoryDialog } from "./memory-dialog.tsx";
import { useOwners } from "./use-owners.ts";

const PARENT = { to: "/agent-memory", label: t("Memory") };

export function MemoryShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: entry, error, refetch } = useRecord<MemoryEntry>("agent-memory", id);
  if (error) {
    return (
      <>
        <PageHeader title={t("Memory {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This memory could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (entry === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedMemory entry={entry} />;
}

function LoadedMemory({ entry }: { entry: MemoryEntry }): ReactElement {
  const owners = useOwners();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "forget" | null>(null);
  const may = { update: useCan("agent-memory.update"), delete: useCan("agent-memory.delete") };
  const owner = owners.ownerOf(entry);
  return (
    <>
      <PageHeader
        title={entry.key}
        parent={PARENT}
        badges={<EmbeddingChip entry={entry} />}
        line={
          <>
            {owner.to === null ? (
              <span>{owner.name}</span>
            ) : (
              <Link component={RouterLink} to={owner.to}>
                {owner.name}
              </Link>
            )}
            <span>{t("about {{user}}", { user: owners.userOf(entry) })}</span>
            <span>{tx("changed {{time}}", { time: <RelativeTime at={entry.updatedAt} /> })}</span>
          </>
        }
        actions={
          <>
            {may.delete ? (
              <Button startIcon={<DeleteOutlineRounded />} onClick={() => setOpen("forget")}>
                {t("Forget")}
              </Button>
            ) : null}
            {may.update ? (
              <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setOpen("edit")}>
                {t("Correct")}
              </Button>
            ) : null}
          </>
        }
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 3fr) 2fr" },
        }}
      >
        <Panel title={t("What is remembered")}>
          <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{entry.content}</Typography>
        </Panel>
        <Box sx={{ display: "grid", gap: 2 }}>
          <Panel title={t("Embedding")}>
            <Typography variant="body2">
              {entry.embedded
                ? t(
                    "Its text and vector are in vector store {{vectorStoreId}}: runs find it by meaning and by words.",
                    { vectorStoreId: entry.vectorStoreId },
                  )
                : t(
                    "It is in no vector store now, so no run finds it. Save it again with Correct, and it is embedded anew.",
                  )}
            </Typography>
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
              {entry.expiresAt === null
                ? t("Kept until it is forgotten.")
                : tx("Forgotten by itself {{time}}.", { time: <RelativeTime at={entry.expiresAt} /> })}
            </Typography>
          </Panel>
          <Origin entry={entry} />
        </Box>
      </Box>
      {open === "edit" ? <MemoryDialog owners={owners} entry={entry} onClose={() => setOpen(null)} /> : null}
      <ConfirmDialog
        open={open === "forget"}
        title={t("Forget “{{key}}”?", { key: entry.key })}
        text={t("Runs will not know it any more. It cannot be brought back.")}
        confirmLabel={t("Forget")}
        onConfirm={async () => {
          await api(`agent-memory/${entry.id}`, { method: "DELETE" });
          void navigate("/agent-memory");
        }}
        onClose={() => setOpen(null)}
      />
    </>
  );
}

/** The run and the message that it was taken from; what was written by hand has none. */
function Origin({ entry }: { entry: MemoryEntry }): ReactElement {
  const { source, ...others } = entry.metadata;
  const read = MemorySourceSchema.safeParse(source);
  const shown = read.success ? others : entry.metadata;
  return (
    <Panel title={t("Where it comes from")}>
      {read.success ? (
        <Box sx={{ display: "grid", gap: 0.75 }}>
          <Link component={RouterLink} to={runPath(read.data.executionKind, read.data.executionId)}>
            {t("Run #{{id}}", { id: read.data.executionId })}
          </Link>
          <Typography variant="body2" sx={{ overflowWrap: "anywhere" }}>
            {tx("at {{step}}, {{time}}: “{{message}}”", {
              step: read.data.nodeId,
              time: <RelativeTime at={read.data.at} />,
              message: read.data.message,
            })}
          </Typography>
        </Box>
      ) : (
        <Typography variant="body2" color="text.secondary">
          {t("Written by hand or over the API.")}
        </Typography>
      )}
      {Object.keys(shown).length === 0 ? null : (
        <Box sx={{ mt: 1.5 }}>
          <JsonView value={shown} what={t("the metadata")} maxHeight={240} />
        </Box>
      )}
    </Panel>
  );
}
