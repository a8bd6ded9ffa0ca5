import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isSignedForS3 } from "@oven/testing";
import { escapeXml } from "../s3-xml.ts";

export const KEY_ID = "AKIATEST";
export const SECRET_KEY = "a-secret-key-of-the-bucket";
/** Few, so that lists come in pages. */
const PAGE = 2;

export interface Bucket {
  url: string;
  /** Contents by key. */
  objects: Map<string, Buffer>;
  /** Uploads that were begun and neither ended nor given up. */
  uploads: Map<string, Map<number, Buffer>>;
  /** Answers the next so many requests with 503, then goes on. */
  failNext(count: number): void;
  /** Breaks the connections of so many requests after the next `skip`: before they are read, or when only the answer is missing. */
  breakNext(count: number, when: "before" | "answer", skip?: number): void;
  /** Connections that were broken. */
  broken(): number;
  close(): Promise<void>;
}

/** A store of the S3 protocol on this machine, with one bucket named `backups`. It checks signatures and digests as Amazon describes them. */
export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let failing = 0;
  let begun = 0;
  let breaking = { count: 0, when: "before", skip: 0 };
  let broken = 0;
  const server = createServer(async (request, response) => {
    const breaks = breaking.count > 0 && breaking.skip === 0;
    if (breaks) {
      breaking.count -= 1;
      broken += 1;
    } else breaking.skip = Math.max(0, breaking.skip - 1);
    if (breaks && breaking.when === "before") return void request.socket.destroy();
    const body = Buffer.concat(await request.toArray());
    const { status, xml = "", etag } = take(request, body);
    if (breaks) return void request.socket.destroy();
    if (etag !== undefined) response.setHeader("etag", etag);
    response.writeHead(status).end(status === 204 ? undefined : xml);
  });

  function take(request: IncomingMessage, body: Buffer): Answer {
    if (failing > 0) {
      failing -= 1;
      return { status: 503, xml: "<Error><Code>SlowDown</Code></Error>" };
    }
    if (!isSignedForS3(request, body, { keyId: KEY_ID, secretKey: SECRET_KEY }))
      return { status: 403, xml: "<Error><Code>SignatureDoesNotMatch</Code></Error>" };
    const { method = "", url = "" } = request;
    const { pathname, searchParams: query } = new URL(url, "http://bucket");
    const key = decodeURIComponent(pathname.slice("/backups/".length));
    if (method === "GET") return { status: 200, xml: query.has("uploads") ? unfinished(query) : page(query) };
    if (method === "POST" && query.has("uploads")) {
      begun += 1;
      const made = `${key}+${begun}&`;
      uploads.set(made, new Map());
      return { status: 200, xml: `<R><UploadId>${escapeXml(made)}</UploadId></R>` };
    }
    const id = query.get("uploadId");
    if (id !== null) return takePart({ method, key, id, part: Number(query.get("partNumber")) }, body);
    objects.delete(key);
    return { status: 204 };
  }

  function takePart(
    { method, key, id, part }: { method: string; key: string; id: string; part: number },
    body: Buffer,
  ): Answer {
    const upload = uploads.get(id);
    if (upload === undefined) return { status: 404, xml: "<Error><Code>NoSuchUpload</Code></Error>" };
    if (method === "PUT") {
      upload.set(part, body);
      return { status: 200, etag: tagOf(body) };
    }
    uploads.delete(id);
    if (method === "DELETE") return { status: 204 };
    const parts = [...upload].sort(([one], [other]) => one - other).map(([, content]) => content);
    const wanted = [...body.toString().matchAll(/<ETag>(.*?)<\/ETag>/g)].map(([, tag]) => tag);
    if (wanted.join() !== parts.map(tagOf).join())
      return { status: 200, xml: "<Error><Code>InvalidPart</Code></Error>" };
    objects.set(key, Buffer.concat(parts));
    return { status: 200 };
  }

  function unfinished(query: URLSearchParams): string {
    const uploaded = [...uploads.keys()].filter((id) => id.startsWith(query.get("prefix") ?? ""));
    const shown = uploaded.map(
      (id) =>
        `<Upload><Key>${escapeXml(id.slice(0, id.lastIndexOf("+")))}</Key><UploadId>${escapeXml(id)}</UploadId></Upload>`,
    );
    return `<ListMultipartUploadsResult>${shown.join("\n")}</ListMultipartUploadsResult>`;
  }

  function page(query: URLSearchParams): string {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
    const from = Number(query.get("continuation-token") ?? 0);
    const shown = keys.slice(from, from + PAGE).map((key) => `<Contents><Key>${escapeXml(key)}</Key></Contents>`);
    const more = from + PAGE < keys.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : "";
    return `<ListBucketResult>${shown.join("")}${more}</ListBucketResult>`;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    failNext: (count) => {
      failing = count;
    },
    breakNext: (count, when, skip = 0) => {
      breaking = { count, when, skip };
    },
    broken: () => broken,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  status: number;
  xml?: string;
  etag?: string;
}

const tagOf = (content: Buffer) => `"${hash("md5", content, "hex")}"`;
