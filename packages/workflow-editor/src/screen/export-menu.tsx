import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Tooltip from "@mui/material/Tooltip";
import type { NodeType } from "@oven/contract/node";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { download } from "@oven/ui/components/download.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { withTags } from "../definition/with-tags.ts";
import type { EditorStore } from "../editor/editor-store.ts";

export interface ExportMenuProps {
  kind: WorkflowKind;
  workflow: Workflow;
  store: EditorStore;
  nodeTypes: readonly NodeType[] | undefined;
}

/** What is on the canvas, as a file. */
export function ExportMenu({ kind, workflow, store, nodeTypes }: ExportMenuProps): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const run = (action: () => Promise<void>): void => {
    setAnchor(null);
    action().catch((error: unknown) => store.refuse(error instanceof Error ? error.message : String(error)));
  };
  const json = (): string => JSON.stringify(withTags(store.document, workflow.tags), null, 2);
  const mermaid = async (): Promise<void> => {
    const { json: compiled } = await api(`${kind.resource}/${workflow.id}/compile`, {
      method: "POST",
      body: { definition: store.document },
    });
    // cast: the shape of the compile route
    download(`${workflow.slug}.mmd`, "text/plain", (compiled as { mermaid: string }).mermaid);
  };
  const picture = async (type: "svg" | "png"): Promise<void> => {
    const { drawPicture } = await import("./draw-picture.ts");
    await drawPicture(store.document, nodeTypes, workflow.slug, type);
  };
  return (
    <>
      <Tooltip title={t("Export")}>
        <IconButton aria-label={t("Export")} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
          <FileDownloadOutlined sx={{ fontSize: 20 }} />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => run(async () => download(`${workflow.slug}.json`, "application/json", json()))}>
          {t("JSON file")}
        </MenuItem>
        <MenuItem
          onClick={() =>
            run(async () => {
              await navigator.clipboard.writeText(json());
              store.say(t("The definition is on the clipboard"));
            })
          }
        >
          {t("Copy as JSON")}
        </MenuItem>
        <MenuItem onClick={() => run(() => picture("svg"))}>{t("Picture (SVG)")}</MenuItem>
        <MenuItem onClick={() => run(() => picture("png"))}>{t("Picture (PNG)")}</MenuItem>
        <MenuItem onClick={() => run(mermaid)}>Mermaid</MenuItem>
      </Menu>
    </>
  );
}
