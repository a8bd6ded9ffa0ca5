import { type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import { InvokeAgentSchema } from "@oven/contract/agent";
import type { EvalTarget, EvalTargetKind } from "@oven/contract/eval";
import type { ExecutionKind, RunOptions } from "@oven/contract/run";
import type {} from "@oven/module-agent-core";
import { fromZod, requirePermission, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";

export interface Target {
  kind: EvalTargetKind;
  id: number;
}

export interface FoundTarget extends Target {
  slug: string;
  name: string;
  version: number;
}

export interface CaseStart {
  target: Target & { version: number };
  input: JsonObject;
  options: RunOptions;
  /** The same case is started once. */
  key: string;
}

/** What datasets are run against: workflows of either kind, and agents. */
export class EvalTargets {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /** @throws OvenError NOT_FOUND */
  async find(principal: Principal, { kind, id }: EvalTarget): Promise<FoundTarget> {
    const found =
      kind === "agent"
        ? await this.#services.agents.get(principal, String(id))
        : await this.#services.workflowPlatform.face(kind).workflows.get(principal, String(id));
    return { kind, id: found.id, slug: found.slug, name: found.name, version: found.version };
  }

  /** The current version, or the one asked for, which must exist. @throws OvenError NOT_FOUND, FORBIDDEN */
  async requireRunnable(principal: Principal, target: Target, version: number | undefined): Promise<number> {
    requirePermission(principal, target.kind === "agent" ? "agents.invoke" : `${target.kind}s.execute`);
    const { version: current } = await this.find(principal, target);
    if (version === undefined || version === current) return current;
    if (version > current) throw notFound("version", `${target.id}@${version}`);
    if (target.kind === "agent") await this.#services.agents.settingsOf({ id: target.id, version, sessionId: null });
    else await this.#services.workflowPlatform.face(target.kind).workflows.pinned(target.id, version);
    return version;
  }

  /** An ordinary run. @throws OvenError as executing a workflow or invoking an agent */
  async start(principal: Principal, start: CaseStart): Promise<{ kind: ExecutionKind; id: number }> {
    const { target, input, options, key } = start;
    const common = { options, idempotencyKey: key, triggerEvent: "eval" };
    if (target.kind !== "agent") {
      const { runs } = this.#services.workflowPlatform.face(target.kind);
      const workflow = String(target.id);
      const { id } = await runs.execute(principal, { ...common, workflow, input, version: target.version });
      return { kind: target.kind, id };
    }
    const said = toSaid(input);
    const run = await this.#services.agents.standalone(principal, String(target.id), said, target.version);
    const kind = "agent-workflow";
    const { id } = await this.#services.workflowPlatform.face(kind).runs.execute(principal, {
      ...{ ...common, workflow: String(run.workflowId), input: run.input, agent: run.agent },
      ...(run.workflowVersion === undefined ? {} : { version: run.workflowVersion }),
    });
    return { kind, id };
  }
}

/** @throws OvenError INVALID_INPUT */
function toSaid(input: JsonObject) {
  const { message, messages, parameters = {}, ...other } = input;
  const [unknown] = Object.keys(other);
  const parsed = InvokeAgentSchema.safeParse({
    ...(message === undefined ? {} : { message }),
    ...(messages === undefined ? {} : { messages }),
    parameters,
  });
  if (unknown === undefined && parsed.success) {
    const { wait, sessionId, ...said } = parsed.data;
    return said;
  }
  const problem = parsed.success ? `$.${unknown} is not known` : fromZod(parsed.error, "$").message;
  throw new OvenError("INVALID_INPUT", `An agent cannot be asked that: ${problem}`, {
    path: "$.input",
    fix: "Give `message` or `messages`, and `parameters` where the agent has some.",
  });
}
