import type { JsonObject } from "@oven/contract";
import type { Credentials, TestAnswer, TestOven } from "@oven/testing";
import { expect } from "vitest";
import type { Action, Case, Graph, Run, Way } from "./release-cases.ts";
import { ASKING, define, SILENT } from "./release-definitions.ts";
import { paid } from "./release-module.ts";

/** What may be refused besides what passes over a review: it could not be done by an owner either, or not by an operator. */
const IMPOSSIBLE = [
  "NOT_RETRYABLE",
  "NODE_NOT_RUN",
  "VERSION_INCOMPATIBLE",
  "STATE_UNKNOWN",
  "NOT_FOUND",
  "STALE_DRAFT",
  "FORBIDDEN",
];
const REFUSED = ["REVIEW_PASSED_OVER", "POLICY_VIOLATED"];

const codeOf = ({ body }: TestAnswer): string => body.error?.code;
const optionsOf = ({ begin }: Run): JsonObject | null =>
  begin && (begin.option === "from" ? { from: begin.state } : { pins: { [begin.state]: {} } });

/** A server with the people of the proof. */
export interface ReleaseStage {
  oven: TestOven;
  reviewer: Credentials;
  who: Record<Way["as"], Credentials>;
  /** The graph policy that demands a review before `proof.guarded`. */
  policy: number;
  /** A number that nothing has yet. */
  nextMark(): number;
  /** What has to succeed. @returns the body of the answer */
  done(method: string, path: string, body: object, as?: Credentials): Promise<TestAnswer["body"]>;
}

/** One case: its workflow, the runs so far, and what was released. */
export class ReleaseSequence {
  readonly #src: string;
  readonly #hasPolicy: boolean;
  #workflow = 0;
  #child = 0;
  #version = 1;
  readonly #runs: { id: number; version: number; isPlain: boolean }[] = [];
  readonly #amounts = new Set<number>();
  readonly #released: number[] = [];
  #isSmallFree = false;

  readonly #stage: ReleaseStage;

  constructor(stage: ReleaseStage, hasPolicy: boolean) {
    this.#stage = stage;
    this.#hasPolicy = hasPolicy;
    this.#src = hasPolicy ? "proof.guarded" : "proof.pay";
  }

