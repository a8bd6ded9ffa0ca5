import OpenInNewRounded from "@mui/icons-material/OpenInNewRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { isObject, type Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** The page that a tool asks a person to open, such as the one where they connect their account; null: none. */
export function toPage(context: Json): URL | null {
  const link = isObject(context) && typeof context.link === "string" ? URL.parse(context.link) : null;
  return link !== null && (link.protocol === "https:" || link.protocol === "http:") ? link : null;
}

/** Leads to a page in another tab. Whose it is, is said, unless it is one of ours. */
export function PageToOpen({ page, note }: { page: URL; note: string | null }): ReactElement {
  const isOurs = page.origin === window.location.origin;
  return (
    <Box sx={{ display: "grid", justifyItems: "start", gap: 1 }}>
      {note === null ? null : <span>{note}</span>}
      <Button
        component="a"
        variant="contained"
        href={page.href}
        target="_blank"
        rel="noreferrer"
        endIcon={<OpenInNewRounded />}
      >
        {isOurs ? t("Open the page") : t("Open the page at {{origin}}", { origin: page.origin })}
      </Button>
    </Box>
  );
}
