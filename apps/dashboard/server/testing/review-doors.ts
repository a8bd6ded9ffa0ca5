import { randomUUID } from "node:crypto";
import type { Client as McpClient } from "@modelcontextprotocol/client";
import type { JsonObject } from "@oven/contract";
import type { McpEnvelope } from "@oven/contract/mcp";
import type { SlackMessage } from "@oven/module-notifications/testing/slack";
import type { TeamsMessage } from "@oven/module-notifications/testing/teams";
import type { ReceivedMail, TestAnswer } from "@oven/testing";
import { expect, vi } from "vitest";
import { getTask, send, stateOf } from "./a2a-client.ts";
import { type ReviewStage, SLACK_USER, SLUG, TEAMS_USER } from "./review-stage.ts";

/** A run that waits for its review, and by what the door that started it knows it. */
export interface Waiting {
  run: number;
  review: number;
  digest: string;
  task?: string;
  chat?: number;
  response?: string;
  slack: SlackMessage | undefined;
  teams: TeamsMessage | undefined;
  mail: ReceivedMail | undefined;
}

export type Handles = Pick<Waiting, "run" | "task" | "chat" | "response">;

export interface Answer {
  action: "approve" | "reject";
  reason?: string;
}

export interface Door {
  name: string;
  /** @returns once the run waits */
  start?(stage: ReviewStage): Promise<Handles>;
  /** What it shows of the review or of its run; undefined where it has no view of this one. */
  shows?(stage: ReviewStage, waiting: Waiting): Promise<"open" | "decided" | undefined>;
  /** By another person than the one who started the run. Undefined: it was taken; else what is said instead. */
  answer?(stage: ReviewStage, waiting: Waiting, answer: Answer): Promise<string | undefined>;
  /** What a second answer is refused with. */
  refusal?: RegExp;
  /** Whose runs it can answer. */
  onlyOwn?: true;
}

const QUESTION = "Is it fine?";
const MODEL = `agent-workflow:${SLUG}`;

const said = ({ status, body }: TestAnswer): string | undefined =>
  status < 300 ? undefined : `${status} ${body.error.code}`;

const idOf = ({ status, body }: TestAnswer): number => {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return Number(body.id ?? body.executionId);
};

/** The run that a trigger or a chat has started, once it waits. */
async function paused({ starter }: ReviewStage, find: () => Promise<number | undefined>): Promise<number> {
  const often = { interval: 10, timeout: 20_000 };
  const run = (await vi.waitUntil(find, often)) ?? 0;
  const isPaused = async () => (await starter.rest("GET", `agent-workflow-executions/${run}`)).body.status === "paused";
  await vi.waitUntil(isPaused, often);
  return run;
}

const ended = (status: string | undefined) => (status === "paused" ? "open" : "decided");

const rest: Door = {
  name: "REST",
  start: async ({ starter }) => ({
    run: idOf(await starter.rest("POST", `agent-workflows/${SLUG}/execute?wait=20`, { input: { question: QUESTION } })),
  }),
  shows: async ({ decider }, { review }) => {
    const { status, body } = await decider.rest("GET", `reviews/${review}`);
    expect(status).toBe(200);
    return body.status;
  },
  answer: async ({ decider }, { review, digest }, answer) =>
    said(await decider.rest("POST", `reviews/${review}/decide`, { ...answer, digest })),
  refusal: /^409 REVIEW_DECIDED$/,
};

/** The list of what is open for a person, and several decided at once. */
const inbox: Door = {
  name: "inbox",
  shows: async ({ decider }, { review }) => {
    const filter = encodeURIComponent(JSON.stringify({ status: "open", mine: true }));
    const { body } = await decider.rest("GET", `reviews?filter=${filter}&range=[0,999]`);
    return (body as { id: number }[]).some(({ id }) => id === review) ? "open" : "decided"; // cast: the list's shape
  },
  answer: async ({ decider }, { review, digest }, answer) => {
    const { status, body } = await decider.rest("POST", "reviews/decide", { ids: [review], digest, ...answer });
    if (status >= 300) return `${status} ${body.error.code}`;
    const [{ error }] = body;
    return error == null ? undefined : `${status} ${error.code}`;
  },
  refusal: /^200 REVIEW_DECIDED$/,
};

const typescript: Door = {
  name: "TypeScript client",
  start: async ({ starter }) => ({
    run: (await starter.typescript.agentWorkflows.run(SLUG, { question: QUESTION })).id,
  }),
  shows: async ({ decider }, { run, review }) => {
    const open = await decider.typescript.reviews.open({ run });
    const { status } = await decider.typescript.reviews.get(review);
    expect(open.length).toBe(status === "open" ? 1 : 0);
    return ended(status === "open" ? "paused" : status);
  },
  answer: async ({ decider }, { review, digest }, answer) =>
    decider.typescript.reviews.decide({ id: review, digest }, answer).then(
      () => undefined,
      (error) => `${error.status} ${error.code}`,
    ),
  refusal: /^409 REVIEW_DECIDED$/,
};

