import { type ResourceLink, SdkError, type ServerContext } from "@modelcontextprotocol/server";
import { type Actor, isGranted, isOvenError, type JsonObject, notFound, type Principal, toActor } from "@oven/contract";
import { type McpEnvelope, type McpPending, type McpRunView, toPending } from "@oven/contract/mcp";
import type { Review } from "@oven/contract/review";
import { type ExecutionSummary, executionPath, isTerminal, type RunEvent } from "@oven/contract/run";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type { z } from "zod";
import type { RunService } from "../executions/run-service.ts";
import type { ReviewService } from "../reviews/review-service.ts";
import { blobsIn } from "./blobs-in.ts";
import { toEnvelope } from "./envelope.ts";
import { findOwnReview, type OwnReview } from "./own-reviews.ts";
import { toReviewView } from "./review-view.ts";
import { stepLabels } from "./step-labels.ts";
import {
  AnswerReviewSchema,
  CancelRunSchema,
  GetRunSchema,
  GetRunViewSchema,
  ListRunsSchema,
  type RunListSchema,
} from "./tool-definitions.ts";

export interface RunMcpDeps {
  runs: RunService;
  reviews: ReviewService;
  /** The settings say how long runs stay, and who decides. */
  services: Pick<ServiceMap, "config">;
  publicUrl: string;
  /** Signs what clients hand back with an answer; the same in every process. */
  signingKey: Uint8Array;
  /** Whether the client began this run, however it is recorded. Absent: the run names it. */
  isOwn?(executionId: number): Promise<boolean>;
  /** The workflow whose runs `list_runs` lists. */
  workflowId?: number;
  /**
   * Whether the client has ended the request that the server was made for: it cancelled it, or closed the connection that the answer would
   * have come on. Absent: the server is a session's, whose client says with a message which request it cancels.
   */
  isEnded?(): boolean;
  /** Where the server has what runs have made, as resources. Absent: it has none. */
  artefactUri?(blobId: number): string;
}

/** A run at one moment. */
export interface SeenRun {
  summary: ExecutionSummary;
  /** What its steps are called. */
  labelOf: (nodeId: string) => string;
  /** The open ones, of the run and of those inside it. */
  reviews: Review[];
  envelope: McpEnvelope;
  /** Each open review of the run and of those inside it, as clients are shown it. */
  pending: { mayDecide: boolean; shown: McpPending }[];
  /** When its log had its newest entry; undefined once its details have been removed. */
  changedAt: string | undefined;
  /** What a client that follows the call would have heard last. */
  progress: string | undefined;
}

/** The field in which a request of revision 2026-07-28 asks for log notifications, from a level on. */
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
/** Clients give up after 60 s; a run that takes longer, or waits for a person, answers with its handle. */
const WAIT_MS = 20_000;
const CANCEL_WAIT_MS = 10_000;

/** What one client may do with runs: follow them to their end or their next pause, list, decide and cancel them. */
export class RunCalls {
  readonly #principal: Principal;
  readonly #deps: RunMcpDeps;
  readonly #begun = new WeakMap<ServerContext["mcpReq"], number>();
  readonly #reported = new WeakMap<ServerContext["mcpReq"], number>();

  constructor(principal: Principal, deps: RunMcpDeps) {
    this.#principal = principal;
    this.#deps = deps;
  }

  async get(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    const { id, wait } = GetRunSchema.parse(input);
    await this.requireOwn(id, "executions.read");
    return this.follow(id, context, wait * 1_000);
  }

  async list(input: JsonObject): Promise<z.output<typeof RunListSchema>> {
    const { status, limit } = ListRunsSchema.parse(input);
    const { runs, publicUrl, workflowId } = this.#deps;
    const newest = await runs.reader.newest(this.#principal, {
      workflowId: workflowId ?? 0,
      limit,
      startedBy: toActor(this.#principal),
      ...(status === undefined ? {} : { status }),
    });
    return {
      runs: newest.map(({ id, kind, status: is, outcome, error, startedAt, completedAt }) => ({
        id,
        status: is,
        ...(outcome === null ? {} : { outcome }),
        ...(error === null ? {} : { error }),
        startedAt,
        completedAt,
        url: `${publicUrl}${executionPath(kind, id)}/show`,
      })),
    };
  }

