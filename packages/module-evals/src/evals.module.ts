import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { EvalDatasetFile } from "@oven/contract/eval";
import { defineModule, type ModuleDefinition, type SelectiveListener } from "@oven/module-registry";
import { caseRoutes } from "./datasets/case.routes.ts";
import { CaseService } from "./datasets/case-service.ts";
import { datasetRoutes } from "./datasets/dataset.routes.ts";
import { DatasetFiles } from "./datasets/dataset-files.ts";
import { DatasetService } from "./datasets/dataset-service.ts";
import { inputsForRuns } from "./datasets/inputs-for-runs.ts";
import { judgeRoutes } from "./judges/judge.routes.ts";
import { JudgeHost } from "./judges/judge-host.ts";
import { JudgeService } from "./judges/judge-service.ts";
import { JudgedWorkflows } from "./judges/judged-workflows.ts";
import { RunSampler } from "./judges/run-sampler.ts";
import { menuItems, resources } from "./menu.ts";
import { evalPermissions } from "./permissions.ts";
import { personData } from "./person-data.ts";
import { CaseWorker } from "./runs/case-worker.ts";
import { EvalHost } from "./runs/eval-host.ts";
import { evalRunRoutes } from "./runs/eval-run.routes.ts";
import { EvalRunService } from "./runs/eval-run-service.ts";
import { EvalTargets } from "./runs/eval-targets.ts";
import * as schema from "./schema.ts";

export interface EvalsFace {
  /** Makes a dataset of the default tenant once; later starts leave it as people changed it. */
  seedDataset(file: EvalDatasetFile): Promise<void>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    evals: EvalsFace;
  }
}

function build(deps: Parameters<NonNullable<ModuleDefinition["services"]>>[0]) {
  const { db, services } = deps;
  const targets = new EvalTargets(services);
  const datasets = new DatasetService({ db, targets });
  const cases = new CaseService(db);
  const files = new DatasetFiles({ db, datasets, cases, targets });
  // It works for all tenants; what it starts belongs to the one whose run it is.
  const host = new EvalHost({
    db: db.system,
    cases: new CaseWorker({ db: db.system, services, targets }),
  });
  const runs = new EvalRunService({ db, services, datasets, cases, targets, host });
  const known = new JudgedWorkflows(() => performance.now());
  const judges = new JudgeService({ db, services, known });
  const judgeHost = new JudgeHost({ db: db.system, services });
  const sampler = new RunSampler({ db: db.system, services, known, onSampled: () => judgeHost.wake() });
  services.workflowPlatform.retention.add({
    table: "score_judgements",
    since: "created_at",
    setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
  });
  return { services, targets, datasets, cases, files, host, runs, judges, judgeHost, sampler };
}

/** Datasets of inputs with expectations, run against versions of workflows and agents. */
export function createEvalsModule(): ModuleDefinition {
  let state: ReturnType<typeof build> | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-evals was not started by a runtime");
    return state;
  };
  const onCompleted = (kind: "workflow" | "agent-workflow"): SelectiveListener => ({
    handle: (event) => ready().sampler.take(kind, event),
    concerns: (event) => ready().sampler.concerns(kind, event),
  });
  return defineModule({
    name: "module-evals",
    namespace: "evals",
    description:
      "Datasets of inputs with expectations, run against versions of workflows and agents, recorded, replayed and compared.",
    dependencies: [
      "module-registry",
      "module-roles",
      "module-workflows",
      "module-ai",
      "module-agent-core",
      "module-workflow-agents",
    ],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: evalPermissions,
    resources,
    menuItems,
    events: {
      emits: {},
      listeners: {
        "workflows.execution.completed": onCompleted("workflow"),
        "agents-workflow.execution.completed": onCompleted("agent-workflow"),
      },
    },
    routes: [
      ...datasetRoutes(ready),
      ...caseRoutes(ready),
      ...evalRunRoutes(() => ready().runs),
      ...judgeRoutes(ready),
    ],
    services: async (deps) => {
      const built = build(deps);
      deps.services.workflowPlatform.readDatasetsWith(inputsForRuns(built));
      state = built;
      return { evals: { seedDataset: (file) => built.files.seed(SYSTEM_PRINCIPAL, file) } };
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled === false) return;
      ready().host.start();
      ready().judgeHost.start();
    },
    stop: async () => {
      await Promise.all([ready().host.stop(), ready().judgeHost.stop()]);
    },
  });
}