interface ToolAnswer {
  structured: JsonObject;
  refusal: string | undefined;
}

async function callTool(client: McpClient, name: string, given: object): Promise<ToolAnswer> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
  const [text] = content as { text: string }[]; // cast: our tools answer text
  return {
    structured: structuredContent as JsonObject, // cast: the output schema of the tools
    refusal: isError === true ? text?.text : undefined,
  };
}

const platformMcp: Door = {
  name: "MCP server of the installation",
  start: async (stage) => {
    const given = { workflow_id: SLUG, input: { question: QUESTION } };
    const { structured } = await callTool(await stage.starter.oven(), "execute_agent_workflow", given);
    return { run: await paused(stage, async () => Number(structured.run_id)) };
  },
  shows: async ({ decider }, { run, review }) => {
    const { structured } = await callTool(await decider.oven(), "get_review", { review_id: review });
    const list = await callTool(await decider.oven(), "list_reviews", { run_id: run });
    expect(list.structured.reviews).toHaveLength(structured.status === "open" ? 1 : 0);
    return structured.status as "open" | "decided"; // cast: the tool's output
  },
  answer: async ({ decider }, { review, digest }, answer) =>
    (await callTool(await decider.oven(), "answer_review", { review_id: review, digest, ...answer })).refusal,
  refusal: /REVIEW_DECIDED/,
};

const workflowMcp: Door = {
  name: "MCP server of the workflow",
  start: async ({ starter }) => {
    const { structured } = await callTool(await starter.workflow(), SLUG, { question: QUESTION });
    return { run: (structured as unknown as McpEnvelope).run.id }; // cast: the output schema of the tool
  },
  shows: async ({ starter }, { run }) => {
    const { structured } = await callTool(await starter.workflow(), "get_run", { id: run });
    const { status, pending } = structured as unknown as McpEnvelope; // cast: the output schema of the tool
    expect(pending === undefined).toBe(status !== "paused");
    return ended(status);
  },
  answer: async ({ decider }, { review, digest }, answer) =>
    (await callTool(await decider.workflow(), "answer_review", { reviewId: review, digest, ...answer })).refusal,
  refusal: /REVIEW_DECIDED/,
};

const a2a: Door = {
  name: "A2A",
  onlyOwn: true,
  start: async ({ starter }) => {
    const { id, metadata } = await send(await starter.a2a(), QUESTION);
    return { run: Number((metadata?.["oven/run"] as JsonObject | undefined)?.id), task: id }; // cast: what the task says of its run
  },
  shows: async ({ decider }, { task }) => {
    if (task === undefined) return undefined;
    const state = stateOf(await getTask(await decider.a2a(), task));
    expect(state).toMatch(/^(input_required|completed|rejected)$/);
    return state === "input_required" ? "open" : "decided";
  },
  answer: async ({ decider }, { task = "", review, digest }, answer) =>
    send(await decider.a2a(), { ...answer, reviewId: review, digest }, { taskId: task }).then(
      () => undefined,
      (error: Error) => error.message,
    ),
  refusal: /REVIEW_DECIDED: This review was decided: \w+ already/,
};

const chat: Door = {
  name: "chat",
  start: async (stage) => {
    const { rest: call } = stage.starter;
    const { body: session } = await call("POST", "chat-sessions", { target: { kind: "agent-workflow", id: SLUG } });
    const message = await call("POST", `chat-sessions/${session.id}/messages`, { message: QUESTION });
    return { chat: session.id, run: await paused(stage, async () => message.body.executionId ?? undefined) };
  },
  shows: async ({ starter }, { chat: session }) => {
    if (session === undefined) return undefined;
    const { body } = await starter.rest("GET", `chat-sessions/${session}/messages`);
    const [{ status, answer }] = body;
    expect(status === "paused" ? null : answer).toBe(status === "completed" ? "approve" : null);
    return ended(status);
  },
};

/** It starts and shows runs, and says where they are decided. */
const completions: Door = {
  name: "OpenAI's chat completions",
  start: async ({ starter }) => {
    const messages = [{ role: "user" as const, content: QUESTION }];
    const completion = await starter.openai.chat.completions.create({ model: MODEL, messages });
    expect(completion.choices[0]?.message.content).toContain("/reviews/");
    return { run: Number(metadataOf(completion).oven_run_id) };
  },
  shows: async ({ starter }, { run }) => {
    const messages = [{ role: "user" as const, content: "approve" }];
    const metadata = { oven_run_id: String(run) };
    const completion = await starter.openai.chat.completions.create({ model: MODEL, messages, metadata });
    const { status, oven_review_id } = metadataOf(completion);
    expect(oven_review_id === undefined).toBe(status !== "paused");
    return ended(status);
  },
};

