import ChevronRightRounded from "@mui/icons-material/ChevronRightRounded";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { type ReactElement, type ReactNode, useEffect } from "react";
import { Link as RouterLink } from "react-router-dom";

export interface PageHeaderProps {
  title: string;
  /** Beside the title: chips. */
  badges?: ReactNode;
  /** Below the title: one quiet line. */
  line?: ReactNode;
  parent?: { to: string; label: string };
  actions?: ReactNode;
}

/** The head of every page; sets the document's title too. */
export function PageHeader({ title, badges, line, parent, actions }: PageHeaderProps): ReactElement {
  useEffect(() => {
    document.title = `${title} · OVEN`;
  }, [title]);
  return (
    <Box component="header" sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "flex-start", mb: 2.5 }}>
      <Box sx={{ flex: "1 1 260px", minWidth: 0 }}>
        {parent === undefined ? null : (
          <Box
            component="nav"
            aria-label={t("Breadcrumb")}
            sx={{ display: "flex", alignItems: "center", fontSize: 12.5, color: "text.secondary", mb: 0.25 }}
          >
            <Link component={RouterLink} to={parent.to} color="inherit">
              {parent.label}
            </Link>
            <ChevronRightRounded sx={{ fontSize: 15 }} />
          </Box>
        )}
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", minHeight: 32 }}>
          <Typography variant="h1" sx={{ overflowWrap: "anywhere" }}>
            {title}
          </Typography>
          {badges}
        </Box>
        {line === undefined ? null : (
          <Box
            sx={{
              display: "flex",
              flexWrap: "wrap",
              columnGap: 1.25,
              rowGap: 0.25,
              alignItems: "center",
              mt: 0.5,
              fontSize: 13,
              color: "text.secondary",
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {line}
          </Box>
        )}
      </Box>
      {actions === undefined ? null : <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>{actions}</Box>}
    </Box>
  );
}
