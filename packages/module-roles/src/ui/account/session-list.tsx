import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { UserSession } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { toDevice } from "./to-device.ts";

/** Where one is signed in, with a way to end each. */
export function SessionList(): ReactElement {
  const [sessions, setSessions] = useState<UserSession[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const attempt = useCallback(async (act?: () => Promise<unknown>): Promise<void> => {
    setFailure(null);
    try {
      await act?.();
      // cast: the shape of GET /api/account/sessions
      setSessions((await api("account/sessions")).json as UserSession[]);
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => void attempt(), [attempt]);
  const others = (sessions ?? []).filter(({ current }) => !current).length;
  return (
    <Panel
      title={t("Sessions")}
      flush
      aside={
        others === 0 ? null : (
          <Button
            size="small"
            color="error"
            onClick={() => void attempt(() => api("account/sessions/end-others", { method: "POST", body: {} }))}
          >
            {t("End the {{count}} others", { count: others })}
          </Button>
        )
      }
    >
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel
            error={failure}
            title={t("The sessions could not be loaded or ended")}
            onRetry={() => void attempt()}
          />
        </Box>
      )}
      {sessions === null ? (
        <Skeleton height={80} sx={{ mx: 2 }} />
      ) : (
        <RowList label={t("Sessions")}>
          {sessions.map((session) => (
            <RowItem key={session.id}>
              <RowPart basis={180} grow={1}>
                <Box sx={{ fontWeight: 600 }}>{toDevice(session.userAgent)}</Box>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{session.address ?? t("address unknown")}</Box>
              </RowPart>
              <RowPart basis={150} quiet>
                {tx("since {{time}}", { time: <RelativeTime at={session.createdAt} /> })}
              </RowPart>
              {session.current ? (
                <ToneChip tone="completed" word={t("this one")} />
              ) : (
                <Button
                  size="small"
                  color="error"
                  onClick={() => void attempt(() => api(`account/sessions/${session.id}`, { method: "DELETE" }))}
                >
                  {t("End")}
                </Button>
              )}
            </RowItem>
          ))}
        </RowList>
      )}
    </Panel>
  );
}