const metadataOf = (completion: object): Record<string, string> =>
  (completion as { metadata: Record<string, string> }).metadata; // cast: OVEN's own field

const responses: Door = {
  name: "OpenAI's responses",
  start: async ({ starter }) => {
    const response = await starter.openai.responses.create({ model: MODEL, input: QUESTION });
    expect(response.status).toBe("incomplete");
    return { run: Number(response.metadata?.oven_run_id), response: response.id };
  },
  shows: async ({ starter }, { response, run }) => {
    const { status } = await starter.openai.responses.retrieve(response ?? `resp_${run}`);
    return status === "incomplete" ? "open" : "decided";
  },
};

const startedBy = (trigger: "form" | "webhook", fire: (stage: ReviewStage) => Promise<TestAnswer>): Door => ({
  name: trigger,
  start: async (stage) => {
    const last = async (): Promise<number> => (await newest(stage))?.id ?? 0;
    const before = await last();
    expect((await fire(stage)).status).toBeLessThan(300);
    return {
      run: await paused(stage, async () => {
        const now = await last();
        return now > before ? now : undefined;
      }),
    };
  },
});

async function newest({ starter }: ReviewStage): Promise<{ id: number } | undefined> {
  return (await starter.rest("GET", 'agent-workflow-executions?sort=["id","DESC"]&range=[0,0]')).body[0];
}

const form = startedBy("form", ({ endpoint, triggers }) => {
  const body = { submission: randomUUID(), values: { question: QUESTION } };
  return endpoint.oven.call("POST", `forms/${triggers.form}`, body, { key: null });
});
const webhook = startedBy("webhook", ({ endpoint, triggers }) =>
  endpoint.oven.call("POST", `hooks/${triggers.webhook}`, { question: QUESTION }, { key: null }),
);

const slack: Door = {
  name: "Slack",
  shows: async ({ slack: server }, { slack: message }) =>
    server.buttons(message).some(({ action_id }) => action_id === "oven-approve") ? "open" : "decided",
  answer: async ({ slack: server }, { slack: message }, { action, reason = "" }) => {
    server.whispers.length = 0;
    await server.press(server.path, SLACK_USER, message, `oven-${action}`);
    if (action === "reject" && server.whispers.length === 0) {
      // The window stays open where the reason was not taken, and says why.
      const stays = await (await server.submit(server.path, SLACK_USER, reason)).text();
      if (stays !== "") return stays;
    }
    return server.whispers[0]?.text;
  },
  refusal: /This review was decided: \w+ already/,
};

const teams: Door = {
  name: "Teams",
  shows: async ({ teams: server }, { teams: message }) =>
    server.buttons(message?.card).some(({ verb }) => verb === "oven-approve") ? "open" : "decided",
  answer: async ({ teams: server }, { teams: message }, { action, reason }) => {
    const more = reason === undefined ? {} : { reason };
    const { body } = await server.press(server.path, TEAMS_USER, message?.card, `oven-${action}`, more);
    const text = JSON.stringify(body);
    return /already/.test(text) ? text : undefined;
  },
  refusal: /This review was decided: \w+ already/,
};

/** A mail that was sent does not change: a question by reply is answered by how the review stands. */
const mail: Door = {
  name: "mail",
  shows: async (stage, waiting) => {
    const answer = await replyTo(stage, waiting, "How does it stand?");
    if (answer.includes("Reply to this mail with the one word")) return "open";
    expect(answer).toMatch(/This review is not open any more|A reply to that mail was taken already/);
    return "decided";
  },
  answer: async (stage, waiting, { action, reason }) => {
    const answer = await replyTo(stage, waiting, reason === undefined ? action : `${action}: ${reason}`);
    return /^(Approved|Rejected)\./.test(answer) ? undefined : answer;
  },
  refusal: /This review was decided: \w+ already|A reply to that mail was taken already/,
};

function replyTo({ mail: person }: ReviewStage, { mail: received }: Waiting, text: string): Promise<string> {
  if (received === undefined) throw new Error("no mail came");
  return person.reply(received, text);
}

/** There is one of what has ended only. */
const receipt: Door = {
  name: "receipt",
  shows: async ({ decider }, { run }) => {
    const { status, body } = await decider.rest("GET", `agent-workflow-executions/${run}/receipt`);
    if (status === 409) return "open";
    expect(status, JSON.stringify(body)).toBe(200);
    return body.receipt.decisions.count === 1 ? "decided" : "open";
  },
};

export const DOORS: readonly Door[] = [
  rest,
  inbox,
  typescript,
  platformMcp,
  workflowMcp,
  a2a,
  chat,
  completions,
  responses,
  form,
  webhook,
  slack,
  teams,
  mail,
  receipt,
];
