import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Invitation } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useGetList, useRefresh } from "react-admin";

const NEWEST = { pagination: { page: 1, perPage: 50 }, sort: { field: "id", order: "DESC" as const }, filter: {} };

/** The invitations that still wait; nothing when there are none. */
export function OpenInvitations(): ReactElement | null {
  const { data } = useGetList<Invitation>("invitations", NEWEST);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const mayRevoke = useCan("users.create");
  const dataProvider = useDataProvider();
  const refresh = useRefresh();
  const open = (data ?? []).filter(({ status }) => status === "open");
  if (open.length === 0) return null;
  return (
    <Box sx={{ mt: 3 }}>
      <Panel title={t("Open invitations")} flush>
        <RowList label={t("Open invitations")}>
          {open.map((invitation) => (
            <RowItem key={invitation.id}>
              <RowPart basis={200} grow={1}>
                <Box sx={{ fontWeight: 600 }}>{invitation.email}</Box>
              </RowPart>
              <RowPart basis={160} grow={1} quiet>
                {invitation.roles.join(", ")}
              </RowPart>
              <RowPart basis={120} quiet>
                {tx("expires {{time}}", { time: <RelativeTime at={invitation.expiresAt} /> })}
              </RowPart>
              {mayRevoke ? (
                <Button size="small" color="error" onClick={() => setRevoking(invitation)}>
                  {t("Revoke")}
                </Button>
              ) : null}
            </RowItem>
          ))}
        </RowList>
      </Panel>
      <ConfirmDialog
        open={revoking !== null}
        title={t("Revoke the invitation of {{email}}?", { email: revoking?.email ?? "" })}
        text={t("Its link stops working at once.")}
        confirmLabel={t("Revoke")}
        onClose={() => setRevoking(null)}
        onConfirm={async () => {
          if (revoking === null) return;
          await dataProvider.delete("invitations", { id: revoking.id, previousData: revoking });
          refresh();
        }}
      />
    </Box>
  );
}
