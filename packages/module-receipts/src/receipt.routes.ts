import { defineRoute, type Route } from "@oven/module-registry";
import { AGENT, keepToWorkflows, REGULAR } from "@oven/module-workflows";
import { z } from "zod";
import type { ReceiptService } from "./issue/receipt-service.ts";

const params = z.object({ id: z.coerce.number().int().positive() });

/** The receipts of runs, for either kind. */
export function receiptRoutes(receipts: () => ReceiptService): Route[] {
  const routes = [REGULAR, AGENT].flatMap(({ executionResource }) => [
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/receipt`,
      operation: false,
      summary: "The signed receipt of a run that has ended, for `oven verify`",
      description:
        "One line of at most 2 KB. It is signed when it is first asked for, and the same from then on. With `certificate=true` what is proved of the policies of its version stands beside it.",
      access: { permission: "executions.read" },
      effect: "idempotent",
      params,
      query: z.object({ certificate: z.enum(["true", "false"]).optional() }),
      handler: async ({ principal, params: { id }, query }) => {
        const file = await receipts().file(principal, id, query.certificate === "true");
        return download(file, "application/json", `receipt-${id}.json`);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/receipt/log`,
      operation: false,
      summary: "The log that a run's receipt is about, one entry a line",
      description:
        "Entries have their data as long as the run has its own; their digests, which the receipt is about, always.",
      access: { permission: "executions.read" },
      effect: "idempotent",
      params,
      handler: async ({ principal, params: { id } }) =>
        download(toStream(await receipts().log(principal, id)), "application/x-ndjson", `receipt-${id}.log`),
    }),
  ]);
  return keepToWorkflows(routes);
}

function download(body: string | ReadableStream<Uint8Array>, type: string, name: string): Response {
  return new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  });
}

function toStream(pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
}
