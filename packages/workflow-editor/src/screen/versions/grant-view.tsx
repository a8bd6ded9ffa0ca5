import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { GrantReport } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { ReactElement } from "react";

export interface GrantViewProps {
  answer: { data: GrantReport | undefined; error: unknown };
}

/** What a version may do, what its steps need beyond that, and who could publish it with that. */
export function GrantView({ answer: { data, error } }: GrantViewProps): ReactElement {
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} title={t("The permissions could not be read")} />;
  if (data === undefined) return <Skeleton variant="rounded" height={44} />;
  const { granted, missing, computed, beyond } = data;
  return (
    <Box sx={{ display: "grid", gap: 1.25, fontSize: 13 }}>
      <Box>
        <Typography variant="h3" sx={{ mb: 0.5 }}>
          {t("Permissions of its steps")}
        </Typography>
        {granted.length === 0 ? (
          <Box sx={{ color: "text.secondary" }}>
            {missing.length === 0 ? t("Its steps need none.") : t("It has none of those that its steps need.")}
          </Box>
        ) : (
          <PermissionList title={t("Permissions of its steps")} permissions={granted} />
        )}
      </Box>
      {missing.map(({ permission, steps, roles }) => (
        <Alert key={permission} severity="warning" sx={{ fontSize: 13 }}>
          <b>{permission}</b>: {t("not granted")}. {t("Steps that are refused")}: {steps.join(", ")}.{" "}
          {t("Roles that can publish it with this permission")}: {roles.join(", ")}.
        </Alert>
      ))}
      {computed.length === 0 ? null : (
        <Box sx={{ color: "text.secondary" }}>
          {t("Steps that choose what they call only when they run")}: {computed.join(", ")}
        </Box>
      )}
      {beyond.length === 0 ? null : (
        <Box component="details">
          <Box component="summary" sx={{ mb: 0.5 }}>
            {computed.length === 0
              ? t("Granted earlier; no step needs them now")
              : t("Chosen at run time: these steps may also use")}
            {` (${beyond.length})`}
          </Box>
          <PermissionList title={t("More permissions")} permissions={beyond} />
        </Box>
      )}
    </Box>
  );
}

function PermissionList({ title, permissions }: { title: string; permissions: readonly string[] }): ReactElement {
  return (
    <Box
      component="ul"
      aria-label={title}
      sx={{ m: 0, p: 0, display: "flex", flexWrap: "wrap", gap: 0.75, listStyle: "none" }}
    >
      {permissions.map((permission) => (
        <Box
          component="li"
          key={permission}
          sx={{ px: 0.75, borderRadius: 1, border: 1, borderColor: "divider", fontFamily: "monospace" }}
        >
          {permission}
        </Box>
      ))}
    </Box>
  );
}
