import ScienceOutlined from "@mui/icons-material/ScienceOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { ModelAlias } from "@oven/contract/ai";
import { currentLocale, t, tx } from "@oven/i18n";
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
        {t("Answered from a script and marked “simulated”: {{models}}. No provider that is set up has such a model.", {
          models: new Intl.ListFormat(currentLocale()).format(simulated.map((alias) => alias.name)),
        })}{" "}
        {tx("To use a real one {{link}}, or start OVEN with {{key}}, or with {{address}} for any compatible server.", {
          link: (
            <Link component={RouterLink} to="/ai?tab=providers" underline="always">
              {t("add a provider")}
            </Link>
          ),
          key: <code>OPENAI_API_KEY</code>,
          address: <code>OPENAI_BASE_URL</code>,
        })}
      </span>
    </Box>
  );
}