  async begin({ graph, before }: Case): Promise<void> {
    const name = `Proof ${this.#stage.nextMark()}`;
    const post = async (title: string, definition: JsonObject): Promise<number> =>
      (await this.#stage.done("POST", "agent-workflows", { name: title, definition }, this.#stage.who.editor)).id;
    const isOld = before !== "none";
    this.#child = await post(`${name} asks`, before === "child" ? SILENT : ASKING);
    const shape = this.#hasPolicy ? "line" : graph.shape;
    const first: Graph = { ...graph, shape, inChild: graph.inChild || before === "child" };
    this.#isSmallFree = shape === "small";
    if (isOld && this.#hasPolicy)
      await this.#stage.done("PUT", `graph-policies/${this.#stage.policy}`, { enabled: false });
    this.#workflow = await post(name, this.#define(first, before !== "workflow"));
    if (!isOld) return;
    const run: Run = {
      as: "operator",
      approves: true,
      isSmall: false,
      fails: { between: 0, pay: 0, guard: 0, after: 0 },
      begin: null,
    };
    await this.#execute(run);
    // That one was free. It is older than what is published next.
    this.#released.push(...this.#amounts);
    for (const old of this.#runs) old.isPlain = false;
    if (this.#hasPolicy) await this.#stage.done("PUT", `graph-policies/${this.#stage.policy}`, { enabled: true });
    if (before === "child")
      await this.#stage.done(
        "PUT",
        `agent-workflows/${this.#child}`,
        { definition: ASKING, version: 1 },
        this.#stage.who.editor,
      );
    else await this.#publish(first, true);
  }

  #define(graph: Graph, isReviewed: boolean): JsonObject {
    return define(graph, { src: this.#src, child: this.#child, isReviewed });
  }

  #amount(isSmall: boolean): number {
    const amount = this.#stage.nextMark() * (isSmall ? -1 : 1);
    this.#amounts.add(amount);
    return amount;
  }

  async act(action: Action): Promise<void> {
    switch (action.act) {
      case "execute":
        return this.#execute(action);
      case "draft":
        return this.#draft(action);
      case "publish":
        return this.#publish(action.graph, action.isReviewed);
      default:
        return this.#goOn(action);
    }
  }

  #input({ isSmall, fails }: Run): JsonObject {
    return { amount: this.#amount(isSmall), fails };
  }

  async #execute(run: Run): Promise<void> {
    const options = optionsOf(run);
    const body = { input: this.#input(run), ...(options === null ? {} : { options }) };
    const answer = await this.#stage.oven.call(
      "POST",
      `agent-workflows/${this.#workflow}/execute`,
      body,
      this.#stage.who[run.as],
    );
    await this.#follow(answer, run, this.#version, options === null);
  }

  async #draft({ isReviewed, ...run }: { isReviewed: boolean } & Run): Promise<void> {
    const path = `agent-workflows/${this.#workflow}/draft`;
    const { definition } = (await this.#stage.oven.call("GET", `agent-workflows/${this.#workflow}`)).body;
    const { status, body } = await this.#stage.oven.call("GET", path);
    const isSafe = isReviewed || !this.#hasPolicy;
    const unreviewed = this.#define({ inChild: false, hasBetween: false, isLenient: false, shape: "line" }, false);
    const draft = {
      definition: isSafe ? definition : unreviewed,
      baseVersion: this.#version,
      revision: status === 404 ? 0 : body.revision,
    };
    await this.#stage.done("PUT", path, draft, this.#stage.who.editor);
    const options = optionsOf(run);
    const answer = await this.#stage.oven.call(
      "POST",
      `${path}/execute`,
      { input: this.#input(run), ...options },
      this.#stage.who.editor,
    );
    await this.#follow(answer, run, -1, isSafe && options === null);
    if (!isSafe && options === null) expect(codeOf(answer)).toBe("POLICY_VIOLATED");
  }

  async #publish(graph: Graph, isReviewed: boolean): Promise<void> {
    // Without a policy the editor decides whether there is a review: here there is.
    const isSafe = isReviewed && graph.shape === "line";
    const definition = this.#define(graph, isReviewed || !this.#hasPolicy);
    const body = { definition, version: this.#version };
    const answer = await this.#stage.oven.call(
      "PUT",
      `agent-workflows/${this.#workflow}`,
      body,
      this.#stage.who.editor,
    );
    if (this.#hasPolicy && !isSafe) {
      expect([codeOf(answer), answer.body.error.details.problems[0].rule]).toEqual(["INVALID_DEFINITION", "policy"]);
      return;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    this.#version = answer.body.version;
    this.#isSmallFree ||= graph.shape === "small";
  }

  async #goOn(action: Extract<Action, { run: number }>): Promise<void> {
    const run = this.#runs[action.run % this.#runs.length];
    if (run === undefined) return;
    const path = `agent-workflow-executions/${run.id}`;
    if (action.act === "redrive") {
      const { body } = await this.#stage.oven.call(
        "POST",
        "agent-workflow-executions/redrive",
        { ids: [run.id] },
        this.#stage.who[action.as],
      );
      for (const { as } of body.retried)
        await this.#follow({ status: 202, body: { id: as } }, action, run.version, false);
      for (const { code } of body.refused) expect([...REFUSED, ...IMPOSSIBLE]).toContain(code);
      return;
    }
    const versions = { own: undefined, first: 1, current: "current", draft: "draft" } as const;
    const number = { own: run.version, first: 1, current: this.#version, draft: -1 }[action.version];
    if (action.act === "retry") {
      const body = { version: versions[action.version], nodeId: action.nodeId ?? undefined };
      const ask = () => this.#stage.oven.call("POST", `${path}/retry`, body, this.#stage.who[action.as]);
      const answers = await Promise.all(Array.from({ length: action.times }, ask));
      for (const answer of answers) await this.#follow(answer, action, number, false);
      return;
    }
    const { body: checkpoints } = await this.#stage.oven.call("GET", `${path}/checkpoints`);
    const at = action.at % checkpoints.length;
    const patch =
      action.patch === "none"
        ? []
        : [{ op: "replace", path: "/amount", value: this.#amount(action.patch === "small") }];
    const version = action.version === "draft" ? "current" : versions[action.version];
    const body = { checkpoint: checkpoints[at].seq, patch, version };
    const answer = await this.#stage.oven.call("POST", `${path}/fork`, body, this.#stage.who[action.as]);
    // From its beginning it is asked again.
    const isPlain = at === 0 && run.isPlain && number === run.version && number === this.#version;
    await this.#follow(answer, action, number, isPlain);
  }

  /** @param isPlain it passes over nothing, so it must be let in */
  async #follow(
    answer: Pick<TestAnswer, "status" | "body">,
    way: Way,
    version: number,
    isPlain: boolean,
  ): Promise<void> {
    const { status, body } = answer;
    const outcome = status === 202 ? "accepted" : String(body.error?.code);
    if (status !== 202) {
      if (isPlain || !(REFUSED.includes(outcome) || IMPOSSIBLE.includes(outcome)))
        throw new Error(JSON.stringify(body));
      return;
    }
    this.#runs.push({ id: body.id, version, isPlain });
    const path = `agent-workflow-executions/${body.id}`;
    const look = async () => {
      const now = (await this.#stage.oven.call("GET", path)).body.status;
      if (now === "paused") await this.#decide(way.approves);
      return now;
    };
    await expect.poll(look, { interval: 15 }).toMatch(/^(completed|failed)$/);
  }

  async #decide(approves: boolean): Promise<void> {
    const open = encodeURIComponent(JSON.stringify({ status: "open" }));
    for (const { id, proposal } of (await this.#stage.oven.call("GET", `reviews?filter=${open}`)).body) {
      const decision = approves ? { action: "approve" } : { action: "reject", reason: "No." };
      await this.#stage.done("POST", `reviews/${id}/decide`, decision, this.#stage.reviewer);
      if (approves) this.#released.push(proposal.amount);
    }
  }

  /** Payments of this case that have no release of their own. */
  unreleased(): number[] {
    const left = [...this.#released];
    return paid.filter((amount) => {
      if (!this.#amounts.has(amount) || (amount < 0 && this.#isSmallFree)) return false;
      const position = left.indexOf(amount);
      if (position >= 0) left.splice(position, 1);
      return position < 0;
    });
  }
}
