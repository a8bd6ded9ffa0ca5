import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import type { BackupStore } from "./backup-store.ts";
import type { S3Settings } from "./backup-variables.ts";
import { escapeXml, readXml } from "./s3-xml.ts";

/** What one request carries, at least: the store refuses less than 5 MiB but for the last. 10,000 of them are the largest file. */
const PART_BYTES = 16 * 1_048_576;
const MOST_PARTS = 10_000;

/** Backups in a bucket of Amazon S3, or of a store that speaks its protocol. Uploads in parts, which the store puts together at the end. */
export function openBucket({ endpoint, bucket, prefix, region, keyId, secretKey }: S3Settings): BackupStore {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, service: "s3", region, retries: 4 });
  const base = `${endpoint ?? `https://s3.${region}.amazonaws.com`}/${bucket}`;

  async function call(
    method: string,
    key: string,
    query: Record<string, string>,
    body?: Uint8Array<ArrayBuffer> | string,
  ) {
    const url = new URL(`${base}/${key.split("/").map(encodeURIComponent).join("/")}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The store compares what arrives with the digest that is signed.
    const headers = { "x-amz-content-sha256": hash("sha256", body ?? "", "hex") };
    const response = await client.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    // A whole upload can fail with the status 200.
    const [code] = readXml(text, "Code");
    if (response.ok && (code === undefined || method === "GET")) return { text, headers: response.headers };
    throw new Error(
      `the store answered ${method} ${response.status}: ${code ?? ""} ${readXml(text, "Message")[0] ?? ""}`,
    );
  }

  return {
    name: `s3://${bucket}/${prefix}`,
    list: async () => {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
        const { text } = await call("GET", "", query);
        names.push(...readXml(text, "Key").map((key) => key.slice(prefix.length)));
        token = readXml(text, "NextContinuationToken")[0];
      } while (token !== undefined);
      return names;
    },
    write: async (name, stream) => {
      const key = `${prefix}${name}`;
      const uploadId = readXml((await call("POST", key, { uploads: "" })).text, "UploadId")[0];
      if (uploadId === undefined) throw new Error("the store began no upload");
      try {
        const tags: string[] = [];
        for await (const part of inParts(stream)) {
          if (tags.length === MOST_PARTS) throw new Error("the backup is too large for one upload");
          const { headers } = await call("PUT", key, { partNumber: String(tags.length + 1), uploadId }, part);
          tags.push(headers.get("etag") ?? "");
        }
        const parts = tags.map(
          (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
        );
        await call("POST", key, { uploadId }, `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      } catch (error) {
        const [aborted] = await Promise.allSettled([call("DELETE", key, { uploadId })]);
        if (aborted?.status === "rejected")
          console.warn(`parts of a backup that failed are left in ${name}: ${String(aborted.reason)}`);
        throw error;
      }
    },
    remove: async (name) => {
      await call("DELETE", `${prefix}${name}`, {});
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
