import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Role } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { RoleForm } from "./role-form.tsx";
import { SecondFactorDemand } from "./second-factor-demand.tsx";

const PARENT = { to: "/roles", label: t("Roles") };
const EMPTY = { name: "", title: "", description: "", permissions: [] };

export function RoleCreate(): ReactElement {
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={t("New role")} parent={PARENT} line={t("You can give what you may do yourself.")} />
      <RoleForm
        start={EMPTY}
        isNew
        save={async (draft) => {
          await dataProvider.create("roles", { data: draft });
          navigate("/roles");
        }}
      />
    </>
  );
}

export function RoleEdit(): ReactElement {
  const { id = "" } = useParams();
  const { data: role, error, refetch } = useRecord<Role>("roles", id);
  if (error) return <ErrorPanel error={error} title={t("The role could not be loaded")} onRetry={refetch} />;
  return role === undefined ? <Skeleton height={300} /> : <LoadedRole key={role.id} role={role} />;
}

function LoadedRole({ role }: { role: Role }): ReactElement {
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const mayUpdate = useCan("roles.update");
  const mayDelete = useCan("roles.delete");
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <PageHeader
        title={role.title}
        parent={PARENT}
        line={role.builtIn ? t("Comes with OVEN and stays as it is.") : t("A change holds at once for whoever has it.")}
      />
      <SecondFactorDemand role={role} mayChange={mayUpdate} />
      <RoleForm
        start={role}
        isNew={false}
        readOnly={role.builtIn || !mayUpdate}
        save={async ({ title, description, permissions }) => {
          await dataProvider.update("roles", {
            id: role.id,
            data: { title, description, permissions },
            previousData: role,
          });
          notify(t("Saved"), { type: "success" });
        }}
        actions={
          mayDelete ? (
            <Button color="error" onClick={() => setDeleting(true)}>
              {t("Delete")}
            </Button>
          ) : null
        }
      />
      <ConfirmDialog
        open={deleting}
        title={t("Delete the role “{{title}}”?", { title: role.title })}
        text={t("Only a role that nobody has can be deleted.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await dataProvider.delete("roles", { id: role.id, previousData: role });
          navigate("/roles");
        }}
      />
    </>
  );
}
