import { defineRoute, ok, type Route, readIdempotencyKey } from "@oven/module-registry";
import { answerCalls, ask, findRun } from "../answers/ask.ts";
import { RunAnswer } from "../answers/run-answer.ts";
import { openAiErrors, retryHeader } from "../errors/openai-errors.ts";
import { runError } from "../errors/run-error.ts";
import type { OpenAiApi } from "../openai-api.ts";
import { handleOf, parametersOf } from "../requests/oven-fields.ts";
import { readTools } from "../requests/read-tools.ts";
import { refuseUnsupported } from "../requests/refuse-unsupported.ts";
import { streamCompletion, toCompletion } from "./completion.ts";
import { CompletionSchema, NewCompletionSchema } from "./completion-shapes.ts";
import { readMessages, readResults } from "./read-messages.ts";

export function completionRoutes(api: () => OpenAiApi): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "v1/chat/completions",
      operation: false,
      summary: "Ask an agent or a workflow, in the shape of OpenAI's chat completions",
      description:
        "Every request is a run; the conversation comes with it. `stream` answers chunks. A run that waits for a person is answered with words about it, and its outcome by the same request with `metadata.oven_run_id`.",
      access: "session",
      keepsToWorkflows: true,
      effect: "at-least-once",
      errors: openAiErrors,
      body: NewCompletionSchema,
      response: CompletionSchema,
      handler: async ({ principal, body, request, signal }) => {
        refuseUnsupported(body);
        const { asks, models } = api();
        const parameters = parametersOf(body);
        const model = await models.find(principal, body.model, parameters);
        const handle = handleOf(body);
        const answered = readResults(body);
        const running =
          handle !== undefined
            ? await RunAnswer.newest(asks, principal, await findRun(asks, principal, model, handle))
            : answered !== undefined
              ? await answerCalls(asks, principal, model, answered)
              : await ask(asks, principal, model, {
                  said: readMessages(body),
                  parameters,
                  callerTools: readTools(body),
                  key: readIdempotencyKey(request),
                });
        if (body.stream === true)
          return streamCompletion(body.model, running, {
            includeUsage: body.stream_options?.include_usage === true,
            signal,
          });
        const answer = await running.wait(signal);
        const failure = runError(running.run, answer);
        if (failure === undefined) return ok(toCompletion(body.model, running, answer));
        // No 5xx: clients would start the run again, with all that it has done already.
        return { status: 400, body: failure, headers: retryHeader(false) };
      },
    }),
  ];
}
