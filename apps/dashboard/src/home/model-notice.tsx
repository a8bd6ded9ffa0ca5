import ScienceOutlined from "@mui/icons-material/ScienceOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { ModelAlias } from "@oven/contract";
import { currentLocale, t } from "@oven/i18n";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";

const ALL = { pagination: { page: 1, perPage: 50 }, sort: { field: "id", order: "ASC" as const } };

/** Says so while no real model is configured, and what to do about it. */
export function ModelNotice(): ReactElement | null {
  const { data } = useGetList<ModelAlias>("ai-aliases", ALL, { staleTime: 60_000 });
  const simulated = (data ?? []).filter((alias) => alias.resolvesTo?.simulated === true);
  if (simulated.length === 0) return null;
  return (
    <Box
      component="aside"
      aria-label={t("Models")}
      sx={{
        display: "flex",
        gap: 1.25,
        px: 2,
        py: 1.5,
        borderRadius: 2.5,
        border: "1px dashed var(--oven-border-strong)",
        fontSize: 13,
        color: "text.secondary",
      }}
    >
      <ScienceOutlined sx={{ fontSize: 19 }} />
      <span>
        {new Intl.ListFormat(currentLocale()).format(simulated.map((alias) => alias.name))}{" "}
        {simulated.length === 1 ? t("answers") : t("answer")}{" "}
        {t("from a script, marked “simulated”: no provider that is set up has such a model. To use a real one")}{" "}
        <Link component={RouterLink} to="/ai?tab=providers" underline="always">
          {t("add a provider")}
        </Link>
        {t(", or start OVEN with")} <code>OPENAI_API_KEY</code>
        {t(", or with")} <code>OPENAI_BASE_URL</code> {t("for any compatible server.")}
      </span>
    </Box>
  );
}
