import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ConnectedApp, OthersApp } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { type ReactElement, useCallback, useEffect, useState } from "react";

/** Programs that act in one's name over MCP, with a way to end each. */
export function ConnectedAppList(): ReactElement {
  const [apps, setApps] = useState<ConnectedApp[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [ending, setEnding] = useState<ConnectedApp | null>(null);
  const attempt = useCallback(async (): Promise<void> => {
    setFailure(null);
    try {
      // cast: the shape of GET /api/account/connected-apps
      setApps((await api("account/connected-apps")).json as ConnectedApp[]);
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => void attempt(), [attempt]);
  return (
    <Panel title={t("Connected programs")} flush>
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel
            error={failure}
            title={t("The programs could not be loaded or ended")}
            onRetry={() => void attempt()}
          />
        </Box>
      )}
      {apps === null ? (
        <Skeleton height={80} sx={{ mx: 2 }} />
      ) : apps.length === 0 ? (
        <Box sx={{ p: 2, color: "text.secondary" }}>
          {t("None. A program that connects to an MCP server with OAuth asks you first, and is listed here.")}
        </Box>
      ) : (
        <AppRows apps={apps} onEnd={setEnding} />
      )}
      {ending === null ? null : (
        <EndAppDialog path="account/connected-apps" app={ending} onClose={() => setEnding(null)} onEnded={attempt} />
      )}
    </Panel>
  );
}

/** One program a row; whose it is where they are not one's own. */
export function AppRows<App extends ConnectedApp | OthersApp>({
  apps,
  onEnd,
}: {
  apps: readonly App[];
  /** Absent: whoever looks may not end them. */
  onEnd: ((app: App) => void) | null;
}): ReactElement {
  return (
    <RowList label={t("Connected programs")}>
      {apps.map((app) => (
        <RowItem key={app.id}>
          <RowPart basis={200} grow={1}>
            <Box sx={{ fontWeight: 600 }}>{app.client.name}</Box>
            <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
              {app.servers.join(", ")}: {app.scopes.map(({ title }) => title.toLowerCase()).join(", ")}
            </Box>
          </RowPart>
          {"user" in app ? (
            <RowPart basis={170}>
              {t("for {{name}}", { name: app.user.name })}
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{app.user.email}</Box>
            </RowPart>
          ) : null}
          <RowPart basis={150} quiet>
            {tx("allowed {{time}}", { time: <RelativeTime at={app.allowedAt} /> })}
            {app.lastTokenAt === null ? null : (
              <Box>{tx("last let in {{time}}", { time: <RelativeTime at={app.lastTokenAt} /> })}</Box>
            )}
          </RowPart>
          {onEnd === null ? null : (
            <Button size="small" color="error" onClick={() => onEnd(app)}>
              {t("Disconnect")}
            </Button>
          )}
        </RowItem>
      ))}
    </RowList>
  );
}

export function EndAppDialog({
  path,
  app,
  onClose,
  onEnded,
}: {
  /** Under which it is ended. */
  path: string;
  app: ConnectedApp | OthersApp;
  onClose: () => void;
  onEnded: () => Promise<unknown>;
}): ReactElement {
  const name = app.client.name;
  const person = "user" in app ? app.user.name : null;
  return (
    <ConfirmDialog
      open
      title={
        person === null
          ? t("Disconnect {{name}}?", { name })
          : t("Disconnect {{name}} of {{person}}?", { name, person })
      }
      text={
        person === null
          ? t("Its tokens end at once. To use it again, you must allow it again.")
          : t("Its tokens end at once. To use it again, {{person}} must allow it again.", { person })
      }
      confirmLabel={t("Disconnect")}
      onClose={onClose}
      onConfirm={async () => {
        await api(`${path}/${app.id}`, { method: "DELETE" });
        await onEnded();
      }}
    />
  );
}
