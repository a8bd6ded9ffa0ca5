import { type Json, type JsonObject, JsonObjectSchema, OvenError } from "@oven/contract";
import { type ToolAnswer, ToolInputNeeded } from "@oven/module-registry";
import type { ToolCallAnswer } from "../client/server-session.ts";
import type { QuestionState } from "./open-questions.ts";

/** A server that keeps asking gets nothing done. */
const MOST_ROUNDS = 20;
const MOST_MESSAGE = 4_000;

/** What a call needs from earlier rounds. */
export interface CallAnswers {
  inputResponses?: JsonObject;
  requestState?: string;
  legacyAnswers?: Record<string, JsonObject>;
}

interface Asked {
  key: string;
  params: JsonObject;
}

/** The state with a person's answer to its open question, as the server is told it. */
export function withAnswer(open: QuestionState, answer: ToolAnswer): QuestionState {
  if (open.taken.includes(answer.id)) return open;
  const state = { ...open, taken: [...open.taken, answer.id] };
  const response = toResponse(answer);
  if (state.legacyKey !== undefined) {
    const { legacyKey, requests: _asked, ...rest } = state;
    return { ...rest, legacyAnswers: { ...rest.legacyAnswers, [legacyKey]: response } };
  }
  const [next] = questionsOf(state.requests ?? {});
  if (next === undefined) return state;
  const { [next.key]: _answered, ...requests } = state.requests ?? {};
  return { ...state, requests, responses: { ...state.responses, [next.key]: response } };
}

/** Undefined: a person has more to answer before the server is asked again. */
export function toCallAnswers({
  requests,
  responses,
  requestState,
  legacyAnswers,
}: QuestionState): CallAnswers | undefined {
  if (Object.keys(requests ?? {}).length > 0) return undefined;
  return {
    ...(responses === undefined ? {} : { inputResponses: responses }),
    ...(requestState === undefined ? {} : { requestState }),
    ...(legacyAnswers === undefined ? {} : { legacyAnswers }),
  };
}

/**
 * What has to be kept of a server's question.
 * @throws OvenError MCP_TOOL_FAILED for what OVEN does not give: its models, files
 */
export function toState(
  id: string,
  answer: Exclude<ToolCallAnswer, { type: "result" }>,
  before: QuestionState | undefined,
): QuestionState {
  const round = (before?.round ?? 0) + 1;
  const taken = before?.taken ?? [];
  if (round > MOST_ROUNDS) throw failed(id, `the server asked more than ${MOST_ROUNDS} times`);
  if (answer.type === "legacy-question")
    return {
      round,
      taken,
      legacyAnswers: before?.legacyAnswers ?? {},
      legacyKey: answer.key,
      requests: { [answer.key]: { params: answer.params } },
    };
  for (const request of Object.values(answer.requests)) {
    const { method } = JsonObjectSchema.parse(request);
    if (method === "sampling/createMessage")
      throw failed(id, "the server wanted to use OVEN's models, which are not lent");
    if (method === "roots/list") throw failed(id, "the server wanted to see files, and OVEN shows none");
    if (method !== "elicitation/create")
      throw failed(id, `the server asked for ${String(method)}, which OVEN does not answer`);
  }
  const { requests, requestState } = answer;
  return { round, taken, requests, ...(requestState === undefined ? {} : { requestState }) };
}

/** The open question as a form for a person. */
export function toForm(id: string, server: string, state: QuestionState): ToolInputNeeded {
  const [asked] = questionsOf(state.requests ?? {});
  const { message = "", requestedSchema, url, mode } = asked?.params ?? {};
  const text = String(message).slice(0, MOST_MESSAGE);
  const about: JsonObject = {
    tool: id,
    server,
    question: text,
    note: "The words are the server's. What you send goes to it.",
  };
  if (mode === "url" || url !== undefined) {
    const link = URL.parse(String(url));
    if (link === null || (link.protocol !== "https:" && link.protocol !== "http:"))
      throw failed(id, "the server asked to open something that is no web page");
    return new ToolInputNeeded({
      title: `${server} asks you to open a page at ${link.origin}`,
      schema: { type: "object", properties: {} },
      about: {
        ...about,
        link: link.href,
        origin: link.origin,
        note: "Open the page only if you know its origin. Send when you are done there.",
      },
    });
  }
  const schema = JsonObjectSchema.safeParse(requestedSchema);
  return new ToolInputNeeded({
    title: `${server} asks: ${text.slice(0, 120)}`,
    schema: schema.success ? schema.data : { type: "object", properties: {} },
    about,
  });
}

function questionsOf(requests: JsonObject): Asked[] {
  return Object.entries(requests).map(([key, request]) => {
    const { params } = JsonObjectSchema.parse(request);
    return { key, params: JsonObjectSchema.parse(params ?? {}) };
  });
}

function toResponse({ action, data }: ToolAnswer): JsonObject {
  if (action === "decline") return { action: "decline" };
  const content: Json = typeof data === "object" && data !== null ? data : {};
  return { action: "accept", content };
}

function failed(id: string, why: string): OvenError {
  return new OvenError("MCP_TOOL_FAILED", `${id} cannot be used: ${why}`, { status: 502, fix: "Go on without it" });
}
