import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ApiAccountOwner, ApiConnection } from "@oven/contract/api";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useState } from "react";

/** Who has connected an account at an API that is called as the person who starts a run. */
export function AccountOwners({ connection }: { connection: ApiConnection }): ReactElement | null {
  return useCan("api-connections.update") ? <Owners connection={connection} /> : null;
}

function Owners({ connection }: { connection: ApiConnection }): ReactElement {
  const path = `api-connections/${connection.id}/accounts`;
  const [owners, setOwners] = useState<ApiAccountOwner[]>();
  const { failure, run } = useAction(async () => {
    setOwners((await api(path)).json as ApiAccountOwner[]); // cast: the shape of the route
  });
  useEffect(() => void run(), [path]);
  const revoke = useAction(async (userId: number) => {
    await api(`${path}/${userId}`, { method: "DELETE" });
    await run();
  });
  const error = failure ?? revoke.failure;
  return (
    <Panel title={t("People's accounts")} flush>
      {error === null ? null : <ErrorPanel error={error} title={t("That did not work")} onRetry={() => void run()} />}
      {owners === undefined ? (
        <Skeleton height={80} sx={{ mx: 2 }} />
      ) : owners.length === 0 ? (
        <Box sx={{ p: 2, color: "text.secondary" }}>
          {t("No person has connected an account yet. A run that needs one asks for it.")}
        </Box>
      ) : (
        <RowList label={t("People's accounts")}>
          {owners.map(({ userId, connectedAt }) => (
            <RowItem key={userId}>
              <RowPart basis={200} grow={1}>
                {t("User {{id}}", { id: userId })}
              </RowPart>
              <RowPart basis={150} quiet>
                {tx("connected {{time}}", { time: <RelativeTime at={connectedAt} /> })}
              </RowPart>
              <Button size="small" color="error" disabled={revoke.busy} onClick={() => void revoke.run(userId)}>
                {t("Disconnect")}
              </Button>
            </RowItem>
          ))}
        </RowList>
      )}
    </Panel>
  );
}
