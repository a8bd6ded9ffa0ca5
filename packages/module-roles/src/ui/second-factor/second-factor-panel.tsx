import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import type { RecoveryCodes, SecondFactor } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useId, useState } from "react";
import { PasskeyRows } from "./passkey-rows.tsx";
import { isProofFilled, NO_PROOF, ProofFields, toProof } from "./proof-fields.tsx";
import { RecoveryCodeList } from "./recovery-codes.tsx";
import { SetUpApp } from "./set-up-app.tsx";

/** One's own authenticator app, recovery codes and passkeys. */
export function SecondFactorPanel(): ReactElement {
  const [round, setRound] = useState(0);
  const { data: factor, error } = useAnswer<SecondFactor>("account/second-factor", round);
  const reload = (): void => setRound(round + 1);
  return (
    <Panel title={t("Two-factor sign-in")} flush>
      {error === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel error={error} title={t("This could not be loaded")} onRetry={reload} />
        </Box>
      )}
      {factor === undefined ? (
        error === null ? (
          <Skeleton height={120} sx={{ mx: 2 }} />
        ) : null
      ) : (
        <>
          <AppRow factor={factor} onChanged={reload} />
          <PasskeyRows factor={factor} onChanged={reload} />
        </>
      )}
    </Panel>
  );
}

type Asked = "set-up" | "turn-off" | "codes";

function AppRow({ factor, onChanged }: { factor: SecondFactor; onChanged: () => void }): ReactElement {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => {
    setAsked(null);
    onChanged();
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center", p: 2 }}>
      <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
        <Box sx={{ display: "flex", gap: 1, alignItems: "center", fontWeight: 600 }}>
          {t("Authenticator app")}
          {factor.app ? <ToneChip tone="completed" word={t("on")} /> : <ToneChip tone="queued" word={t("off")} />}
        </Box>
        <Box sx={{ fontSize: 13, color: "text.secondary", mt: 0.5 }}>
          {factor.app
            ? t("{{count}} recovery codes are left.", { count: factor.recoveryCodesLeft })
            : t("A code of an app on your phone is asked for after the password.")}
        </Box>
      </Box>
      {factor.app ? (
        <>
          <Button size="small" onClick={() => setAsked("codes")}>
            {t("New recovery codes")}
          </Button>
          <Button size="small" color="error" onClick={() => setAsked("turn-off")}>
            {t("Turn off")}
          </Button>
        </>
      ) : (
        <Button size="small" variant="outlined" onClick={() => setAsked("set-up")}>
          {t("Set up")}
        </Button>
      )}
      {asked === "set-up" ? <SetUpDialog factor={factor} onClose={close} /> : null}
      {asked === "turn-off" ? <TurnOffDialog factor={factor} onClose={close} /> : null}
      {asked === "codes" ? <NewCodesDialog factor={factor} onClose={close} /> : null}
    </Box>
  );
}

interface OwnDialogProps {
  factor: SecondFactor;
  onClose: () => void;
}

function SetUpDialog({ factor, onClose }: OwnDialogProps): ReactElement {
  const id = useId();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 16 }}>
        {t("Set up an authenticator app")}
      </DialogTitle>
      <DialogContent>
        <SetUpApp factor={factor} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

function TurnOffDialog({ factor, onClose }: OwnDialogProps): ReactElement {
  const [proof, setProof] = useState(NO_PROOF);
  return (
    <FormDialog
      title={t("Turn the authenticator app off?")}
      submitLabel={t("Turn off")}
      failureTitle={t("The app was not turned off")}
      usable={isProofFilled(factor, proof)}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={async () => {
        await api("account/second-factor/turn-off", { method: "POST", body: toProof(factor, proof) });
        onClose();
      }}
    >
      <ProofFields factor={factor} draft={proof} onChange={setProof} />
    </FormDialog>
  );
}

function NewCodesDialog({ factor, onClose }: OwnDialogProps): ReactElement {
  const id = useId();
  const [proof, setProof] = useState(NO_PROOF);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) {
    return (
      <Dialog open maxWidth="xs" fullWidth aria-labelledby={id}>
        <DialogTitle id={id} sx={{ fontSize: 16 }}>
          {t("New recovery codes")}
        </DialogTitle>
        <DialogContent>
          <RecoveryCodeList codes={codes} onDone={onClose} />
        </DialogContent>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t("New recovery codes")}
      submitLabel={t("Make new codes")}
      failureTitle={t("The codes were not made")}
      usable={isProofFilled(factor, proof)}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={async () => {
        const body = toProof(factor, proof);
        const reply = await api("account/second-factor/recovery-codes", { method: "POST", body });
        setCodes((reply.json as RecoveryCodes).recoveryCodes); // cast: the shape of the route
      }}
    >
      {t("The codes that you have now are good for nothing then.")}
      <ProofFields factor={factor} draft={proof} onChange={setProof} />
    </FormDialog>
  );
}
