import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { CreatedFromImport, ImportedElement, ImportOutcome, ReadImport } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { settingWord } from "@oven/workflow-editor/definition/import-words.ts";
import { type ReactElement, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";

const COLOURS = { mapped: "success", noted: "info", placeholder: "warning", ignored: "default" } as const;

const outcomeWord = (outcome: ImportOutcome): string =>
  ({
    mapped: t("Taken over"),
    noted: t("Taken over, with a note"),
    placeholder: t("To be replaced"),
    ignored: t("Left out"),
  })[outcome];

/** What becomes of another product's workflow, before it is created. */
export function ImportReview({
  kind,
  source,
  preview,
}: {
  kind: WorkflowKind;
  source: string;
  preview: ReadImport;
}): ReactElement {
  const { productTitle, report, problems } = preview;
  const [name, setName] = useState(preview.name);
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  const creating = useAction(async () => {
    const body = { source, kind: kind.kind, name };
    const { json } = await api("workflow-imports", { method: "POST", body });
    const { workflow } = json as CreatedFromImport; // cast: 201 carries it
    notify(t("“{{name}}” was imported", { name: workflow.name }), { type: "success" });
    void navigate(`/${kind.resource}/${workflow.id}/editor`, { state: { drawer: "import" } });
    refresh();
  });
  const open = report.elements.filter(({ outcome }) => outcome === "placeholder").length;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Panel title={t("A workflow of {{product}}", { product: productTitle })}>
        <Box sx={{ display: "grid", gap: 1.5, justifyItems: "start" }}>
          <Typography>
            {open > 0
              ? t("Steps to be replaced before it can be published: {{steps}}. It becomes a draft.", {
                  steps: open,
                })
              : problems.some(({ severity }) => severity === "error")
                ? t("It becomes a draft: the editor shows what is left to do.")
                : t("All of it was taken over. It is published at once.")}
          </Typography>
          <TextField
            size="small"
            label={t("Name")}
            value={name}
            onChange={(event) => setName(event.target.value)}
            sx={{ width: { xs: "100%", sm: 320 } }}
          />
          <Button
            variant="contained"
            disabled={creating.busy || name.trim() === ""}
            onClick={() => void creating.run()}
          >
            {open > 0 ? t("Create the draft") : t("Create the workflow")}
          </Button>
          {creating.failure === null ? null : (
            <ErrorPanel error={creating.failure} title={t("The workflow was not imported")} />
          )}
          {report.notes.map((note) => (
            <Typography key={note} variant="body2" color="text.secondary">
              {note}
            </Typography>
          ))}
        </Box>
      </Panel>
      {report.settings.length === 0 ? null : (
        <Panel title={t("To be set here")}>
          <Box component="ul" sx={{ m: 0, p: 0, display: "grid", gap: 1.5, listStyle: "none" }}>
            {report.settings.map((setting) => (
              <Line
                key={`${setting.kind} ${setting.name}`}
                chip={<Chip size="small" variant="outlined" label={settingWord(setting.kind)} />}
                place={setting}
                notes={[setting.advice]}
              />
            ))}
          </Box>
        </Panel>
      )}
      <Panel title={t("Its steps")}>
        <Box component="ul" sx={{ m: 0, p: 0, display: "grid", gap: 1.5, listStyle: "none" }}>
          {report.elements.map((element) => (
            <Line
              key={element.path}
              chip={
                <Chip
                  size="small"
                  color={COLOURS[element.outcome]}
                  variant="outlined"
                  label={outcomeWord(element.outcome)}
                />
              }
              place={element}
              notes={[element.type, ...element.notes]}
            />
          ))}
        </Box>
      </Panel>
    </Box>
  );
}

function Line({
  chip,
  place: { name, line, column },
  notes,
}: {
  chip: ReactElement;
  place: Pick<ImportedElement, "name" | "line" | "column">;
  notes: readonly string[];
}): ReactElement {
  return (
    <Box component="li" sx={{ display: "grid", gap: 0.25 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <Typography component="span" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
          {name}
        </Typography>
        {chip}
        <Typography component="span" variant="body2" color="text.secondary">
          {t("line {{line}}, column {{column}}", { line, column })}
        </Typography>
      </Box>
      {notes.map((note) => (
        <Typography key={note} variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
          {note}
        </Typography>
      ))}
    </Box>
  );
}
