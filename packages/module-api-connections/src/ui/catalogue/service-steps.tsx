import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { CataloguedService } from "@oven/contract/api";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { secretHost } from "./service-draft.ts";
import { textsOf } from "./service-texts.ts";

/** What to do at the service before it can be connected. */
export function ServiceSteps({ service }: { service: CataloguedService }): ReactElement {
  const { name, documentation } = service;
  const { steps, notes } = textsOf(service);
  return (
    <Alert severity="info" icon={false}>
      <Box component="ol" sx={{ m: 0, pl: 2.25, display: "grid", gap: 0.75, overflowWrap: "anywhere" }}>
        {[...steps, ...toOwnSteps(service)].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Box>
      {notes.map((note) => (
        <Box key={note} sx={{ mt: 1 }}>
          {note}
        </Box>
      ))}
      <Link href={documentation} target="_blank" rel="noreferrer" sx={{ display: "inline-block", mt: 1 }}>
        {t("Documentation of {{service}}", { service: name })}
      </Link>
    </Alert>
  );
}

/** What is the same at all services: it follows from how they sign in. */
function toOwnSteps(service: CataloguedService): string[] {
  if (!("serverUrl" in service)) return [];
  const host = secretHost(service);
  if (host === null) return [];
  const { type } = service.auth;
  return [
    type === "oauth" || type === "client-credentials"
      ? t("Store the client's secret as a secret whose hosts name {{host}}.", { host })
      : t("Store it as a secret whose hosts name {{host}}.", { host }),
    ...(type === "oauth"
      ? [t("Once the connection is saved, register the address for sign-ins on its page at the service.")]
      : []),
  ];
}
