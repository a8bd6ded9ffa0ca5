import TextField from "@mui/material/TextField";
import type { SecondFactor } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { toDevice } from "../account/to-device.ts";
import { makePasskey } from "./browser-passkeys.ts";
import { isProofFilled, NO_PROOF, ProofFields, toProof } from "./proof-fields.tsx";

/** Makes a passkey on this device and gives it a name. */
export function AddPasskeyDialog(props: {
  factor: SecondFactor;
  onClose: () => void;
  /** After it was made; absent: as `onClose`. */
  onMade?: () => void;
}): ReactElement {
  const { factor, onClose, onMade = onClose } = props;
  const [proof, setProof] = useState(NO_PROOF);
  const [name, setName] = useState(toDevice(navigator.userAgent));
  return (
    <FormDialog
      title={t("Add a passkey")}
      submitLabel={t("Make the passkey")}
      failureTitle={t("The passkey was not made")}
      usable={name.trim() !== "" && isProofFilled(factor, proof)}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={async () => {
        const options = await api("account/passkeys/options", { method: "POST", body: toProof(factor, proof) });
        const response = await makePasskey(options.json);
        await api("account/passkeys", { method: "POST", body: { name, response } });
        onMade();
      }}
    >
      <ProofFields factor={factor} draft={proof} onChange={setProof} />
      <TextField
        label={t("Name")}
        required
        helperText={t("So that you know it again in the list")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 100 } }}
      />
    </FormDialog>
  );
}
