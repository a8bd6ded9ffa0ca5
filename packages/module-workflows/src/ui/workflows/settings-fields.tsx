import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { WorkflowNotify } from "@oven/contract/system";
import { t } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { NotifyFields } from "./notify-fields.tsx";
import { TagField } from "./tag-field.tsx";
import { useTags } from "./use-tags.ts";

export interface WorkflowSettingsDraft {
  name: string;
  slug: string;
  description: string;
  enabled: boolean;
  /** Absent: it is set elsewhere. */
  mcpExport?: boolean;
  tags: string[];
  /** Who starts a run is told of its end. */
  notify: WorkflowNotify;
}

interface SettingsFieldsProps {
  kind: WorkflowKind;
  draft: WorkflowSettingsDraft;
  set: (change: Partial<WorkflowSettingsDraft>) => void;
  fields: Record<string, string>;
  /** Its slug may be left open. */
  creating: boolean;
  /** Fields of the caller's own. */
  note?: ReactNode;
  children: ReactNode;
}

/** Name, slug, description, tags, whether it is on, and who gets messages: what no version holds. */
export function SettingsFields({
  kind,
  draft,
  set,
  fields,
  creating,
  note,
  children,
}: SettingsFieldsProps): ReactElement {
  const known = useTags(kind).map(({ tag }) => tag);
  return (
    <Box
      sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" } }}
    >
      <TextField
        label={t("Name")}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fields.name !== undefined}
        helperText={fields.name}
      />
      <TextField
        label={t("Slug")}
        value={draft.slug}
        onChange={(event) => set({ slug: event.target.value })}
        error={fields.slug !== undefined}
        helperText={
          fields.slug ??
          (creating ? t("Left empty, it is made from the name") : kind.mcp ? t("Part of the MCP address") : undefined)
        }
        slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: "off" } }}
      />
      <TextField
        label={t("Description")}
        multiline
        maxRows={4}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
        error={fields.description !== undefined}
        helperText={fields.description}
      />
      <TagField
        label={t("Tags")}
        value={draft.tags}
        known={known}
        onChange={(tags) => set({ tags })}
        problem={fields.tags}
      />
      {note}
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, alignItems: "center" }}>
        <FormControlLabel
          control={<Switch checked={draft.enabled} onChange={(event) => set({ enabled: event.target.checked })} />}
          label={t("Enabled")}
        />
        {kind.mcp && draft.mcpExport !== undefined ? (
          <FormControlLabel
            control={
              <Switch checked={draft.mcpExport} onChange={(event) => set({ mcpExport: event.target.checked })} />
            }
            label={t("Offer as a tool over MCP")}
          />
        ) : null}
      </Box>
      <NotifyFields notify={draft.notify} onChange={(notify) => set({ notify })} />
      <Box
        sx={{ display: "flex", gap: 1, justifyContent: "flex-end", alignItems: "center", gridColumn: { md: "1 / -1" } }}
      >
        {children}
      </Box>
    </Box>
  );
}
