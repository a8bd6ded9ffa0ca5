import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { ModelProvider, ProviderKindInfo } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { PickInput } from "@oven/ui/components/pick/pick-input.tsx";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useId, useState } from "react";
import { keepSecret } from "./keep-secret.ts";
import { hostOf } from "./provider-words.ts";

/** Sets up a provider of models, or changes one. Its key becomes a secret, and is never shown again. */
export function ProviderDialog({
  provider,
  onClose,
}: {
  provider: ModelProvider | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const { data: kinds = [] } = useAnswer<ProviderKindInfo[]>("ai-provider-kinds");
  const [picked, setPicked] = useState(provider?.kind);
  const kind = kinds.find((one) => one.id === (picked ?? kinds[0]?.id));
  const [typedId, setTypedId] = useState(provider?.id);
  // The id follows the kind until another one is typed.
  const id = typedId ?? kind?.id ?? "";
  const [title, setTitle] = useState(provider?.title ?? "");
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? "");
  const [key, setKey] = useState("");
  const [secret, setSecret] = useState(provider?.secret ?? "");
  const [enabled, setEnabled] = useState(provider?.enabled ?? true);
  const mayKeep = useCan("secrets.update");
  const secrets = useChoices("secret");
  const secretId = useId();
  const host = hostOf(kind, baseUrl);
  const needsAddress = kind?.baseUrl === null;
  const isAddress = baseUrl.trim() === "" ? !needsAddress : /^https?:\/\/./.test(baseUrl.trim()) && host !== undefined;
  const typed = key.trim();
  const isKey = typed === "" || typed.length >= 8;
  const isMoved = provider !== null && host !== hostOf(kind, provider.baseUrl ?? "");
  const name = secret.trim() === "" ? `${id}-key` : secret.trim();
  return (
    <FormDialog
      title={provider === null ? t("New model provider") : t("Model provider “{{title}}”", { title: provider.title })}
      submitLabel={provider === null ? t("Add it") : t("Save")}
      failureTitle={t("The provider was not saved")}
      usable={kind !== undefined && /^[a-z0-9][a-z0-9-]{0,63}$/.test(id) && isAddress && isKey}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        if (typed !== "" && host !== undefined) await keepSecret(name, typed, [host]);
        const settings = {
          ...(title.trim() === "" ? {} : { title: title.trim() }),
          baseUrl: baseUrl.trim() === "" ? null : baseUrl.trim(),
          secret: typed !== "" || secret.trim() !== "" ? name : null,
          enabled,
        };
        if (provider === null) await api("ai-providers", { method: "POST", body: { id, kind: kind?.id, ...settings } });
        else await api(`ai-providers/${provider.id}`, { method: "PUT", body: settings });
        onClose(true);
      }}
    >
      <TextField
        select
        label={t("Kind")}
        value={kind?.id ?? ""}
        disabled={provider !== null}
        helperText={kind === undefined ? undefined : t(kind.help)}
        onChange={(event) => setPicked(event.target.value)}
      >
        {kinds.map(({ id: value, title: label }) => (
          <MenuItem key={value} value={value}>
            {t(label)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        required
        label={t("Id")}
        disabled={provider !== null}
        value={id}
        helperText={t("Its models are named {{provider}}:model", { provider: id === "" ? t("id") : id })}
        onChange={(event) => setTypedId(event.target.value)}
      />
      <TextField label={t("Title")} value={title} onChange={(event) => setTitle(event.target.value)} />
      <TextField
        required={needsAddress}
        label={t("Address")}
        placeholder={needsAddress ? "https://models.example.com/v1" : t("the vendor's own")}
        value={baseUrl}
        error={!isAddress && baseUrl.trim() !== ""}
        helperText={t("Public, or one that the operator allows with OVEN_OUTBOUND_ALLOW")}
        onChange={(event) => setBaseUrl(event.target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      {mayKeep ? (
        <>
          <TextField
            type="password"
            label={t("Key")}
            autoComplete="new-password"
            value={key}
            error={!isKey}
            placeholder={
              !provider?.secret ? "" : isMoved ? t("type it again for the new address") : t("kept; type to replace it")
            }
            helperText={
              isKey
                ? t("Kept encrypted as the secret {{name}}, sent to {{host}} only, and never shown again", {
                    name,
                    host: host ?? t("its address"),
                  })
                : t("At least 8 characters")
            }
            onChange={(event) => setKey(event.target.value)}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          <PickInput
            id={secretId}
            label={t("Name of the secret")}
            choices={secrets}
            value={secret}
            placeholder={`${id}-key`}
            helperText={t("Instead of a new key, one that is kept already")}
            onChange={setSecret}
          />
        </>
      ) : (
        <TextField
          label={t("Name of the secret that is its key")}
          value={secret}
          helperText={t("Whoever may change secrets keeps the key")}
          onChange={(event) => setSecret(event.target.value)}
        />
      )}
      <FormControlLabel
        control={<Switch checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />}
        label={t("In use")}
      />
    </FormDialog>
  );
}
