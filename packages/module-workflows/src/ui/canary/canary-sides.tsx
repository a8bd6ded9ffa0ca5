import Box from "@mui/material/Box";
import type { CanaryReport } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import type { ReactElement } from "react";

type Side = NonNullable<CanaryReport["live"]>;

/** What the runs of both versions came to since the candidate takes some. */
export function CanarySides({ live, candidate }: { live: Side; candidate: Side }): ReactElement {
  const rows: [string, (side: Side) => string][] = [
    [t("Runs"), ({ starts }) => String(starts)],
    [t("Failed"), ({ failed, completed }) => share(failed, failed + completed)],
    [t("Cost"), ({ costMicros }) => formatMoney(costMicros)],
    [t("Median time"), ({ medianMs }) => (medianMs === null ? "–" : formatDuration(medianMs))],
  ];
  for (const name of new Set([...live.scores, ...candidate.scores].map((score) => score.name)))
    rows.push([t("Score {{name}}", { name }), (side) => toScore(side, name)]);
  return (
    <Box
      component="table"
      sx={{ borderCollapse: "collapse", fontSize: 13, "& td, & th": { py: 0.5, pr: 2, textAlign: "left" } }}
    >
      <thead>
        <tr>
          <td />
          <th scope="col">{t("Version {{version}} (live)", { version: live.version })}</th>
          <th scope="col">{t("Version {{version}}", { version: candidate.version })}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, textOf]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{textOf(live)}</td>
            <td>{textOf(candidate)}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

function toScore({ scores }: Side, name: string): string {
  const score = scores.find((one) => one.name === name);
  return score === undefined ? "–" : `${score.mean} (${score.count})`;
}

function share(failed: number, ended: number): string {
  return ended === 0 ? "–" : `${failed} (${Math.round((failed / ended) * 100)} %)`;
}
