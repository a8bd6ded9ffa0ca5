import Link from "@mui/material/Link";
import { t } from "@oven/i18n";
import { type ReactElement, useId } from "react";
import { Link as RouterLink } from "react-router-dom";
import { PickInput } from "./pick/pick-input.tsx";
import { useChoices } from "./pick/use-choices.ts";
import { useCan } from "./use-can.ts";

interface SecretFieldProps {
  label: string;
  helperText: string;
  value: string;
  required?: boolean;
  onChange: (name: string) => void;
}

/** The name of a secret: one of those there are, as far as they may be seen, or typed. */
export function SecretField({ label, helperText, value, required = false, onChange }: SecretFieldProps): ReactElement {
  const id = useId();
  const choices = useChoices("secret");
  const mayChange = useCan("secrets.update");
  return (
    <PickInput
      id={id}
      label={label}
      choices={choices}
      value={value}
      required={required}
      helperText={
        <>
          {helperText}
          {mayChange ? (
            <>
              {" "}
              <Link component={RouterLink} to="/secrets" underline="always">
                {t("To the secrets")}
              </Link>
            </>
          ) : null}
        </>
      }
      onChange={onChange}
    />
  );
}
