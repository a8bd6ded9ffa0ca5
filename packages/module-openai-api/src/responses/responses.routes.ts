import { notFound, type Principal } from "@oven/contract";
import type { ChatTarget } from "@oven/contract/agent";
import { defineRoute, ok, type Route, readIdempotencyKey } from "@oven/module-registry";
import { z } from "zod";
import { answerCalls, ask, findRun } from "../answers/ask.ts";
import { RunAnswer } from "../answers/run-answer.ts";
import { openAiErrors } from "../errors/openai-errors.ts";
import { toModelId } from "../models/model-service.ts";
import type { OpenAiApi } from "../openai-api.ts";
import { handleOf, parametersOf } from "../requests/oven-fields.ts";
import { readTools } from "../requests/read-tools.ts";
import { refuseUnsupported } from "../requests/refuse-unsupported.ts";
import { toSaid } from "../requests/to-said.ts";
import { readInput, readResults } from "./read-input.ts";
import { parseMessageId, parseResponseId } from "./response-ids.ts";
import { type NewResponse, NewResponseSchema, ResponseSchema } from "./response-shapes.ts";
import { streamResponse } from "./stream-response.ts";
import { toResponse } from "./to-response.ts";

const shared = { operation: false, access: "session", keepsToWorkflows: true, errors: openAiErrors } as const;

export function responseRoutes(api: () => OpenAiApi): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "POST",
      path: "v1/responses",
      summary: "Ask an agent or a workflow, in the shape of OpenAI's responses",
      description:
        "Every request is a run. `previous_response_id` goes on with that conversation, and answers the outcome of a run that waited for a person. `stream` answers typed events.",
      effect: "at-least-once",
      body: NewResponseSchema,
      response: ResponseSchema,
      handler: async ({ principal, body, request, signal }) => {
        refuseUnsupported(body);
        const { models } = api();
        const model = await models.find(principal, body.model, parametersOf(body));
        const running = await begin(api(), { principal, body, model, key: readIdempotencyKey(request) });
        const asked = {
          model: body.model,
          instructions: body.instructions ?? null,
          previousResponseId: body.previous_response_id ?? null,
        };
        if (body.stream === true) return streamResponse(asked, running, signal);
        return ok(toResponse(asked, running, await running.wait(signal)));
      },
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: "v1/responses/[response]",
      summary: "What has become of the run of a response",
      effect: "pure",
      params: z.object({ response: z.string().min(1).max(100) }),
      response: ResponseSchema,
      handler: async ({ principal, params }) => {
        const { asks } = api();
        const run = await asks.find(principal, parseResponseId(params.response).runId);
        const running = await RunAnswer.newest(asks, principal, run);
        const asked = { model: toModelId(run.target), instructions: null, previousResponseId: null };
        return ok(toResponse(asked, running, await running.now()));
      },
    }),
  ];
}

interface Request {
  principal: Principal;
  body: NewResponse;
  model: ChatTarget;
  key: string | null;
}

/** The run that answers: one that was asked before and has more to say, or a new one. */
async function begin({ asks }: OpenAiApi, { principal, body, model, key }: Request): Promise<RunAnswer> {
  const handle = handleOf(body);
  if (handle !== undefined) return RunAnswer.newest(asks, principal, await findRun(asks, principal, model, handle));
  const answered = readResults(body);
  if (answered !== undefined) return answerCalls(asks, principal, model, answered);
  const previous = body.previous_response_id == null ? undefined : parseResponseId(body.previous_response_id);
  const run = previous && (await findRun(asks, principal, model, previous.runId));
  if (previous !== undefined && run !== undefined) {
    const known = new RunAnswer(asks, principal, run, previous.stretch);
    if (!(await known.isLast())) return RunAnswer.newest(asks, principal, run);
  }
  const entries = await readInput(body, async (id) => {
    // Of a call that a run here has asked for: it is in that run's conversation.
    if (id.startsWith("fc_")) return "";
    const name = parseMessageId(id);
    if (name === undefined) throw notFound("message", id);
    const earlier = await findRun(asks, principal, model, name.runId);
    return (await new RunAnswer(asks, principal, earlier, name.stretch).now()).text;
  });
  const said = toSaid(entries, "$.input");
  const before = run === undefined ? undefined : await asks.after(principal, run);
  return ask(asks, principal, model, {
    said: [...(before?.said ?? []), ...said],
    sessionId: before?.sessionId,
    parameters: parametersOf(body),
    callerTools: readTools(body),
    key,
  });
}
