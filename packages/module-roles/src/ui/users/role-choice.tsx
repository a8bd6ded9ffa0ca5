import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import type { Role } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const }, filter: {} };

/** The roles somebody may have, each with what it is for. */
export function RoleChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (roles: string[]) => void;
}): ReactElement {
  const { data, isPending, error, refetch } = useGetList<Role>("roles", ALL);
  if (error)
    return <ErrorPanel error={error} title={t("The roles could not be loaded")} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton height={160} />;
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, display: "grid", gap: 0.5 }}>
      <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, mb: 0.5, p: 0 }}>
        {t("Roles")}
      </Box>
      {(data ?? []).map((role) => (
        <FormControlLabel
          key={role.name}
          sx={{ alignItems: "flex-start", mr: 0 }}
          control={
            <Checkbox
              size="small"
              checked={chosen.includes(role.name)}
              onChange={(_, checked) =>
                onChange(checked ? [...chosen, role.name] : chosen.filter((name) => name !== role.name))
              }
            />
          }
          label={
            <Box sx={{ pt: 0.75 }}>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {role.title}
              </Box>
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{role.description}</Box>
            </Box>
          }
        />
      ))}
    </Box>
  );
}
