import { createHash, createHmac, hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
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
  close(): Promise<void>;
}

/** A store of the S3 protocol on this machine, with one bucket named `backups`. It checks signatures and digests as Amazon describes them. */
export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let failing = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { status, xml = "", etag } = take(request, body);
    if (etag !== undefined) response.setHeader("etag", etag);
    response.writeHead(status).end(status === 204 ? undefined : xml);
  });

  function take(request: IncomingMessage, body: Buffer): Answer {
    if (failing > 0) {
      failing -= 1;
      return { status: 503, xml: "<Error><Code>SlowDown</Code></Error>" };
    }
    if (!isSigned(request, body)) return { status: 403, xml: "<Error><Code>SignatureDoesNotMatch</Code></Error>" };
    const { method = "", url = "" } = request;
    const { pathname, searchParams: query } = new URL(url, "http://bucket");
    const key = decodeURIComponent(pathname.slice("/backups/".length));
    if (method === "GET") return { status: 200, xml: page(query) };
    if (method === "POST" && query.has("uploads")) {
      const made = `${key}+${uploads.size}&`;
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

/** Signature version 4, as https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html computes it. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, keyId, day = "", region = "", signed = "", signature] =
    pattern.exec(request.headers.authorization ?? "") ?? [];
  const digest = request.headers["x-amz-content-sha256"];
  if (keyId !== KEY_ID || digest !== hash("sha256", body, "hex")) return false;
  const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket");
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const headers = signed.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, pathname, query.join("&"), headers.join(""), signed, digest].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = [
    "AWS4-HMAC-SHA256",
    request.headers["x-amz-date"],
    scope,
    createHash("sha256").update(canonical).digest("hex"),
  ];
  const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = ["s3", "aws4_request"].reduce(mac, mac(mac(`AWS4${SECRET_KEY}`, day), region));
  return mac(key, toSign.join("\n")).toString("hex") === signature;
}
