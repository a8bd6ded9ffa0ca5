interface Watcher {
  /** Each piece, as text. */
  heard?(chunk: string): void;
  /** It broke off. */
  fail(error: unknown): void;
  /** It has ended. */
  over?(): void;
}

/** The same response; who watches learns what comes of its body, at the pace of its reader. */
export function watchBody(response: Response, { heard, fail, over }: Watcher): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          over?.();
          controller.close();
        } else {
          heard?.(decoder.decode(value, { stream: true }));
          controller.enqueue(value);
        }
      } catch (error) {
        fail(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}
