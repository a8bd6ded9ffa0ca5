import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { Json } from "@oven/contract";
import { type Table, type TableImport, TableImportSchema } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { type ReactElement, useRef, useState } from "react";
import { toCellText } from "./sheet/cell-text.ts";

interface ImportDialogProps {
  table: Table;
  onClose: () => void;
  onImported: () => void;
}

interface Settings {
  data: string;
  name: string;
  charset: string;
  columns: Record<string, string | null>;
  on: string;
  skipRefused: boolean;
}

/** Of a choice: nothing. No column and no charset is called so. */
const NONE = "-";
const CHARSETS = ["utf-8", "windows-1252", "utf-16le", "shift_jis"];

/** A CSV file: first what would become of it, then the file itself. */
export function ImportDialog({ table, onClose, onImported }: ImportDialogProps): ReactElement {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [report, setReport] = useState<TableImport | null>(null);
  const send = async (asked: Settings, dryRun: boolean): Promise<TableImport> => {
    const { data, charset, columns, on, skipRefused } = asked;
    const given = { data, columns, skipRefused, dryRun, on: on === NONE ? null : [on] };
    const body = charset === NONE ? given : { ...given, charset };
    const { json } = await api(`tables/${table.id}/import`, { method: "POST", body });
    return TableImportSchema.parse(json);
  };
  const look = useAction(async (asked: Settings) => {
    setSettings(asked);
    setReport(null);
    setReport(await send(asked, true));
  });
  const writes = report === null ? 0 : report.inserted + report.updated;
  return (
    <FormDialog
      title={t("Import rows into {{name}}", { name: table.name })}
      submitLabel={t("Import {{count}} rows", { count: writes })}
      failureTitle={t("The file was not imported")}
      usable={writes > 0 && !look.busy}
      maxWidth="md"
      onClose={onClose}
      onSubmit={async () => {
        if (settings === null) return;
        const done = await send(settings, false);
        if (done.inserted + done.updated === 0) return setReport(done);
        onClose();
        onImported();
      }}
    >
      <FilePicker
        name={settings?.name ?? null}
        onPick={(name, data) => void look.run({ name, data, charset: NONE, columns: {}, on: NONE, skipRefused: false })}
      />
      {look.failure === null ? null : <ErrorPanel error={look.failure} title={t("The CSV file could not be read")} />}
      {settings === null ? null : (
        <SettingsFields table={table} settings={settings} report={report} onChange={(next) => void look.run(next)} />
      )}
      {report === null ? null : <Report report={report} />}
    </FormDialog>
  );
}

function FilePicker({
  name,
  onPick,
}: {
  name: string | null;
  onPick: (name: string, data: string) => void;
}): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const pick = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) onPick(file.name, await toBase64(file));
  };
  return (
    <Box sx={{ display: "flex", gap: 1.5, alignItems: "center", flexWrap: "wrap" }}>
      <Button variant="outlined" startIcon={<UploadFileOutlined />} onClick={() => field.current?.click()}>
        {t("Choose a CSV file")}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label={t("CSV file")}
        style={visuallyHidden}
        onChange={(event) => void pick(event.target.files?.[0])}
      />
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>
        {name ?? t("The first line has the headings. Separators and charset are recognized.")}
      </Box>
    </Box>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // A call takes some ten thousand arguments at most.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

interface SettingsFieldsProps {
  table: Table;
  settings: Settings;
  report: TableImport | null;
  onChange: (settings: Settings) => void;
}

function SettingsFields({ table, settings, report, onChange }: SettingsFieldsProps): ReactElement {
  const columns = table.columns.map(({ name, title }) => ({ value: name, label: title ?? name }));
  const unique = table.columns
    .filter((column) => column.unique)
    .map(({ name, title }) => ({ value: name, label: title ?? name }));
  return (
    <>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" } }}>
        <ChoiceField
          label={t("Charset")}
          value={settings.charset}
          choices={[
            { value: NONE, label: t("As the file says, else UTF-8") },
            ...CHARSETS.map((value) => ({ value, label: value })),
          ]}
          onChange={(charset) => onChange({ ...settings, charset })}
        />
        <ChoiceField
          label={t("Rows that are there already")}
          value={settings.on}
          choices={[
            { value: NONE, label: t("Are not looked for: every line is a new row") },
            ...unique.map(({ value, label }) => ({ value, label: t("Are found by {{column}}", { column: label }) })),
          ]}
          onChange={(on) => onChange({ ...settings, on })}
        />
        {(report?.headings ?? []).map(({ heading, column }) => (
          <ChoiceField
            key={heading}
            label={t("“{{heading}}” goes into", { heading })}
            value={column ?? NONE}
            choices={[{ value: NONE, label: t("No column") }, ...columns]}
            onChange={(chosen) =>
              onChange({ ...settings, columns: { ...settings.columns, [heading]: chosen === NONE ? null : chosen } })
            }
          />
        ))}
      </Box>
      <FormControlLabel
        label={t("Leave out lines that do not fit")}
        control={
          <Checkbox
            checked={settings.skipRefused}
            onChange={(_, skipRefused) => onChange({ ...settings, skipRefused })}
          />
        }
      />
    </>
  );
}

function problemText(line: number, column: string | null, value: Json, message: string): string {
  if (column === null) return t("Line {{line}}: {{message}}", { line, message });
  const text = toCellText(value);
  return text === ""
    ? t("Line {{line}}, {{column}}: {{message}}", { line, column, message })
    : t("Line {{line}}, {{column}}, “{{text}}”: {{message}}", { line, column, text, message });
}

function Report({ report }: { report: TableImport }): ReactElement {
  const { lines, inserted, updated, refused, problems } = report;
  return (
    <Alert severity={refused > 0 ? "warning" : "success"}>
      {t("{{lines}} lines: {{inserted}} would be new rows, {{updated}} would change rows, {{refused}} do not fit.", {
        ...{ lines, inserted, updated, refused },
      })}
      <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: 200, overflow: "auto" }}>
        {problems.map(({ line, column, value, message }) => (
          <li key={`${line} ${column}`}>{problemText(line, column, value, message)}</li>
        ))}
      </Box>
    </Alert>
  );
}
