import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { Use, Uses } from "@oven/contract/agent";
import { t, tx } from "@oven/i18n";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";
import { ErrorPanel } from "./error-panel.tsx";
import { Code } from "./tool-box.tsx";
import { useAnswer } from "./use-answer.ts";
import { workflowPath } from "./workflow-kind.ts";

const KIND_WORDS: Readonly<Record<Use["kind"], string>> = {
  agent: "agent",
  workflow: "workflow",
  "agent-workflow": t("agent workflow"),
};

function pathOf({ kind, id }: Use): string {
  return kind === "agent" ? `/agents/${id}/show` : workflowPath(kind, id);
}

/** The agents and workflows that name something, by the words they name it with. */
export function UsesList({ path, none }: { path: string; none: string }): ReactElement {
  const { data, error } = useAnswer<Uses>(path);
  if (error !== null && error !== undefined)
    return <ErrorPanel error={error} title={t("What uses it could not be read")} />;
  if (data === undefined) return <Skeleton height={44} />;
  if (data.uses.length === 0)
    return (
      <Typography variant="body2" color="text.secondary">
        {none}
      </Typography>
    );
  return (
    <>
      <Box component="ul" aria-label={t("Used by")} sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
        {data.uses.map((use) => (
          <Box component="li" key={`${use.kind} ${use.id}`} sx={{ overflowWrap: "anywhere" }}>
            <Link component={RouterLink} to={pathOf(use)} underline="always">
              {use.name}
            </Link>
            <Box component="span" sx={{ fontSize: 13, color: "text.secondary" }}>
              {" "}
              {KIND_WORDS[use.kind]}
              {tx("as {{name}}", { name: <Code>{use.as}</Code> })}
            </Box>
          </Box>
        ))}
      </Box>
      {data.truncated ? (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {t("There are more: only the latest changed ones were looked through.")}
        </Typography>
      ) : null}
    </>
  );
}
