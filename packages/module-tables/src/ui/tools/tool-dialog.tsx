import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import {
  type CreateTableTool,
  type Table,
  type TableFilter,
  type TableTool,
  type TableToolAction,
  TableToolActionSchema,
} from "@oven/contract/table";
import { t } from "@oven/i18n";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { FilterBar } from "../filter-bar.tsx";
import { actionWord } from "../words.ts";

interface ToolDialogProps {
  table: Table;
  /** null: a new one. */
  tool: TableTool | null;
  onClose: () => void;
  onSave: (body: CreateTableTool) => Promise<void>;
}

/** What agents may do with which rows and columns of a table. */
export function ToolDialog({ table, tool, onClose, onSave }: ToolDialogProps): ReactElement {
  const names = table.columns.map(({ name }) => name);
  const [draft, setDraft] = useState<CreateTableTool>({
    name: tool?.name ?? table.slug,
    table: table.slug,
    description: tool?.description ?? "",
    enabled: tool?.enabled ?? true,
    actions: tool?.actions ?? ["find"],
    where: tool?.where ?? {},
    visible: tool?.visible ?? names,
    writable: tool?.writable ?? tool?.visible ?? names,
    most: tool?.most ?? 20,
    needsApproval: tool?.needsApproval ?? true,
  });
  const set = (change: Partial<CreateTableTool>): void => setDraft({ ...draft, ...change });
  const usable = draft.name !== "" && draft.description.trim() !== "" && draft.actions.length > 0;
  const mayWrite = draft.actions.some((action) => action !== "find");
  return (
    <FormDialog
      title={tool === null ? t("New tool of {{name}}", { name: table.name }) : t("Tool {{name}}", { name: tool.name })}
      submitLabel={t("Save")}
      failureTitle={t("The tool was not saved")}
      usable={usable}
      onClose={onClose}
      onSubmit={() => onSave(draft)}
    >
      <TextField
        autoFocus
        label={t("Name of the tool")}
        value={draft.name}
        helperText={t("Agents name it as {{id}}.", { id: `table.${draft.name}.*` })}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        multiline
        minRows={2}
        label={t("What is in the table, and when to use it")}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <ActionChecks actions={draft.actions} onChange={(actions) => set({ actions })} />
      <Where table={table} where={draft.where} onChange={(where) => set({ where })} />
      <ColumnChecks
        label={t("Columns that the model sees")}
        names={names}
        chosen={draft.visible ?? names}
        onChange={(visible) => set({ visible })}
      />
      {mayWrite ? (
        <>
          <ColumnChecks
            label={t("Columns that it writes")}
            names={names}
            chosen={draft.writable ?? names}
            onChange={(writable) => set({ writable })}
          />
          <FormControlLabel
            label={t("A person approves each call that writes")}
            control={<Checkbox checked={draft.needsApproval} onChange={(_, now) => set({ needsApproval: now })} />}
          />
        </>
      ) : null}
      <TextField
        type="number"
        label={t("Rows in one call at most")}
        value={draft.most}
        onChange={(event) => set({ most: Number(event.target.value) })}
      />
      <FormControlLabel
        label={t("Switched on")}
        control={<Checkbox checked={draft.enabled} onChange={(_, enabled) => set({ enabled })} />}
      />
    </FormDialog>
  );
}

interface ActionChecksProps {
  actions: readonly TableToolAction[];
  onChange: (actions: TableToolAction[]) => void;
}

function ActionChecks({ actions, onChange }: ActionChecksProps): ReactElement {
  return (
    <Box role="group" aria-label={t("What agents may do")} sx={{ display: "flex", flexWrap: "wrap", columnGap: 2 }}>
      {TableToolActionSchema.options.map((action) => (
        <FormControlLabel
          key={action}
          label={actionWord(action)}
          control={
            <Checkbox
              checked={actions.includes(action)}
              onChange={(_, now) => onChange(now ? [...actions, action] : actions.filter((one) => one !== action))}
            />
          }
        />
      ))}
    </Box>
  );
}

interface WhereProps {
  table: Table;
  where: TableFilter;
  onChange: (where: TableFilter) => void;
}

function Where(props: WhereProps): ReactElement {
  return (
    <Box role="group" aria-label={t("Rows that it reaches")}>
      <Box sx={{ fontSize: 13, color: "text.secondary", mb: 0.5 }}>
        {t("Rows that it reaches: no call reaches others, whatever the model asks for.")}
      </Box>
      <FilterBar {...props} />
    </Box>
  );
}

interface ColumnChecksProps {
  label: string;
  names: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function ColumnChecks({ label, names, chosen, onChange }: ColumnChecksProps): ReactElement {
  return (
    <Box role="group" aria-label={label}>
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>{label}</Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2 }}>
        {names.map((name) => (
          <FormControlLabel
            key={name}
            label={name}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(name)}
                onChange={(_, now) => onChange(now ? [...chosen, name] : chosen.filter((one) => one !== name))}
              />
            }
          />
        ))}
      </Box>
    </Box>
  );
}
