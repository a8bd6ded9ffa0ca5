import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ConnectedApp } from "@oven/contract";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "../../components/row-item.tsx";
import { api } from "../../providers/api-client.ts";

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
    <Panel title="Connected programs" flush>
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel
            error={failure}
            title="The programs could not be loaded or ended"
            onRetry={() => void attempt()}
          />
        </Box>
      )}
      {apps === null ? (
        <Skeleton height={80} sx={{ mx: 2 }} />
      ) : apps.length === 0 ? (
        <Box sx={{ p: 2, color: "text.secondary" }}>
          None. A program that connects to an MCP server with OAuth asks you first, and is listed here.
        </Box>
      ) : (
        <RowList label="Connected programs">
          {apps.map((app) => (
            <RowItem key={app.id}>
              <RowPart basis={200} grow={1}>
                <Box sx={{ fontWeight: 600 }}>{app.client.name}</Box>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                  {app.servers.join(", ")}: {app.scopes.map(({ title }) => title.toLowerCase()).join(", ")}
                </Box>
              </RowPart>
              <RowPart basis={150} quiet>
                allowed <RelativeTime at={app.allowedAt} />
              </RowPart>
              <Button size="small" color="error" onClick={() => setEnding(app)}>
                Disconnect
              </Button>
            </RowItem>
          ))}
        </RowList>
      )}
      {ending === null ? null : (
        <ConfirmDialog
          open
          title={`Disconnect ${ending.client.name}?`}
          text="Its tokens end at once. To use it again, you let it in again."
          confirmLabel="Disconnect"
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            await api(`account/connected-apps/${ending.id}`, { method: "DELETE" });
            await attempt();
          }}
        />
      )}
    </Panel>
  );
}
