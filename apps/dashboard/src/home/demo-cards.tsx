import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import AddRounded from "@mui/icons-material/AddRounded";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useStartRun } from "@oven/module-workflows/ui/workflows/use-start-run.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { AGENT_WORKFLOWS } from "@oven/ui/components/workflow-kind.ts";
import { lazyPage } from "@oven/ui/ui-module.ts";
import { readExamples } from "@oven/workflow-editor/definition/read-examples.ts";
import { type ReactElement, Suspense } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";

/** Drawing a graph takes half of the editor: the cards are there before it. */
const GraphThumbnail = lazyPage(() => import("@oven/workflow-editor"), "GraphThumbnail");

const SHOWN = 3;
const OLDEST = { pagination: { page: 1, perPage: 25 }, sort: { field: "id", order: "ASC" as const } };

/** Workflows that bring an example input, as cards: one click runs them. */
export function DemoCards(): ReactElement {
  const mayCreate = useCan("agent-workflows.create");
  const { data, error, refetch } = useGetList<Workflow>("agent-workflows", OLDEST);
  if (error)
    return <ErrorPanel error={error} title={t("The workflows could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={220} />;
  const demos = data
    .filter((workflow) => workflow.enabled && readExamples(workflow.definition).length > 0)
    .slice(0, SHOWN);
  if (demos.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<AccountTreeOutlined />}
          title={t("Nothing has run yet")}
          text={t("Create an agent workflow, or open one and run it.")}
          action={
            <Button variant="contained" component={RouterLink} to="/agent-workflows">
              {t("Agent Workflows")}
            </Button>
          }
        />
      </Panel>
    );
  }
  return (
    <Box
      component="ul"
      aria-label={t("Demo workflows")}
      sx={{
        display: "grid",
        gap: 2,
        m: 0,
        p: 0,
        listStyle: "none",
        gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 220px), 1fr))",
      }}
    >
      {demos.map((workflow) => (
        <DemoCard key={workflow.id} workflow={workflow} />
      ))}
      {mayCreate ? <OwnCard /> : null}
    </Box>
  );
}

/** The way to the empty canvas. */
function OwnCard(): ReactElement {
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "center",
        gap: 1,
        p: 2,
        border: 1,
        borderStyle: "dashed",
        borderColor: "divider",
        borderRadius: 2.5,
      }}
    >
      <Typography variant="h2">{t("Build your own")}</Typography>
      <Typography variant="body2" color="text.secondary">
        {t("An empty canvas: choose what starts it, then add a step after the other.")}
      </Typography>
      <Button
        variant="outlined"
        startIcon={<AddRounded />}
        component={RouterLink}
        to="/agent-workflows/new"
        sx={{ mt: 0.5, alignSelf: "flex-start" }}
      >
        {t("New workflow")}
      </Button>
    </Box>
  );
}

function DemoCard({ workflow }: { workflow: Workflow }): ReactElement {
  const nodeTypes = useNodeTypes();
  const mayRun = useCan("agent-workflows.execute");
  const start = useStartRun(AGENT_WORKFLOWS);
  const example = readExamples(workflow.definition)[0];
  const { busy, failure, run } = useAction(() => start(workflow.id, example?.input ?? {}));
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        flexDirection: "column",
        border: 1,
        borderColor: "divider",
        borderRadius: 2.5,
        overflow: "hidden",
        bgcolor: "background.paper",
      }}
    >
      <Box sx={{ height: 132, p: 1.5, bgcolor: "var(--oven-canvas)", borderBottom: 1, borderColor: "divider" }}>
        <Suspense>
          <GraphThumbnail
            definition={workflow.definition}
            nodeTypes={nodeTypes}
            label={t("Graph of {{name}}", { name: workflow.name })}
          />
        </Suspense>
      </Box>
      <Box sx={{ display: "flex", flexDirection: "column", flex: 1, gap: 1, p: 2 }}>
        <Typography variant="h2">
          <Link component={RouterLink} to={`/agent-workflows/${workflow.id}/show`} color="inherit">
            {workflow.name}
          </Link>
        </Typography>
        <Typography variant="body2" color="text.secondary" sx={{ flex: 1 }}>
          {workflow.description}
        </Typography>
        {failure === null ? null : <ErrorPanel error={failure} title={t("The run was not started")} />}
        {mayRun ? (
          <Button
            variant="contained"
            startIcon={<PlayArrowRounded />}
            loading={busy}
            onClick={() => void run()}
            aria-label={t("Run it: {{name}}", { name: workflow.name })}
            sx={{ mt: 0.5, alignSelf: "flex-start" }}
          >
            {t("Run it")}
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}
