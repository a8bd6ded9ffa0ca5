import PlaylistAddCheckRounded from "@mui/icons-material/PlaylistAddCheckRounded";
import Button from "@mui/material/Button";
import ListSubheader from "@mui/material/ListSubheader";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { EvalCase, EvalDataset } from "@oven/contract/eval";
import { type Execution, isTerminal } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { workflowIdOf } from "@oven/ui/components/workflow-kind.ts";
import type { RunActionProps } from "@oven/ui/ui-module.ts";
import { type ReactElement, useState } from "react";
import { useGetList, useNotify } from "react-admin";
import { useNavigate } from "react-router-dom";

const ALL = { pagination: { page: 1, perPage: 100 }, sort: { field: "name", order: "ASC" as const } };

/** What a case of the run would be about: its agent, else its workflow; null: it is a part of another run. */
function targetOf(run: Execution): EvalDataset["target"] | null {
  if (run.parentId !== null) return null;
  if (run.agentId !== null) return { kind: "agent", id: run.agentId };
  const id = workflowIdOf(run);
  return id === undefined ? null : { kind: run.kind, id };
}

/** A button of a run that has ended: its input and output become a case. With one dataset it is one click. */
export function MakeCase({ run }: RunActionProps): ReactElement | null {
  const mayCreate = useCan("evals.create");
  const target = targetOf(run);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const notify = useNotify();
  const navigate = useNavigate();
  const isWanted = mayCreate && target !== null && isTerminal(run.status);
  const { data: datasets } = useGetList<EvalDataset>(
    "eval-datasets",
    { ...ALL, filter: { kind: target?.kind, targetId: target?.id } },
    { enabled: isWanted },
  );
  const {
    busy,
    failure,
    run: make,
    reset,
  } = useAction(async (dataset: EvalDataset | null) => {
    const into = dataset ?? (await newDataset());
    const path = `eval-datasets/${into.id}/cases/from-execution`;
    const { json } = await api(path, { method: "POST", body: { executionId: run.id } });
    const { name } = json as EvalCase; // cast: 201 carries the row
    notify(t("“{{name}}” is a case of {{dataset}} now", { name, dataset: into.name }), { type: "success" });
    void navigate(`/eval-datasets/${into.id}/show`);
  });
  async function newDataset(): Promise<EvalDataset> {
    const body = { name: t("Cases of {{name}}", { name: run.workflowName }), target };
    return (await api("eval-datasets", { method: "POST", body })).json as EvalDataset; // cast: 201 carries the row
  }
  if (!isWanted || datasets === undefined) return null;
  return (
    <>
      <Button
        startIcon={<PlaylistAddCheckRounded />}
        loading={busy}
        aria-haspopup={datasets.length > 1 ? "menu" : undefined}
        onClick={(event) => {
          if (datasets.length > 1) setAnchor(event.currentTarget);
          else void make(datasets[0] ?? null);
        }}
      >
        {t("Make a case")}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <ListSubheader>{t("A case of which dataset?")}</ListSubheader>
        {datasets.map((dataset) => (
          <MenuItem
            key={dataset.id}
            onClick={() => {
              setAnchor(null);
              void make(dataset);
            }}
          >
            {dataset.name}
          </MenuItem>
        ))}
      </Menu>
      {failure === null ? null : <ErrorPanel error={failure} title={t("No case was made")} onRetry={reset} />}
    </>
  );
}
