import { randomUUID } from "node:crypto";
import type { DraftCase } from "../../../../packages/contract/src/doors/workflow.ts";
import type { JsonObject } from "../../../../packages/contract/src/index.ts";
import { installedModules } from "../../../../packages/installation/src/index.ts";
import { createRuntime } from "../../../../packages/module-registry/src/index.ts";
import { startModelServer, startTestOven } from "../../../../packages/testing/src/index.ts";
import type { AcceptanceCase, BenchTask } from "../task.ts";
import { compareRun } from "./compare-run.ts";
import { writeDraftCases } from "./draft-cases.ts";
import { answerFromFacts } from "./knowing-model.ts";
import type { OutsideServices } from "./outside-services.ts";
import { RunPlayer } from "./run-player.ts";
import { shortenDurations } from "./shorten-durations.ts";
import { must, prepareWorld } from "./world.ts";

export interface CaseVerdict {
  name: string;
  /** What differs; empty: it passed. */
  reasons: string[];
}

/** An installation in which candidates really run: their steps ask a scripted model, call services on loopback, and wait for scripted people. */
export interface AcceptanceOven {
  /** Runs all cases of a task on a definition, one after the other. */
  judge(task: Pick<BenchTask, "cases">, definition: JsonObject): Promise<CaseVerdict[]>;
  /** Test cases that a model could have written, each with the answers that models, services and people give in it. */
  draftCasesOf(task: BenchTask): Promise<DraftCase[]>;
  /** What is wrong with a definition: the errors of the validator. */
  errorsOf(definition: JsonObject): Promise<string[]>;
  stop(): Promise<void>;
}

/** @param services where the calls of candidates arrive; it is not closed with the installation */
export async function startAcceptanceOven(services: OutsideServices): Promise<AcceptanceOven> {
  let current: AcceptanceCase | undefined;
  const model = await startModelServer(
    (request) => (current === undefined ? { status: 500 } : answerFromFacts(current, request)),
    { models: ["knowing"] },
  );
  const oven = await startTestOven({
    createRuntime,
    modules: installedModules({ demo: false }),
    environment: { outboundAllow: [services.origin], variables: { OPENAI_BASE_URL: model.url } },
  });
  await prepareWorld(oven, {
    secretHosts: [new URL(services.origin).host],
    toDefinition: (definition) => services.leadHere(definition),
  });
  const player = new RunPlayer(oven);

  const publish = async (definition: JsonObject): Promise<number> => {
    const name = `Candidate ${randomUUID()}`;
    return (await must(oven, "POST", "agent-workflows", { name, definition: services.leadHere(definition) })).id;
  };

  const runCase = async (workflow: number, one: AcceptanceCase): Promise<CaseVerdict> => {
    current = one;
    const calls = services.begin(one.services);
    await player.fillTables(one.rows ?? {});
    const seen = await player.play(workflow, one);
    return { name: one.name, reasons: compareRun({ ...seen, calls }, one.expect) };
  };

  return {
    async judge({ cases }, definition) {
      const verdicts: CaseVerdict[] = [];
      const published = new Map<boolean, Promise<number>>();
      for (const one of cases) {
        const isFast = one.late === true;
        try {
          const workflow = published.get(isFast) ?? publish(isFast ? shortenDurations(definition) : definition);
          published.set(isFast, workflow);
          verdicts.push(await runCase(await workflow, one));
        } catch (error) {
          verdicts.push({ name: one.name, reasons: [`it cannot be run: ${String(error)}`] });
        }
      }
      return verdicts;
    },
    draftCasesOf: (task) =>
      writeDraftCases(task, {
        oven,
        player,
        services,
        publish,
        use: (one) => {
          current = one;
        },
      }),
    async errorsOf(definition) {
      const { problems } = await must(oven, "POST", "agent-workflows/validate", { definition });
      return (problems as { severity: string; path: string; message: string }[]) // cast: as the contract says
        .filter(({ severity }) => severity === "error")
        .map(({ path, message }) => `${path}: ${message}`);
    },
    async stop() {
      await oven.stop();
      await model.close();
    },
  };
}
