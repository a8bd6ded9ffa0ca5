import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { type BackupStore, isBackupName } from "./backup-store.ts";
import type { S3Settings } from "./backup-variables.ts";
import { escapeXml, readXml } from "./s3-xml.ts";

/** What one request carries, at least: the store refuses less than 5 MiB but for the last. 10,000 of them are the largest file. */
const PART_BYTES = 16 * 1_048_576;
const MOST_PARTS = 10_000;
/** Waits before a request of an upload is repeated whose connection broke: each twice as long as the one before, 31 s in all. */
const FIRST_WAIT_MS = 1_000;
const REPEATS = 5;

/**
 * Backups in a bucket of Amazon S3, or of a store that speaks its protocol. Uploads in parts, which the store puts together at the end. When
 * the connection breaks, the upload goes on with the part that was under way.
 * @param firstWaitMs before a request is repeated whose connection broke
 */
export function openBucket(
  { endpoint, bucket, prefix, region, keyId, secretKey }: S3Settings,
  { firstWaitMs = FIRST_WAIT_MS }: { firstWaitMs?: number } = {},
): BackupStore {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, service: "s3", region, retries: 4 });
  const base = `${endpoint ?? `https://s3.${region}.amazonaws.com`}/${bucket}`;

  async function call(
    method: string,
    key: string,
    query: Record<string, string>,
    body?: Uint8Array<ArrayBuffer> | string,
    signal?: AbortSignal,
  ) {
    const url = new URL(`${base}/${key.split("/").map(encodeURIComponent).join("/")}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The store compares what arrives with the digest that is signed.
    const headers = { "x-amz-content-sha256": hash("sha256", body ?? "", "hex") };
    const { response, text } = await ask(url, { method, headers, ...(body === undefined ? {} : { body }) }, signal);
    // A whole upload can fail with the status 200.
    const [code] = readXml(text, "Code");
    if (response.ok && (code === undefined || method === "GET")) return { text, headers: response.headers };
    throw new Error(
      `the store answered ${method} ${response.status}: ${code ?? ""} ${readXml(text, "Message")[0] ?? ""}`,
    );
  }

  /** @param signal of an upload, whose requests are repeated when their connection breaks; any other fails, and is made again with the next look */
  async function ask(url: URL, init: RequestInit, signal?: AbortSignal) {
    for (let repeat = 0; ; repeat++) {
      try {
        const response = await client.fetch(url, { ...init, ...(signal === undefined ? {} : { signal }) });
        return { response, text: await response.text() };
      } catch (error) {
        // What fetch throws when the connection breaks.
        if (!(error instanceof TypeError) || signal === undefined || repeat === REPEATS) throw error;
        await pause(firstWaitMs * 2 ** repeat, undefined, { signal });
      }
    }
  }

  async function list(): Promise<string[]> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
      const { text } = await call("GET", "", query);
      names.push(...readXml(text, "Key").map((key) => key.slice(prefix.length)));
      token = readXml(text, "NextContinuationToken")[0];
    } while (token !== undefined);
    return names;
  }

  /** When the answer was lost, the repeated request finds no upload, but the file is there: it appears only when it is whole. */
  async function complete(name: string, uploadId: string, tags: readonly string[], signal: AbortSignal): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    try {
      await call("POST", `${prefix}${name}`, { uploadId }, body, signal);
    } catch (error) {
      if (!(await list()).includes(name)) throw error;
    }
  }

  return {
    name: `s3://${bucket}/${prefix}`,
    list,
    write: async (name, stream) => {
      const key = `${prefix}${name}`;
      const broken = new AbortController();
      stream.once("error", () => broken.abort());
      const uploadId = readXml((await call("POST", key, { uploads: "" })).text, "UploadId")[0];
      if (uploadId === undefined) throw new Error("the store began no upload");
      try {
        const tags: string[] = [];
        for await (const part of inParts(stream)) {
          if (tags.length === MOST_PARTS) throw new Error("the backup is too large for one upload");
          const query = { partNumber: String(tags.length + 1), uploadId };
          const { headers } = await call("PUT", key, query, part, broken.signal);
          tags.push(headers.get("etag") ?? "");
        }
        await complete(name, uploadId, tags, broken.signal);
      } catch (error) {
        const [aborted] = await Promise.allSettled([call("DELETE", key, { uploadId })]);
        if (aborted?.status === "rejected")
          console.warn(`parts of a backup that failed are left in ${name}: ${String(aborted.reason)}`);
        throw stream.errored ?? error;
      }
    },
    remove: async (name) => {
      await call("DELETE", `${prefix}${name}`, {});
    },
    clear: async () => {
      const cleared: string[] = [];
      const { text } = await call("GET", "", { uploads: "", prefix });
      for (const [, upload = ""] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const [key = ""] = readXml(upload, "Key");
        const [uploadId] = readXml(upload, "UploadId");
        const name = key.slice(prefix.length);
        if (uploadId === undefined || !key.startsWith(prefix) || !isBackupName(name)) continue;
        await call("DELETE", key, { uploadId });
        cleared.push(name);
      }
      return cleared;
    },
  };
}

async function* inParts(stream: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Uint8Array.from(Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Uint8Array.from(Buffer.concat(chunks));
}
