import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import type { AliasSettings, ModelAlias } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { ModelField } from "@oven/ui/components/model-field.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { type ReactElement, useState } from "react";

const MODEL = /^(auto|[a-z0-9-]+:.+)$/;
const MOST = 10;
const NUMBERS = [
  { key: "temperature", label: t("Temperature"), hint: t("0 to 2") },
  { key: "maxOutputTokens", label: t("Longest answer, in tokens"), hint: t("the model's own") },
  { key: "timeoutMs", label: t("Time-out, in ms"), hint: "300000" },
  { key: "cacheTtlMs", label: t("Cache TTL (ms)"), hint: t("never") },
] as const;

/** A name for a model, with what is asked instead when it is down. */
export function AliasDialog({
  alias,
  onClose,
}: {
  alias: ModelAlias | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [name, setName] = useState(alias?.name ?? "");
  const [models, setModels] = useState<readonly { key: number; model: string }[]>(
    (alias?.models ?? ["auto"]).map((model, key) => ({ key, model })),
  );
  const [numbers, setNumbers] = useState<Record<string, string>>(
    Object.fromEntries(NUMBERS.map(({ key }) => [key, String(alias?.settings[key] ?? "")])),
  );
  const set = (key: number, model: string): void =>
    setModels((all) => all.map((one) => (one.key === key ? { key, model } : one)));
  const isNumber = (text = ""): boolean => text.trim() === "" || (Number.isFinite(Number(text)) && Number(text) >= 0);
  const usable =
    /^[a-z0-9][a-z0-9-]{0,63}$/.test(name) &&
    models.every(({ model }) => MODEL.test(model)) &&
    NUMBERS.every(({ key }) => isNumber(numbers[key]));
  return (
    <FormDialog
      title={alias === null ? t("New model alias") : t("Model alias “{{name}}”", { name: alias.name })}
      submitLabel={alias === null ? t("Make it") : t("Save")}
      failureTitle={t("The alias was not saved")}
      usable={usable}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const body = { models: models.map(({ model }) => model), settings: toSettings(alias?.settings ?? {}, numbers) };
        if (alias === null) await api("ai-aliases", { method: "POST", body: { name, ...body } });
        else await api(`ai-aliases/${alias.id}`, { method: "PUT", body });
        onClose(true);
      }}
    >
      <TextField
        required
        autoFocus={alias === null}
        label={t("Name")}
        disabled={alias !== null}
        helperText={t("Lower-case letters, digits and dashes. Steps and agents ask for it by this name.")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Box
        role="group"
        aria-label={t("Models, in the order in which they are asked")}
        sx={{ display: "grid", gap: 1.5 }}
      >
        {models.map(({ key, model }, index) => (
          <Box key={key} sx={{ display: "flex", gap: 0.5, alignItems: "flex-start" }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <ModelField
                required
                aliases={false}
                label={index === 0 ? t("Model") : t("If that one is down, model {{position}}", { position: index + 1 })}
                value={model}
                onChange={(next) => set(key, next)}
                {...(index === 0
                  ? { helperText: t("providerId:modelId, or auto: the first provider that is set up") }
                  : {})}
              />
            </Box>
            {index === 0 ? null : (
              <>
                <IconButton
                  aria-label={t("Ask model {{position}} earlier", { position: index + 1 })}
                  onClick={() =>
                    setModels((all) => [...all.slice(0, index - 1), ...swap(all, index), ...all.slice(index + 1)])
                  }
                >
                  <ArrowUpwardRounded fontSize="small" />
                </IconButton>
                <IconButton
                  aria-label={t("Leave out model {{position}}", { position: index + 1 })}
                  onClick={() => setModels((all) => all.filter((one) => one.key !== key))}
                >
                  <CloseRounded fontSize="small" />
                </IconButton>
              </>
            )}
          </Box>
        ))}
        {models.length < MOST ? (
          <Box>
            <Button
              size="small"
              onClick={() =>
                setModels((all) => [...all, { key: Math.max(...all.map(({ key }) => key)) + 1, model: "" }])
              }
            >
              {t("Add a fall-back")}
            </Button>
          </Box>
        ) : null}
      </Box>
      <TwoColumns>
        {NUMBERS.map(({ key, label, hint }) => (
          <TextField
            key={key}
            label={label}
            placeholder={hint}
            value={numbers[key] ?? ""}
            error={!isNumber(numbers[key])}
            onChange={(event) => setNumbers((all) => ({ ...all, [key]: event.target.value }))}
            slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
          />
        ))}
      </TwoColumns>
    </FormDialog>
  );
}

function swap<T>(all: readonly T[], index: number): T[] {
  return all.slice(index - 1, index + 1).toReversed();
}

/** What the form does not show stays as it is. */
function toSettings(before: AliasSettings, numbers: Record<string, string>): AliasSettings {
  const { temperature: _, maxOutputTokens: _tokens, timeoutMs: _time, cacheTtlMs: _cache, ...others } = before;
  const given = Object.entries(numbers).flatMap(([key, text]) => (text.trim() === "" ? [] : [[key, Number(text)]]));
  return { ...others, ...Object.fromEntries(given) };
}