  /** Set when the client would decide what it has asked for itself. @throws OvenError FORBIDDEN 403, NOT_FOUND */
  async ownReview(input: JsonObject): Promise<OwnReview | undefined> {
    requirePermission(this.#principal, "reviews.decide");
    return findOwnReview(this.#deps, this.#principal, AnswerReviewSchema.parse(input).reviewId);
  }

  async answerReview(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    return this.follow(await this.decide(input), context);
  }

  /**
   * A caller that lets a client decide by itself asks for `ownReview` before.
   * @returns the run that the review is of
   * @throws OvenError those of `ReviewService.decide`
   */
  async decide(input: JsonObject): Promise<number> {
    requirePermission(this.#principal, "reviews.decide");
    const { reviewId, ...decision } = AnswerReviewSchema.parse(input);
    const { data, reason, ...rest } = decision;
    const decided = await this.#deps.reviews.decide(this.#principal, reviewId, {
      ...rest,
      ...(data === undefined ? {} : { data }),
      ...(reason === undefined ? {} : { reason }),
    });
    return decided.executionId;
  }

  /** The run as it is now, and what is open in it. @throws OvenError NOT_FOUND */
  async see(id: number): Promise<SeenRun> {
    const { runs, reviews, publicUrl } = this.#deps;
    const { summary, signalled } = await runs.reader.pulse(this.#principal, id);
    // With a decision on its way, the run goes on.
    const isOpen = !isTerminal(summary.status) && !(summary.status === "paused" && signalled);
    const open = isOpen ? await reviews.open(this.#principal, id) : [];
    const newest = await runs.newestEvents(id);
    const labelOf = stepLabels(await runs.pinnedDefinition(this.#principal, id));
    return {
      summary,
      labelOf,
      reviews: open,
      envelope: toEnvelope(summary, open, publicUrl),
      pending: open.map((review) => ({ mayDecide: review.mayDecide, shown: toPending(review, publicUrl) })),
      changedAt: newest[0]?.at,
      progress: newest.map((event) => toProgress(event, labelOf)).find((message) => message !== undefined),
    };
  }

  async cancel(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    const { id, reason } = CancelRunSchema.parse(input);
    await this.requireOwn(id, "executions.cancel");
    await this.#deps.runs.cancel(this.#principal, id, reason ?? null, context.mcpReq.signal);
    return this.#envelope(id);
  }

  /** The run with its steps and open reviews, for those who watch it. @throws OvenError NOT_FOUND */
  async view(input: JsonObject): Promise<McpRunView> {
    const { id } = GetRunViewSchema.parse(input);
    await this.requireOwn(id, "executions.read");
    const { summary, labelOf, reviews, envelope } = await this.see(id);
    const { publicUrl, runs } = this.#deps;
    const steps = await runs.steps(summary);
    return {
      envelope,
      workflow: summary.workflowName,
      steps: steps.map((step) => ({ ...step, label: labelOf(step.nodeId) })),
      reviews: reviews.map((review) => toReviewView(review, publicUrl)),
    };
  }

  /** This request has begun the run, or goes on with one that an earlier request of its client began. */
  began({ mcpReq }: ServerContext, id: number): void {
    this.#begun.set(mcpReq, id);
  }

  /**
   * Cancels the run of a request that its client has ended, where the workflow says so; else where nothing else waits for the run: it is
   * not watched, and no person is asked.
   */
  async endAbandoned({ mcpReq }: ServerContext): Promise<void> {
    const id = this.#begun.get(mcpReq);
    if (id === undefined || !this.#isEnded(mcpReq.signal)) return;
    const { runs } = this.#deps;
    const { mcp } = await runs.pinnedDefinition(this.#principal, id);
    const { status } = await runs.reader.summary(this.#principal, id);
    const isAlone = status !== "paused" && !runs.isWatched(id);
    if (isTerminal(status) || !(mcp?.cancelOnAbort ?? isAlone)) return;
    try {
      // The client is gone: its signal is not waited with.
      await runs.cancel(this.#principal, id, "Its MCP client ended the call", AbortSignal.timeout(CANCEL_WAIT_MS));
    } catch (error) {
      if (!isOvenError(error) || error.code !== "ALREADY_ENDED") throw error;
    }
  }

  #isEnded(signal: AbortSignal): boolean {
    const { isEnded } = this.#deps;
    if (isEnded !== undefined) return isEnded();
    // Sessions that end abort their requests as well, with an error of the SDK.
    return signal.aborted && !SdkError.isInstance(signal.reason);
  }

  /** A client sees the runs it started, and others only with the permission. @throws OvenError NOT_FOUND */
  async requireOwn(id: number, permission: string): Promise<void> {
    const { triggeredBy } = await this.#deps.runs.reader.row(this.#principal, id);
    if (isGranted(this.#principal.permissions, permission)) return;
    const isOwn = (await this.#deps.isOwn?.(id)) ?? isSameActor(triggeredBy, toActor(this.#principal));
    if (!isOwn) throw notFound("execution", id);
  }

  /** What the output refers to, for clients that read it as resources. */
  linksIn({ output }: McpEnvelope): ResourceLink[] {
    const { artefactUri } = this.#deps;
    if (artefactUri === undefined || output === undefined) return [];
    return blobsIn(output).map(({ $blob, mediaType, bytes, summary }) => ({
      type: "resource_link",
      uri: artefactUri($blob),
      name: `artefact-${$blob}`,
      mimeType: mediaType,
      size: bytes,
      ...(summary === "" ? {} : { description: summary }),
    }));
  }

  /**
   * Waits for the end or a pause, telling the client of each step, and of failures in its log, if it wants either; then answers
   * whatever there is. Within one request no step is reported twice, and `progress` counts the steps of the run's log.
   */
  async follow(id: number, { mcpReq }: ServerContext, milliseconds = WAIT_MS): Promise<McpEnvelope> {
    const token = mcpReq._meta?.progressToken;
    const isLogged = (mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL] !== undefined; // cast: the SDK's type leaves its keys out
    const { signal } = mcpReq;
    if (token === undefined && !isLogged)
      return this.#toEnvelope((await this.#deps.runs.outcome(this.#principal, id, milliseconds, signal)).run);
    const labelOf = stepLabels(await this.#deps.runs.pinnedDefinition(this.#principal, id));
    let progress = 0;
    const onEvents = async (events: readonly RunEvent[]) => {
      for (const event of events) {
        const message = toProgress(event, labelOf);
        if (message !== undefined) progress++;
        if (event.seq <= this.reportedSeq(mcpReq) || signal.aborted) continue;
        if (event.event === "node.failed")
          await mcpReq.log("warning", { run: id, step: event.nodeId ?? null, message: "failed" }, "run");
        if (token !== undefined && message !== undefined)
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: token, progress, message },
          });
        this.resume(mcpReq, event.seq);
      }
    };
    await this.#deps.runs.follow(this.#principal, id, { milliseconds, signal, onEvents });
    return this.#envelope(id);
  }

  /** The place in the run's log up to which a request has heard of it. */
  reportedSeq(request: ServerContext["mcpReq"]): number {
    return this.#reported.get(request) ?? 0;
  }

  /** A request that goes on where an earlier one, which asked, has stopped. */
  resume(request: ServerContext["mcpReq"], seq: number): void {
    this.#reported.set(request, seq);
  }

  async #envelope(id: number): Promise<McpEnvelope> {
    return this.#toEnvelope(await this.#deps.runs.reader.summary(this.#principal, id));
  }

  /** A run that has ended has no open reviews. */
  async #toEnvelope(run: ExecutionSummary): Promise<McpEnvelope> {
    const open = isTerminal(run.status) ? [] : await this.#deps.reviews.open(this.#principal, run.id);
    return toEnvelope(run, open, this.#deps.publicUrl);
  }
}

function toProgress(
  { event, nodeId }: Pick<RunEvent, "event"> & { nodeId?: unknown },
  labelOf: (nodeId: string) => string,
): string | undefined {
  if (typeof nodeId !== "string") return undefined;
  if (event === "node.started") return `${labelOf(nodeId)} started`;
  if (event === "node.completed") return `${labelOf(nodeId)} completed`;
  return event === "node.paused" ? `${labelOf(nodeId)} waits for a person` : undefined;
}

function isSameActor(one: Actor, other: Actor): boolean {
  return one.kind === other.kind && one.id === other.id;
}
