import CheckRounded from "@mui/icons-material/CheckRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { ConnectionRequest } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useEffect, useState } from "react";
import { Authenticated, useGetIdentity } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { AccessFrame } from "./access-frame.tsx";

/** Where a program sends a person who is to grant it access, before and after they have signed in. */
export function ConnectPage(): ReactElement {
  return (
    <Authenticated>
      <SignedInConnectPage />
    </Authenticated>
  );
}

function SignedInConnectPage(): ReactElement {
  const [search] = useSearchParams();
  const isSigned = search.has("sig");
  useEffect(() => {
    // The question is signed once it is known who is asked.
    if (!isSigned) window.location.replace(`/api/auth/oauth2/authorize?${search}`);
  }, [isSigned, search]);
  return isSigned ? (
    <Question query={search} />
  ) : (
    <AccessFrame title={t("Connect a program")} text={t("One moment …")}>
      <Skeleton height={120} />
    </AccessFrame>
  );
}

function Question({ query }: { query: URLSearchParams }): ReactElement {
  const { identity } = useGetIdentity();
  const [request, setRequest] = useState<ConnectionRequest | null>(null);
  const loading = useAction(async () => {
    const asked = new URLSearchParams();
    for (const name of ["client_id", "resource", "scope"]) asked.set(name, query.get(name) ?? "");
    const redirect = query.get("redirect_uri");
    if (redirect !== null) asked.set("redirect_uri", redirect);
    // cast: the shape of GET /api/account/connection-request
    setRequest((await api(`account/connection-request?${asked}`)).json as ConnectionRequest);
  });
  useEffect(() => void loading.run(), []);
  if (request === null) {
    return (
      <AccessFrame title={t("Connect a program")} text={t("A program asks to work for you.")}>
        {loading.failure === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorPanel error={loading.failure} title={t("This question does not hold any more")} />
        )}
      </AccessFrame>
    );
  }
  const { client, server } = request;
  const address = <strong>{client.returnsTo}</strong>;
  return (
    <AccessFrame
      title={t("Let {{name}} in?", { name: client.name })}
      text={t("It asks to use “{{title}}” for {{person}}.", {
        title: server.title,
        person: identity?.email ?? t("you"),
      })}
    >
      <Box sx={{ display: "grid", gap: 2 }}>
        <Allowed request={request} />
        <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
          {client.local
            ? tx("It runs on this computer and gets the answer at {{address}}. The name is its own word.", { address })
            : tx("It runs elsewhere and gets the answer at {{address}}. The name is its own word.", { address })}
        </Typography>
        {client.document === null ? null : (
          <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
            {tx("It is described at {{address}}.", { address: <strong>{client.document}</strong> })}
          </Typography>
        )}
        <Answer query={query} request={request} />
      </Box>
    </AccessFrame>
  );
}

function Allowed({ request }: { request: ConnectionRequest }): ReactElement {
  const { scopes, withheld, offline } = request;
  if (scopes.length === 0)
    return <Alert severity="info">{t("It asks for nothing that you may do there, so it could do nothing.")}</Alert>;
  return (
    <Box>
      <Typography sx={{ fontWeight: 600 }}>{t("In your name it may")}</Typography>
      <Box component="ul" sx={{ m: 0, mt: 1, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
        {scopes.map(({ id, title }) => (
          <Box component="li" key={id} sx={{ display: "flex", gap: 1, alignItems: "center" }}>
            <CheckRounded color="success" fontSize="small" aria-hidden />
            {title}
          </Box>
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary" sx={{ mt: 1.5 }}>
        {withheld.length > 0
          ? t("Never more than you may do yourself, so not: {{permissions}}.", { permissions: listed(withheld) })
          : t("Never more than you may do yourself.")}{" "}
        {offline
          ? t("It stays connected until you end it under Your account.")
          : t("It is connected for an hour; you can end it before under Your account.")}
      </Typography>
    </Box>
  );
}

function listed(scopes: ConnectionRequest["withheld"]): string {
  return scopes.map(({ title }) => title.toLowerCase()).join(", ");
}

function Answer({ query, request }: { query: URLSearchParams; request: ConnectionRequest }): ReactElement {
  const [accepted, setAccepted] = useState<boolean | null>(null);
  const { busy, failure, run } = useAction(async (accept: boolean) => {
    setAccepted(accept);
    const scope = [...request.scopes.map(({ id }) => id), ...(request.offline ? ["offline_access"] : [])].join(" ");
    const body = { accept, oauth_query: String(query), ...(accept ? { scope } : {}) };
    const reply = await api("auth/oauth2/consent", { method: "POST", body });
    // cast: where better-auth sends the browser
    window.location.assign((reply.json as { url: string }).url);
  });
  return (
    <>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The answer was not taken")} />}
      <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1.5 }}>
        <Button variant="outlined" size="large" loading={busy && accepted === false} onClick={() => void run(false)}>
          {t("Deny")}
        </Button>
        <Button
          variant="contained"
          size="large"
          disabled={request.scopes.length === 0}
          loading={busy && accepted === true}
          onClick={() => void run(true)}
        >
          {t("Allow")}
        </Button>
      </Box>
    </>
  );
}
