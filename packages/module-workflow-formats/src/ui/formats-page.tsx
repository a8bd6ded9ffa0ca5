import AddRounded from "@mui/icons-material/AddRounded";
import DescriptionOutlined from "@mui/icons-material/DescriptionOutlined";
import DownloadRounded from "@mui/icons-material/DownloadRounded";
import UploadFileRounded from "@mui/icons-material/UploadFileRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Tooltip from "@mui/material/Tooltip";
import type { FormatWorkflow, WorkflowFormat } from "@oven/contract/format";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { readTextFile } from "@oven/ui/api/read-text-file.ts";
import { download } from "@oven/ui/components/download.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, Suspense, useRef, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { FormatPages } from "./format-pages.ts";
import * as formatPages from "./formats.ts";
import { useFresh } from "./use-fresh.ts";

/** What a format has beside its documents; undefined: nothing. */
const pagesOf = (format: string): FormatPages | undefined =>
  Object.values<FormatPages>(formatPages).find((pages) => pages.format === format);

/** Workflows that documents of other systems compile to, format by format. */
export function FormatsPage(): ReactElement {
  const { data: formats, error } = useAnswer<WorkflowFormat[]>("workflow-formats");
  return (
    <>
      <PageHeader
        title={t("Workflow formats")}
        line={t("Documents of other systems, and the workflows they compile to. Each is changed in its own format.")}
      />
      {error === null ? null : <ErrorPanel error={error} title={t("The formats could not be loaded")} />}
      {formats === undefined && error === null ? <Skeleton variant="rounded" height={240} /> : null}
      <Box sx={{ display: "grid", gap: 2 }}>
        {(formats ?? []).map((format) => (
          <FormatPanel key={format.format} {...format} />
        ))}
      </Box>
    </>
  );
}

function FormatPanel({ format, title }: WorkflowFormat): ReactElement {
  const { data: rows, error, refetch } = useFresh<FormatWorkflow[]>(`workflow-formats/${format}`);
  const mayImport = useCan("workflow-formats.create");
  const create = pagesOf(format)?.create;
  const mayMake = useCan(create?.permission ?? "workflow-formats.create");
  const [making, setMaking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const importing = useAction(async (file: File) => {
    await api(`workflow-formats/${format}/import`, { method: "POST", body: { source: await readTextFile(file) } });
    refetch();
  });
  return (
    <Panel
      title={title}
      flush
      aside={
        <>
          {create !== undefined && mayMake ? (
            <Button size="small" startIcon={<AddRounded />} onClick={() => setMaking(true)}>
              {t("New")}
            </Button>
          ) : null}
          {mayImport ? (
            <>
              <Button
                size="small"
                startIcon={<UploadFileRounded />}
                disabled={importing.busy}
                onClick={() => input.current?.click()}
              >
                {t("Import")}
              </Button>
              <input
                ref={input}
                type="file"
                hidden
                aria-label={t("Import into {{title}}", { title })}
                accept=".json,.txt,.py,application/json,text/plain"
                onChange={(event) => {
                  const [file] = event.target.files ?? [];
                  // The same file can be chosen again once it was corrected.
                  event.target.value = "";
                  if (file !== undefined) void importing.run(file);
                }}
              />
            </>
          ) : null}
        </>
      }
    >
      {making && create !== undefined ? (
        <Suspense fallback={null}>
          <create.Dialog onClose={() => setMaking(false)} />
        </Suspense>
      ) : null}
      {importing.failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel error={importing.failure} title={t("The document was not imported")} />
        </Box>
      )}
      {error === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel error={error} title={t("{{title}} could not be loaded", { title })} onRetry={refetch} />
        </Box>
      )}
      {rows?.length === 0 ? (
        <EmptyState
          icon={<DescriptionOutlined />}
          title={t("None yet")}
          text={create?.hint() ?? t("Import a document, or make one through the API.")}
        />
      ) : null}
      <Box component="ul" aria-label={title} sx={{ m: 0, p: 0 }}>
        {(rows ?? []).map((row) => (
          <DocumentRow key={row.id} row={row} />
        ))}
      </Box>
    </Panel>
  );
}

function DocumentRow({ row }: { row: FormatWorkflow }): ReactElement {
  const { format, id, name, agent_workflow_id: workflow, updated_at: at } = row;
  const link = pagesOf(format)?.link;
  const exporting = useAction(async () => {
    const { json } = await api(`workflow-formats/${format}/${id}/export`);
    download(`${name}.json`, "application/json", `${JSON.stringify(json, null, 2)}\n`);
  });
  return (
    <Box
      component="li"
      sx={{
        listStyle: "none",
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.5,
        px: 2,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
      }}
    >
      <Box sx={{ flex: "1 1 180px", minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{name}</Box>
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {tx("changed {{time}}", { time: <RelativeTime at={at} /> })}
        </Box>
        {exporting.failure === null ? null : <ErrorPanel error={exporting.failure} title={t("It was not exported")} />}
      </Box>
      {link === undefined ? null : (
        <Link component={RouterLink} to={link.to(id)}>
          {link.title()}
        </Link>
      )}
      {workflow === null ? (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("cannot run yet")}</Box>
      ) : (
        <Link component={RouterLink} to={`/agent-workflows/${workflow}/show`}>
          {t("Workflow")}
        </Link>
      )}
      <Tooltip title={t("Download the document")}>
        <IconButton
          aria-label={t("Download {{name}}", { name })}
          disabled={exporting.busy}
          onClick={() => void exporting.run()}
        >
          <DownloadRounded sx={{ fontSize: 19 }} />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
