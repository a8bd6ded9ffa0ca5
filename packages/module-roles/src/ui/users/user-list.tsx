import GroupOutlined from "@mui/icons-material/GroupOutlined";
import PersonAddAltRounded from "@mui/icons-material/PersonAddAltRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { LookalikeGroups } from "@oven/contract";
import type { User } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { LookalikeMark } from "@oven/ui/components/lookalike-mark.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useGetIdentity, useListContext, useRefresh } from "react-admin";
import { DisableButton } from "./disable-button.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { OpenInvitations } from "./invitation-rows.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PersonDataDialog } from "./person-data-dialog.tsx";
import { ResetFactorButton } from "./reset-factor-button.tsx";

export function UserList(): ReactElement {
  const mayInvite = useCan("users.create");
  const invite = useCreateButton(
    t("Invite"),
    mayInvite,
    (close) => <InviteDialog onClose={close} />,
    <PersonAddAltRounded />,
  );
  const maySeeData = useCan("persons.export");
  const [asking, setAsking] = useState(false);
  return (
    <ListBase resource="users" sort={{ field: "id", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Users")}
        line={t("Who may sign in, and what their roles let them do.")}
        actions={
          <>
            {maySeeData ? (
              <Button variant="outlined" onClick={() => setAsking(true)}>
                {t("Personal data")}
              </Button>
            ) : null}
            {invite.button}
          </>
        }
      />
      <ListBody
        noun={t("users")}
        filters={<SearchField label={t("Search name or e-mail")} />}
        empty={
          <EmptyState
            icon={<GroupOutlined />}
            title={t("No users")}
            text={t("Invite somebody.")}
            action={invite.button}
          />
        }
      >
        <UserRows />
      </ListBody>
      <OpenInvitations />
      {invite.dialog}
      {asking ? <PersonDataDialog email="" onClose={() => setAsking(false)} /> : null}
    </ListBase>
  );
}

function UserRows(): ReactElement {
  const { data } = useListContext<User>();
  const { identity } = useGetIdentity();
  const [editing, setEditing] = useState<User | null>(null);
  const mayUpdate = useCan("users.update");
  const maySeeData = useCan("persons.export");
  const [person, setPerson] = useState<User | null>(null);
  const lookalikes = useAnswer<LookalikeGroups>("user-lookalikes", data).data;
  const refresh = useRefresh();
  return (
    <>
      <RowList label={t("Users")}>
        {(data ?? []).map((user) => (
          <RowItem key={user.id}>
            <RowPart basis={200} grow={1}>
              <Box sx={{ fontWeight: 600 }}>
                {user.name}
                <LookalikeMark name={user.name} groups={lookalikes} />
                {user.id === identity?.id ? (
                  <Box component="span" sx={{ fontWeight: 400, color: "text.secondary" }}>
                    {" "}
                    {t("(you)")}
                  </Box>
                ) : null}
              </Box>
              <Box sx={{ fontSize: 13, color: "text.secondary" }}>{user.email}</Box>
            </RowPart>
            <RowPart basis={180} grow={1}>
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
                {user.disabled ? <ToneChip tone="cancelled" word={t("disabled")} /> : null}
                {user.roles.length === 0 ? (
                  <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("no role: may do nothing")}</Box>
                ) : (
                  user.roles.map((role) => <Chip key={role} size="small" label={role} variant="outlined" />)
                )}
              </Box>
            </RowPart>
            <RowPart basis={140} quiet>
              {user.lastSignInAt === null
                ? t("not signed in")
                : tx("signed in {{time}}", { time: <RelativeTime at={user.lastSignInAt} /> })}
              {user.secondFactor ? <Box sx={{ fontSize: 12.5 }}>{t("with a second factor")}</Box> : null}
            </RowPart>
            {mayUpdate ? (
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
                <Button
                  size="small"
                  onClick={() => setEditing(user)}
                  aria-label={t("Edit {{name}}", { name: user.name })}
                >
                  {t("Edit")}
                </Button>
                {maySeeData ? (
                  <Button
                    size="small"
                    onClick={() => setPerson(user)}
                    aria-label={t("Personal data of {{email}}", { email: user.email })}
                  >
                    {t("Data")}
                  </Button>
                ) : null}
                {user.secondFactor && user.id !== identity?.id ? <ResetFactorButton user={user} /> : null}
                <DisableButton
                  resource="users"
                  record={user}
                  enableText={t("The user can sign in again, and API keys of the user work again.")}
                  disableText={t(
                    "All sessions end at once, and API keys of the user stop within a second. It can be undone.",
                  )}
                />
              </Box>
            ) : null}
          </RowItem>
        ))}
      </RowList>
      {person === null ? null : (
        <PersonDataDialog
          email={person.email}
          onClose={(erased) => {
            setPerson(null);
            if (erased) refresh();
          }}
        />
      )}
      {editing === null ? null : (
        <EditUserDialog
          user={editing}
          onClose={(saved) => {
            setEditing(null);
            if (saved) refresh();
          }}
        />
      )}
    </>
  );
}
