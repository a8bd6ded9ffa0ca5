import TextField from "@mui/material/TextField";
import type { Proof, SecondFactor } from "@oven/contract/access";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** What a person fills in before their sign-in is changed. */
export interface ProofDraft {
  password: string;
  code: string;
}

export const NO_PROOF: ProofDraft = { password: "", code: "" };

/** What is sent: only what was asked for. */
export function toProof({ password, app }: Pick<SecondFactor, "password" | "app">, draft: ProofDraft): Proof {
  return { ...(password ? { password: draft.password } : {}), ...(app ? { code: draft.code } : {}) };
}

export function isProofFilled({ password, app }: Pick<SecondFactor, "password" | "app">, draft: ProofDraft): boolean {
  return (!password || draft.password !== "") && (!app || draft.code.trim() !== "");
}

/** The password, where the account has one, and a code, where an app is set up. */
export function ProofFields({
  factor,
  draft,
  onChange,
}: {
  factor: Pick<SecondFactor, "password" | "app">;
  draft: ProofDraft;
  onChange: (draft: ProofDraft) => void;
}): ReactElement {
  return (
    <>
      {factor.password ? (
        <TextField
          label={t("Your password")}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={draft.password}
          onChange={(event) => onChange({ ...draft, password: event.target.value })}
        />
      ) : null}
      {factor.app ? (
        <TextField
          label={t("Code")}
          autoComplete="one-time-code"
          required
          helperText={t("Six digits of your app, or a recovery code")}
          value={draft.code}
          onChange={(event) => onChange({ ...draft, code: event.target.value })}
        />
      ) : null}
    </>
  );
}
