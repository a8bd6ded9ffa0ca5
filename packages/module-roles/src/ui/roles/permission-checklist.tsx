import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import { isGranted } from "@oven/contract";
import type { PermissionInfo } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { groupPermissions, toggleGroup, togglePermission } from "./group-permissions.ts";

const ALL = { pagination: { page: 1, perPage: 1_000 }, sort: { field: "id", order: "ASC" as const }, filter: {} };

/** Every permission of the installed modules, by resource. */
export function PermissionChecklist({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  /** Absent: to be looked at only. */
  onChange?: (permissions: string[]) => void;
}): ReactElement {
  const { data, isPending, error, refetch } = useGetList<PermissionInfo>("permissions", ALL);
  if (error)
    return <ErrorPanel error={error} title={t("The permissions could not be loaded")} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton height={240} />;
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr", lg: "1fr 1fr 1fr" }, gap: 1.5 }}>
      {groupPermissions(data ?? []).map((group) => {
        const all = isGranted(chosen, `${group.resource}.*`);
        const some = group.permissions.some(({ id }) => isGranted(chosen, id));
        return (
          <Box
            component="fieldset"
            key={group.resource}
            sx={{ m: 0, px: 1.5, py: 1, border: 1, borderColor: "divider", borderRadius: 2, minWidth: 0 }}
          >
            <FormControlLabel
              disabled={onChange === undefined}
              control={
                <Checkbox
                  size="small"
                  checked={all}
                  indeterminate={!all && some}
                  slotProps={{
                    input: {
                      // MUI only says so in ARIA; assistive technology compares it with the element's own state.
                      ref: (element: HTMLInputElement | null) => {
                        if (element !== null) element.indeterminate = !all && some;
                      },
                    },
                  }}
                  onChange={(_, on) => onChange?.(toggleGroup(chosen, group, on))}
                />
              }
              label={<Box sx={{ fontWeight: 600 }}>{group.resource}</Box>}
            />
            <Box sx={{ display: "grid", pl: 1 }}>
              {group.permissions.map(({ id, title }) => (
                <FormControlLabel
                  key={id}
                  disabled={onChange === undefined}
                  sx={{ alignItems: "flex-start", mr: 0 }}
                  control={
                    <Checkbox
                      size="small"
                      sx={{ py: 0.5 }}
                      checked={isGranted(chosen, id)}
                      onChange={(_, on) => onChange?.(togglePermission(chosen, group, id, on))}
                    />
                  }
                  label={
                    <Box sx={{ fontSize: 13, lineHeight: "18px", pt: 0.75 }}>
                      {title}
                      <Box sx={{ fontFamily: MONOSPACE, fontSize: 11.5, color: "text.secondary" }}>{id}</Box>
                    </Box>
                  }
                />
              ))}
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
