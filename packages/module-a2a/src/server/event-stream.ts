import { SSE_HEADERS } from "@a2a-js/sdk";

/** A comment this often keeps proxies from taking a quiet stream for a dead one. */
const COMMENT_MS = 15_000;
const encoder = new TextEncoder();

/** JSON-RPC answers as server-sent events, pulled by the reader. @param toError the last event of a stream that breaks off */
export function eventStream(
  first: IteratorResult<unknown>,
  rest: AsyncIterator<unknown>,
  toError: (error: unknown) => unknown,
): Response {
  let next: Promise<IteratorResult<unknown>> | undefined = Promise.resolve(first);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        next ??= rest.next();
        const event = await orQuiet(next);
        if (event === undefined) return controller.enqueue(encoder.encode(": waiting\n\n"));
        next = undefined;
        if (event.done === true) return controller.close();
        controller.enqueue(frame(event.value));
      } catch (error) {
        controller.enqueue(frame(toError(error)));
        controller.close();
      }
    },
    cancel: async () => {
      await rest.return?.();
    },
  });
  return new Response(body, { headers: { ...SSE_HEADERS } });
}

function frame(value: unknown): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(value)}\n\n`);
}

/** Undefined: nothing has come for a while. */
async function orQuiet<Value>(value: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, COMMENT_MS, undefined);
  });
  try {
    return await Promise.race([value, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
