import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Duplex, pipeline, type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { OvenError } from "@oven/contract";
import { type Address, toHost, unreachable } from "./check-target.ts";
import { markSent } from "./may-have-arrived.ts";

export interface OutboundCall {
  url: URL;
  method: string;
  headers: Headers;
  body: Uint8Array | undefined;
  signal: AbortSignal;
  maxBytes: number;
  /** Called for the head of the answer and each piece of its body. */
  heard(): void;
  /** Called when the answer has ended, one way or the other. */
  over(): void;
}

/**
 * One request over one new connection to one of the given addresses. The body of the answer is decoded, and fails once
 * it has more than `maxBytes`.
 * @throws OvenError OUTBOUND_UNREACHABLE; the reason of the signal
 */
export function sendOnce(call: OutboundCall, addresses: readonly Address[]): Promise<Response> {
  const { url, method, headers, body, signal } = call;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const client = url.protocol === "https:" ? https : http;
    const request = client.request({
      host: toHost(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...Object.fromEntries(headers), ...(body === undefined ? {} : { "content-length": body.byteLength }) },
      lookup: pinned(addresses),
      agent: false,
      // A name with a dot at its end is the same machine, but not the name in its certificate. An address is no name of TLS.
      ...(url.protocol === "https:" && isIP(toHost(url)) === 0 ? { servername: url.hostname.replace(/\.$/, "") } : {}),
    });
    let isConnected = false;
    request.once("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        isConnected = true;
      });
    });
    const abort = () => request.destroy(asError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    const over = () => signal.removeEventListener("abort", abort);
    request.on("error", (cause) => {
      over();
      const error: unknown = signal.aborted ? signal.reason : unreachable(url.origin, cause);
      if (isConnected) markSent(error);
      reject(error);
    });
    request.on("response", (incoming) => {
      call.heard();
      incoming.on("close", () => {
        over();
        call.over();
      });
      resolve(toResponse(incoming, call));
    });
    request.end(body);
  });
}

/** Answers with what was checked, whatever the name means by now. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first === undefined) callback(new Error("no address"), "", 0);
    else callback(null, first.address, first.family);
  };
}

const BODILESS = new Set([204, 205, 304]);

function toResponse(incoming: http.IncomingMessage, call: OutboundCall): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  }
  if (BODILESS.has(status) || call.method === "HEAD") {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const steps: Duplex[] = [listen(call), ...decoders(headers.get("content-encoding")), limit(call)];
  headers.delete("content-encoding");
  // An error goes down to the last of them, where the reader meets it.
  const last = steps.reduce<Readable>((from, to) => pipeline(from, to, () => undefined), incoming);
  // Before the connection's own error gets here: the reader shall learn why it was cut.
  const abort = () => {
    markSent(call.signal.reason);
    last.destroy(asError(call.signal.reason));
  };
  call.signal.addEventListener("abort", abort, { once: true });
  last.on("close", () => call.signal.removeEventListener("abort", abort));
  return new Response(toBody(last), { status, headers });
}

/**
 * What `Readable.toWeb` does, but for one thing: that one throws outside of every handler, and so ends the process, when its
 * reader gives up while data is on its way (Node 24).
 */
function toBody(from: Readable): ReadableStream<Uint8Array> {
  let open = true;
  const once = (end: () => void) => () => {
    if (open) end();
    open = false;
  };
  return new ReadableStream({
    start(controller) {
      from.on("data", (chunk: Buffer) => {
        if (!open) return;
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) from.pause();
      });
      from.on(
        "end",
        once(() => controller.close()),
      );
      from.on("error", (error) => once(() => controller.error(error))());
      from.on(
        "close",
        once(() => controller.error(new Error("the connection was closed"))),
      );
      from.pause();
    },
    pull: () => void from.resume(),
    cancel() {
      open = false;
      from.destroy();
    },
  });
}

function decoders(encoding: string | null): Duplex[] {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return [createGunzip()];
    case "deflate":
      return [createInflate()];
    case "br":
      return [createBrotliDecompress()];
    default:
      return [];
  }
}

/** Before the decoders, which hold back what is incomplete. */
function listen({ heard }: OutboundCall): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      heard();
      callback(null, chunk);
    },
  });
}

function limit({ url, maxBytes }: OutboundCall): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seen += chunk.byteLength;
      if (seen <= maxBytes) callback(null, chunk);
      else callback(tooLarge(url, maxBytes));
    },
  });
}

function tooLarge(url: URL, maxBytes: number): OvenError {
  return new OvenError("OUTBOUND_TOO_LARGE", `${url.origin} answers more than ${maxBytes} bytes`, {
    status: 502,
    fix: "Ask for less, or raise the limit.",
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
