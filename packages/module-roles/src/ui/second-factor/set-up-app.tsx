import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { RecoveryCodes, SecondFactor, StartedSecondFactor } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import { isProofFilled, NO_PROOF, ProofFields, toProof } from "./proof-fields.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodeList } from "./recovery-codes.tsx";

/** Sets an authenticator app up: password, QR code and first code, recovery codes. */
export function SetUpApp({ factor, onDone }: { factor: SecondFactor; onDone: () => void }): ReactElement {
  const [started, setStarted] = useState<StartedSecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodeList codes={codes} onDone={onDone} />;
  return started === null ? (
    <StartStep factor={factor} onStarted={setStarted} />
  ) : (
    <ConfirmStep started={started} onConfirmed={setCodes} />
  );
}

function StartStep(props: { factor: SecondFactor; onStarted: (started: StartedSecondFactor) => void }): ReactElement {
  const { factor, onStarted } = props;
  const [proof, setProof] = useState(NO_PROOF);
  const { busy, failure, run } = useAction(async () => {
    const reply = await api("account/second-factor/start", { method: "POST", body: toProof(factor, proof) });
    onStarted(reply.json as StartedSecondFactor); // cast: the shape of the route
  });
  return (
    <StepForm
      busy={busy}
      failure={failure}
      failureTitle={t("The app was not set up")}
      label={t("Continue")}
      usable={isProofFilled(factor, proof)}
      onSubmit={run}
    >
      <ProofFields factor={factor} draft={proof} onChange={setProof} />
    </StepForm>
  );
}

function ConfirmStep(props: {
  started: StartedSecondFactor;
  onConfirmed: (codes: readonly string[]) => void;
}): ReactElement {
  const { started, onConfirmed } = props;
  const [code, setCode] = useState("");
  const { busy, failure, run } = useAction(async () => {
    const reply = await api("account/second-factor/confirm", { method: "POST", body: { code } });
    onConfirmed((reply.json as RecoveryCodes).recoveryCodes); // cast: the shape of the route
  });
  return (
    <StepForm
      busy={busy}
      failure={failure}
      failureTitle={t("The code was not taken")}
      label={t("Confirm")}
      usable={code.trim() !== ""}
      onSubmit={run}
    >
      <Typography>
        {t("Scan this with an authenticator app on your phone, then type the code that it shows.")}
      </Typography>
      <QrCode text={started.uri} label={t("QR code for your authenticator app")} />
      <Box component="details">
        <Box component="summary" sx={{ cursor: "pointer", mb: 1 }}>
          {t("Type the key instead")}
        </Box>
        <CodeBlock text={started.secret} what={t("the key")} />
      </Box>
      <TextField
        label={t("Code")}
        autoComplete="one-time-code"
        required
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
        slotProps={{ htmlInput: { inputMode: "numeric" } }}
      />
    </StepForm>
  );
}

function StepForm(props: {
  busy: boolean;
  failure: unknown;
  failureTitle: string;
  label: string;
  usable: boolean;
  onSubmit: () => Promise<boolean>;
  children: ReactNode;
}): ReactElement {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    void props.onSubmit();
  };
  return (
    <Box
      component="form"
      onSubmit={submit}
      sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2, pt: 0.75 }}
    >
      {props.children}
      {props.failure === null ? null : <ErrorPanel error={props.failure} title={props.failureTitle} />}
      <Box>
        <Button type="submit" variant="contained" loading={props.busy} disabled={!props.usable}>
          {props.label}
        </Button>
      </Box>
    </Box>
  );
}
