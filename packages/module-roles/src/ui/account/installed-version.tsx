import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { type ReactElement, useEffect, useState } from "react";

interface Health {
  version: string;
  commit?: string;
}

/** What runs here, as one names it in a report. Nothing while it is asked for, nor where the server does not answer: other panels say so. */
export function InstalledVersion(): ReactElement | null {
  const [health, setHealth] = useState<Health>();
  useEffect(() => {
    api("health").then(
      // cast: the shape of GET /api/health
      ({ json }) => setHealth(json as Health),
      () => undefined,
    );
  }, []);
  if (health === undefined) return null;
  return (
    <Box sx={{ fontSize: 12, color: "text.secondary" }}>
      {health.commit === undefined
        ? t("OVEN {{version}}", { version: health.version })
        : t("OVEN {{version}}, commit {{commit}}", { version: health.version, commit: health.commit.slice(0, 8) })}
    </Box>
  );
}
