import FileUploadOutlined from "@mui/icons-material/FileUploadOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { ReadImport, Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { readTextFile } from "@oven/ui/api/read-text-file.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { withTags } from "@oven/workflow-editor/definition/with-tags.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { isDefinition } from "./is-definition.ts";
import { STARTERS } from "./starters.ts";

/** What a new workflow begins as. `foreign`: a file, which may be written as other systems do. */
export interface Start {
  key: string;
  name: string;
  text: string;
  foreign: boolean;
  /** A document of another product, and what becomes of it. */
  preview?: ReadImport;
}

const MAX_FILE = 8 * 1_048_576;
const EMPTY = { initial: "done", states: { done: { type: "final" } } };
const ALL = { pagination: { page: 1, perPage: 100 }, sort: { field: "name", order: "ASC" as const } };

const write = (definition: object): string => JSON.stringify(definition, null, 2);

export function smallStart({ kind }: WorkflowKind): Start {
  return { key: "small", name: "", text: write(STARTERS[kind]), foreign: false };
}

/** From a small one, from nothing, from a workflow that is there, or from a file. */
export function StartFrom({
  kind,
  chosen,
  onChoose,
}: {
  kind: WorkflowKind;
  chosen: string;
  onChoose: (start: Start) => void;
}): ReactElement {
  const { data = [] } = useGetList<Workflow>(kind.resource, ALL);
  const [failure, setFailure] = useState<unknown>(null);
  const choose = (key: string): void => {
    setFailure(null);
    if (key === "small") onChoose(smallStart(kind));
    if (key === "empty") onChoose({ key, name: "", text: write(EMPTY), foreign: false });
    const workflow = data.find(({ id }) => String(id) === key);
    if (workflow === undefined) return;
    const { name, definition, tags } = workflow;
    onChoose({ key, name: `${name} (copy)`, text: write(withTags(definition, tags)), foreign: false });
  };
  const read = async (file: File): Promise<void> => {
    setFailure(null);
    try {
      if (file.size > MAX_FILE) throw new Error("The file is over 8 MiB, which is more than a definition may be.");
      const text = await readTextFile(file);
      const name = file.name.replace(/\.(json|ya?ml)$/i, "").slice(0, 200);
      const key = `file:${file.name}`;
      if (isDefinition(text)) return onChoose({ key, name, text, foreign: true });
      const { json } = await api("workflow-imports/preview", { method: "POST", body: { source: text } });
      onChoose({ key, name, text, foreign: true, preview: json as ReadImport }); // cast: 200 carries it
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Box
      sx={{ display: "grid", gap: 1, mb: 2 }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file !== undefined) void read(file);
      }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <TextField
          select
          size="small"
          label={t("Start from")}
          value={chosen.startsWith("file:") ? "file" : chosen}
          onChange={(event) => choose(event.target.value)}
          sx={{ width: { xs: "100%", sm: 320 } }}
        >
          <MenuItem value="small">{t("A small example")}</MenuItem>
          <MenuItem value="empty">{t("Nothing")}</MenuItem>
          {chosen.startsWith("file:") ? <MenuItem value="file">{chosen.slice(5)}</MenuItem> : null}
          {data.map(({ id, name, tenantId }) => (
            <MenuItem key={id} value={String(id)}>
              {tenantId === null ? t("Template: {{name}}", { name }) : name}
            </MenuItem>
          ))}
        </TextField>
        <Button component="label" variant="outlined" startIcon={<FileUploadOutlined />}>
          {t("Import a file")}
          <input
            hidden
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            aria-label={t("Import a file")}
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              event.target.value = "";
              if (file !== undefined) void read(file);
            }}
          />
        </Button>
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The file could not be read")} />}
    </Box>
  );
}
