import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import InsertDriveFileOutlined from "@mui/icons-material/InsertDriveFileOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { getOwn } from "@oven/contract";
import type { Artefact, Execution } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { toPreview } from "./artefact-kind.ts";
import { ArtefactPreview } from "./artefact-preview.tsx";

const PER_PAGE = 50;
const LIVE_MS = 5_000;

export interface ArtefactsProps {
  run: Pick<Execution, "id" | "kind" | "status">;
  labels: Readonly<Record<string, string>>;
  going: boolean;
}

/** Files, images and large outputs that the run, and the runs inside it, made. */
export function Artefacts({ run, labels, going }: ArtefactsProps): ReactElement {
  const [pages, setPages] = useState(1);
  const { data, total, error, refetch } = useGetList<Artefact>(
    `executions/${run.id}/artefacts`,
    { pagination: { page: 1, perPage: PER_PAGE * pages }, sort: { field: "id", order: "ASC" }, filter: {} },
    { placeholderData: (before) => before, ...(going ? { refetchInterval: LIVE_MS } : {}) },
  );
  if (error)
    return <ErrorPanel error={error} title={t("The artefacts could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={<InsertDriveFileOutlined />}
        title={going ? t("Nothing so far") : t("The run made no files")}
        text={t(
          "Images and files that steps make, and outputs too large for a row, are listed here, those of child runs too.",
        )}
      />
    );
  }
  return (
    <Box>
      <Box component="ul" aria-label={t("Artefacts")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {data.map((artefact) => (
          <ArtefactRow key={artefact.id} artefact={artefact} run={run} label={getOwn(labels, artefact.nodeId)} />
        ))}
      </Box>
      {(total ?? 0) > data.length ? (
        <Button size="small" sx={{ mt: 1 }} onClick={() => setPages((before) => before + 1)}>
          {t("Show more ({{left}} left)", { left: (total ?? 0) - data.length })}
        </Button>
      ) : null}
    </Box>
  );
}

function ArtefactRow({
  artefact,
  run,
  label,
}: {
  artefact: Artefact;
  run: ArtefactsProps["run"];
  label: string | undefined;
}): ReactElement {
  const { id, executionId, nodeId, item, visit, mediaType, bytes, createdAt } = artefact;
  const preview = toPreview(artefact);
  const [open, setOpen] = useState(preview === "image");
  const name = t("Artefact {{id}}", { id });
  const place = [
    label ?? nodeId,
    item === null ? "" : t("item {{item}}", { item }),
    visit > 1 ? t("visit {{visit}}", { visit }) : "",
  ];
  return (
    <Box
      component="li"
      sx={{ py: 1.5, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, rowGap: 0.5 }}>
        <Box sx={{ flex: "1 1 220px", minWidth: 0 }}>
          <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{mediaType}</Box>
          <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
            {formatBytes(bytes)} · {place.filter(Boolean).join(", ")} ·{" "}
            {executionId === run.id ? null : (
              <>
                {/* Runs of the other kind are found from here too. */}
                <Link component={RouterLink} underline="always" to={runPath(run.kind, executionId)}>
                  {t("run #{{id}}", { id: executionId })}
                </Link>{" "}
                ·{" "}
              </>
            )}
            <RelativeTime at={createdAt} />
          </Box>
        </Box>
        {preview === null ? null : (
          <Button
            size="small"
            aria-expanded={open}
            aria-label={open ? t("Hide {{name}}", { name }) : t("Preview {{name}}", { name })}
            onClick={() => setOpen(!open)}
          >
            {open ? t("Hide") : t("Preview")}
          </Button>
        )}
        <Button
          size="small"
          variant="outlined"
          startIcon={<FileDownloadOutlined />}
          href={`/api/blobs/${id}`}
          download
          aria-label={t("Download {{name}}", { name })}
        >
          {t("Download")}
        </Button>
      </Box>
      {open && preview !== null ? (
        <Box sx={{ mt: 1.25 }}>
          <ArtefactPreview artefact={artefact} as={preview} />
        </Box>
      ) : null}
    </Box>
  );
}
