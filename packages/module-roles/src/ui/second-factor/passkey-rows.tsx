import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Passkey, SecondFactor } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { hasPasskeys } from "./browser-passkeys.ts";
import { isProofFilled, NO_PROOF, ProofFields, toProof } from "./proof-fields.tsx";

/** One's own passkeys: named, renamed and removed. */
export function PasskeyRows({ factor, onChanged }: { factor: SecondFactor; onChanged: () => void }): ReactElement {
  const { data: passkeys, error } = useAnswer<Passkey[]>("account/passkeys", factor);
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const close = (): void => {
    setAdding(false);
    setRenaming(null);
    setRemoving(null);
    onChanged();
  };
  return (
    <Box sx={{ borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center", p: 2 }}>
        <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
          <Box sx={{ fontWeight: 600 }}>{t("Passkeys")}</Box>
          <Box sx={{ fontSize: 13, color: "text.secondary", mt: 0.5 }}>
            {hasPasskeys()
              ? t("Sign in with a fingerprint, face or PIN of your device, without the password.")
              : t("This browser has no passkeys for this page: they take https, or localhost.")}
          </Box>
        </Box>
        {hasPasskeys() ? (
          <Button size="small" variant="outlined" onClick={() => setAdding(true)}>
            {t("Add a passkey")}
          </Button>
        ) : null}
      </Box>
      {error === null ? null : (
        <Box sx={{ px: 2, pb: 2 }}>
          <ErrorPanel error={error} title={t("The passkeys could not be loaded")} onRetry={onChanged} />
        </Box>
      )}
      {passkeys === undefined || passkeys.length === 0 ? null : (
        <RowList label={t("Passkeys")}>
          {passkeys.map((passkey) => (
            <RowItem key={passkey.id}>
              <RowPart basis={180} grow={1}>
                <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{passkey.name}</Box>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                  {passkey.synced ? t("in a password manager") : t("on one device")}
                </Box>
              </RowPart>
              <RowPart basis={130} quiet>
                {tx("made {{time}}", { time: <RelativeTime at={passkey.createdAt} /> })}
              </RowPart>
              <Button
                size="small"
                aria-label={t("Rename {{name}}", { name: passkey.name })}
                onClick={() => setRenaming(passkey)}
              >
                {t("Rename")}
              </Button>
              <Button
                size="small"
                color="error"
                aria-label={t("Remove {{name}}", { name: passkey.name })}
                onClick={() => setRemoving(passkey)}
              >
                {t("Remove")}
              </Button>
            </RowItem>
          ))}
        </RowList>
      )}
      {adding ? <AddPasskeyDialog factor={factor} onClose={close} /> : null}
      {renaming === null ? null : <RenameDialog passkey={renaming} onClose={close} />}
      {removing === null ? null : <RemoveDialog factor={factor} passkey={removing} onClose={close} />}
    </Box>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactElement {
  const [name, setName] = useState(passkey.name);
  return (
    <FormDialog
      title={t("Rename {{name}}", { name: passkey.name })}
      submitLabel={t("Save")}
      failureTitle={t("The passkey was not renamed")}
      usable={name.trim() !== ""}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={async () => {
        await api(`account/passkeys/${passkey.id}`, { method: "PUT", body: { name } });
        onClose();
      }}
    >
      <TextField
        label={t("Name")}
        required
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 100 } }}
      />
    </FormDialog>
  );
}

function RemoveDialog(props: { factor: SecondFactor; passkey: Passkey; onClose: () => void }): ReactElement {
  const { factor, passkey, onClose } = props;
  const [proof, setProof] = useState(NO_PROOF);
  return (
    <FormDialog
      title={t("Remove {{name}}?", { name: passkey.name })}
      submitLabel={t("Remove")}
      failureTitle={t("The passkey was not removed")}
      usable={isProofFilled(factor, proof)}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={async () => {
        await api(`account/passkeys/${passkey.id}/remove`, { method: "POST", body: toProof(factor, proof) });
        onClose();
      }}
    >
      {t("It signs you in no more, and all other sessions end. Delete it on the device as well.")}
      <ProofFields factor={factor} draft={proof} onChange={setProof} />
    </FormDialog>
  );
}
