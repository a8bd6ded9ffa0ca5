import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import type { PastRunsRule } from "@oven/contract/workflow";
import { prepareDefinition } from "../definitions/prepare-definition.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { EndedRuns, ExecutionReader } from "../executions/execution-reader.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import type { Finding } from "../policies/finding.ts";
import type { PastRun, PastRunRehearser } from "./past-run-rehearser.ts";
import { ENDED } from "./rehearsal-service.ts";
import { type SeenDifferences, seenKey } from "./seen-differences.ts";

/** Why a past run cannot be gone through: there is no recording, or none that can be followed. Such a run is no evidence. */
const NOT_TO_FOLLOW: readonly string[] = [
  ...["NOT_FOUND", "DETAILS_REMOVED", "CHECKPOINTS_MISSING", "REPLAY_DIVERGED"],
  // Its version needs a node or a schema that is gone; the one that is published was checked before.
  "INVALID_DEFINITION",
];

/** Runs that one finding names. */
const MOST_NAMED = 20;

export interface PublishRulesDeps {
  workflows: WorkflowService;
  reader: ExecutionReader;
  rehearser: PastRunRehearser;
  seen: SeenDifferences;
  catalog: RegisteredNodes;
  inputsOf(principal: Principal, workflowId: number, dataset: string): Promise<JsonObject[]>;
}

interface Differing {
  id: number;
  isKnown: boolean;
  /** Of calls outside that the recorded run did not make, those that ask no model. */
  newToolCalls: string[];
  key: string;
}

/** What past runs have against a new version. They are gone through each time: what a client says of them does not count. */
export class PublishRules {
  readonly #deps: PublishRulesDeps;

  constructor(deps: PublishRulesDeps) {
    this.#deps = deps;
  }

  /**
   * A run of an older version that comes to the same on the published version as on the new one counts as the same: the new version is not
   * what makes it differ. Runs without a recording do not count.
   * @param isPublishing false: no model is asked, and where one would be the run is passed over
   * @throws OvenError NOT_FOUND also for a dataset that is gone, TOO_MANY_REQUESTS 429; what keeps a recording from being gone through
   */
  async check(
    principal: Principal,
    workflowId: number,
    tried: JsonObject,
    rule: PastRunsRule,
    isPublishing: boolean,
  ): Promise<Finding[]> {
    const { reader, workflows, catalog } = this.#deps;
    const workflow = await workflows.get(principal, String(workflowId));
    const { definition, contentHash: definitionHash } = prepareDefinition(tried, {}, catalog);
    const ids = await reader.endedOf(principal, {
      ...(await this.#which(principal, workflowId, rule)),
      limit: rule.runs,
    });
    const signal = new AbortController().signal;
    const live = rule.live && this.#deps.rehearser.liveCalls(principal, rule.live, signal);
    const differing: Differing[] = [];
    let all = 0;
    for (const id of ids) {
      const past = await this.#one(principal, id, definition, workflow);
      if (past === undefined) continue;
      all += 1;
      if (past === "same") continue;
      if (live === undefined || past.comparison.unknown?.reason !== "new-call") {
        differing.push(this.#toDiffering(past));
        continue;
      }
      // Whether a model's answer helps is known once it is asked, which costs something: only publishing does.
      if (!isPublishing) continue;
      const one = { definition, workflowName: workflow.name };
      const asked = await this.#deps.rehearser.rehearseLive(principal, id, one, live);
      if (asked.comparison.verdict === "same") continue;
      // What people have looked at is what was recorded: another answer of the model would be another difference each time.
      differing.push({ ...this.#toDiffering(asked), key: seenKey(id, past.comparison.digest) });
    }
    const executionIds = differing.map(({ id }) => id);
    const seen = await this.#deps.seen.of(principal, { workflowId, definitionHash, executionIds });
    return findingsOf(rule, all, differing, (one) => seen.has(one.key));
  }

  async #which(principal: Principal, workflowId: number, { status, dataset }: PastRunsRule): Promise<EndedRuns> {
    const which: EndedRuns = { workflowId, status: ENDED[status] };
    if (dataset === undefined) return which;
    // The rule looks at the dataset, also where the publisher may not.
    const reading = { ...principal, permissions: ["evals.read"] };
    return { ...which, inputs: await this.#deps.inputsOf(reading, workflowId, dataset) };
  }

  /** Undefined: there is no recording of it. */
  async #one(
    principal: Principal,
    id: number,
    definition: JsonObject,
    { name: workflowName, version, definition: published }: { name: string; version: number; definition: JsonObject },
  ): Promise<PastRun | "same" | undefined> {
    try {
      const [one, other] = [
        { definition, workflowName },
        { definition: published, workflowName },
      ];
      const { first, second } = await this.#deps.rehearser.rehearseOnBoth(principal, id, one, other);
      if (second === null) return "same";
      const isOlder = first.record.workflowVersion !== version;
      return isOlder && first.comparison.digest === second.comparison.digest ? "same" : first;
    } catch (error) {
      if (isOvenError(error) && NOT_TO_FOLLOW.includes(error.code)) return undefined;
      throw error;
    }
  }

  #toDiffering({ record: { id }, comparison }: PastRun): Differing {
    const isModel = (src: string): boolean => this.#deps.catalog.get(src)?.kind === "model";
    const newToolCalls = comparison.calls.added.filter(({ src }) => !isModel(src)).map(({ nodeId }) => nodeId);
    return { id, isKnown: comparison.unknown === null, newToolCalls, key: seenKey(id, comparison.digest) };
  }
}

function findingsOf(
  rule: PastRunsRule,
  all: number,
  differing: readonly Differing[],
  isSeen: (one: Differing) => boolean,
): Finding[] {
  const found: Finding[] = [];
  const add = (runs: readonly Differing[], message: string, fix: string): void => {
    if (runs.length > 0) found.push({ path: "$.states", message: `${message}: ${toNames(runs)}`, fix });
  };
  const same = all - differing.length;
  if (rule.minSame !== undefined && all > 0 && same / all < rule.minSame)
    add(
      differing,
      `${same} of ${all} past runs come out the same, and ${Number((rule.minSame * 100).toFixed(2))} % must; these do not`,
      "Look at these runs beside what they come to, and change the workflow.",
    );
  if (rule.noNewToolCalls === true) {
    const calling = differing.filter(({ newToolCalls }) => newToolCalls.length > 0);
    const steps = [...new Set(calling.flatMap(({ newToolCalls }) => newToolCalls))].join(", ");
    add(
      calling,
      `past runs would make calls that were not there, at ${steps}`,
      "Change the workflow so that it does not call them.",
    );
    const open = differing.filter((one) => !one.isKnown && one.newToolCalls.length === 0 && !isSeen(one));
    add(open, "of these past runs it is not known which calls they would make", "Look at each of them, and say so.");
  }
  if (rule.everyDifferenceSeen === true)
    add(
      differing.filter((one) => !isSeen(one)),
      "no person has looked at what these past runs come to on exactly this definition",
      "Save the draft, open each of these runs beside what it comes to, and say that you have looked at it.",
    );
  return found;
}

function toNames(runs: readonly Differing[]): string {
  const names = runs.slice(0, MOST_NAMED).map(({ id }) => `run ${id}`);
  const more = runs.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
