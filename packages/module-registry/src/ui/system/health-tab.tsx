import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { t } from "@oven/i18n";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { ReactElement } from "react";
import { Answered } from "./answered.tsx";

const EVERY_MS = 15_000;
const DATABASES = { pglite: t("PGlite, embedded in this process"), postgres: "PostgreSQL" };

interface Health {
  status: "ok";
  database: keyof typeof DATABASES;
  version: string;
  modules: string[];
}

/** Whether the server and its database answer, and which version it is. */
export function HealthTab(): ReactElement {
  const answer = useAnswer<Health>("health", useNow(EVERY_MS));
  const mayMetrics = useCan("metrics.read");
  return (
    <Answered answer={answer} what={t("The health")}>
      {({ database, version, modules }) => (
        <Box sx={{ display: "grid", gap: 2 }}>
          <Box>
            {answer.error === null ? (
              <ToneChip tone="completed" word={t("server and database answer")} />
            ) : (
              <ToneChip tone="failed" word={t("does not answer just now")} />
            )}
          </Box>
          <FieldsView
            value={{
              version,
              database: DATABASES[database],
              modules: t("{{number}} installed", { number: modules.length }),
            }}
            what={t("the health")}
          />
          <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, fontSize: 14 }}>
            <Link href="/api/health">{t("Health as JSON")}</Link>
            {mayMetrics ? <Link href="/api/metrics">{t("Metrics for Prometheus")}</Link> : null}
            <Link href="/api/openapi.json">{t("The API as OpenAPI")}</Link>
          </Box>
        </Box>
      )}
    </Answered>
  );
}
