import type { EvalDataset, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { RateBars } from "@oven/ui/components/charts/rate-bars.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { byVersion } from "./by-version.ts";
import { formatRate } from "./run-words.tsx";

const NEWEST = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "DESC" as const } };

/** How many cases passed, version by version; nothing before the first evaluation has ended. */
export function Trend({ dataset }: { dataset: EvalDataset }): ReactElement | null {
  const filter = { datasetId: dataset.id, status: "completed", targetId: dataset.target.id };
  const versions = byVersion(useGetList<EvalRun>("eval-runs", { ...NEWEST, filter }).data ?? []);
  if (versions.length === 0) return null;
  return (
    <Panel>
      <RateBars
        name={t("Cases that passed, by version")}
        total={formatRate(versions.at(-1)?.passRate ?? null)}
        bars={versions.map((run) => ({
          key: String(run.target.version),
          label: `v${run.target.version}`,
          rate: run.passRate ?? 0,
          to: `/eval-runs/${run.id}/show`,
          title: t("v{{version}}: {{passed}} of {{cases}} passed", {
            version: run.target.version,
            passed: run.passed,
            cases: run.cases,
          }),
        }))}
      />
    </Panel>
  );
}
