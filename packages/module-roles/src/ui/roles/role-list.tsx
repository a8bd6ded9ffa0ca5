import AddRounded from "@mui/icons-material/AddRounded";
import BadgeOutlined from "@mui/icons-material/BadgeOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { Role } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";

export function RoleList(): ReactElement {
  const mayCreate = useCan("roles.create");
  const create = mayCreate ? (
    <Button variant="contained" startIcon={<AddRounded />} component={Link} to="/roles/create">
      {t("New role")}
    </Button>
  ) : null;
  return (
    <ListBase resource="roles" sort={{ field: "id", order: "ASC" }} perPage={50}>
      <PageHeader
        title={t("Roles")}
        line={t("What users may do. The built-in roles stay as they are; make your own beside them.")}
        actions={create}
      />
      <ListBody
        noun={t("roles")}
        filters={<SearchField label={t("Search roles")} />}
        empty={<EmptyState icon={<BadgeOutlined />} title={t("No roles")} text={t("Make one.")} action={create} />}
      >
        <RoleRows />
      </ListBody>
    </ListBase>
  );
}

function RoleRows(): ReactElement {
  const { data } = useListContext<Role>();
  return (
    <Box>
      {(data ?? []).map((role) => (
        <RowCard
          key={role.id}
          to={`/roles/${role.id}`}
          title={role.title}
          aside={
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
              {role.requiresSecondFactor ? <Chip size="small" label={t("second factor")} /> : null}
              {role.builtIn ? <Chip size="small" variant="outlined" label={t("built-in")} /> : null}
            </Box>
          }
        >
          <span>{role.description === "" ? role.name : role.description}</span>
          <span>{toExtent(role)}</span>
        </RowCard>
      ))}
    </Box>
  );
}

/** A role may hold `workflows.*` or each of them by name: what it reaches is what can be compared. */
function toExtent({ permissions }: Role): string {
  if (permissions.includes("*")) return t("everything");
  const areas = new Set(permissions.map((id) => id.split(".")[0])).size;
  return t("{{count}} areas", { count: areas });
}
