import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import type { ConfigCascade, ConfigSource } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { readTypedJson, readTypedNumber, type Typed } from "@oven/ui/components/typed-value.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { LEVEL_WORDS } from "./config-words.ts";
import { isOfPlatform, type StoredValue } from "./in-force.ts";

/** Which value of a setting is edited. */
export interface EditedLevel {
  source: ConfigSource;
  /** Empty: it is asked for. */
  scopeId: string | null;
  /** Null: a new one. */
  stored: StoredValue | null;
}

/** Sets the value of a setting at one level. */
export function ValueDialog({
  cascade,
  level,
  onClose,
}: {
  cascade: ConfigCascade;
  level: EditedLevel;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const { moduleName, key, type, description, instances, value: inForce } = cascade;
  const { stored } = level;
  const [text, setText] = useState(toText(type, stored?.value ?? inForce));
  const [scopeId, setScopeId] = useState(level.scopeId ?? "");
  const [platform, setPlatform] = useState(isOfPlatform(level.source));
  const mayPlatform = useCan("config.platform");
  const isSingle = level.scopeId !== null;
  const typed = readText(type, text);
  const save = async (): Promise<void> => {
    if (!typed.ok) return;
    const { value } = typed;
    if (stored !== null) await api(`module-configs/${stored.id}`, { method: "PUT", body: { value } });
    else {
      const body = { moduleName, key, value, platform, ...(isSingle ? { scopeId: scopeId.trim() } : {}) };
      await api("module-configs", { method: "POST", body });
    }
    onClose(true);
  };
  return (
    <FormDialog
      title={t("{{key}} of {{moduleName}}", { key, moduleName })}
      submitLabel={t("Save the value")}
      failureTitle={t("The value was not saved")}
      usable={typed.ok && (!isSingle || scopeId.trim() !== "")}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      {isSingle ? (
        <TextField
          required
          autoFocus={stored === null}
          disabled={stored !== null}
          label={t("For which one")}
          helperText={instances === null ? null : t(instances)}
          value={scopeId}
          onChange={(event) => setScopeId(event.target.value)}
        />
      ) : null}
      {isSingle && stored === null && mayPlatform ? (
        <ChoiceField
          label={t("Where it holds")}
          value={platform ? "platform" : "tenant"}
          choices={[
            { value: "tenant", label: LEVEL_WORDS.tenant },
            { value: "platform", label: LEVEL_WORDS.platform },
          ]}
          onChange={(where) => setPlatform(where === "platform")}
        />
      ) : null}
      <ValueField
        type={type}
        text={text}
        help={typed.ok ? t(description) : typed.message}
        wrong={!typed.ok}
        onChange={setText}
      />
    </FormDialog>
  );
}

function ValueField({
  type,
  text,
  help,
  wrong,
  onChange,
}: {
  type: ConfigCascade["type"];
  text: string;
  help: string;
  wrong: boolean;
  onChange: (text: string) => void;
}): ReactElement {
  if (type === "boolean")
    return (
      <ChoiceField
        label={t("Value")}
        value={text}
        helperText={help}
        choices={[
          { value: "true", label: t("yes") },
          { value: "false", label: t("no") },
        ]}
        onChange={onChange}
      />
    );
  return (
    <TextField
      multiline={type !== "number"}
      maxRows={12}
      label={t("Value")}
      value={text}
      error={wrong}
      helperText={help}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: type === "number" ? { inputMode: "decimal" } : { spellCheck: false } }}
    />
  );
}

function toText(type: ConfigCascade["type"], value: Json): string {
  return type === "string" && typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function readText(type: ConfigCascade["type"], text: string): Typed<Json> {
  if (type === "string") return { ok: true, value: text };
  return type === "number" ? readTypedNumber(text) : readTypedJson(text);
}
