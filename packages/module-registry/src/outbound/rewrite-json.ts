/**
 * The same answer with its JSON rewritten, for clients of other services that read it by themselves: a body of JSON as a whole, each line of
 * data of an event stream as it comes. Other bodies pass.
 * @param rewrite takes JSON text, and answers what it cannot read as it is
 */
export async function rewriteJson(response: Response, rewrite: (text: string) => string): Promise<Response> {
  const { body, status, statusText } = response;
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isJson = type === "application/json" || type.endsWith("+json");
  if (body === null || !(isJson || type === "text/event-stream")) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  if (isJson) return new Response(rewrite(await response.text()), { status, statusText, headers });
  const lines = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(eachLine((line) => rewriteLine(line, rewrite)))
    .pipeThrough(new TextEncoderStream());
  return new Response(lines, { status, statusText, headers });
}

function rewriteLine(line: string, rewrite: (text: string) => string): string {
  const [, field, data, end] = /^(data: ?)([^\r]+)(\r?)$/.exec(line) ?? [];
  return field === undefined || data === undefined ? line : `${field}${rewrite(data)}${end}`;
}

/** A line is handed on when its end is there; each piece is looked at once, however long the line is. */
function eachLine(change: (line: string) => string): TransformStream<string, string> {
  let begun: string[] = [];
  const end = () => {
    const line = begun.join("");
    begun = [];
    return change(line);
  };
  return new TransformStream({
    transform(chunk, controller) {
      const [first = "", ...others] = chunk.split("\n");
      begun.push(first);
      let out = "";
      for (const next of others) {
        out += `${end()}\n`;
        begun.push(next);
      }
      if (out !== "") controller.enqueue(out);
    },
    flush(controller) {
      const last = end();
      if (last !== "") controller.enqueue(last);
    },
  });
}
