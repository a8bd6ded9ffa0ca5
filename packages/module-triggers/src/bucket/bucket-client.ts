import { hash } from "node:crypto";
import { OvenError } from "@oven/contract";
import type { FiringContext } from "@oven/module-registry";
import { AwsV4Signer } from "aws4fetch";
import { DomUtils } from "htmlparser2";
import { parseXml } from "../xml/parse-xml.ts";
import type { BucketConfig } from "./bucket-config.ts";

export interface BucketObject {
  key: string;
  etag: string;
  sizeBytes: number;
  lastModified: Date;
}

export interface Listing {
  objects: BucketObject[];
  /** By the store's clock, which its objects are dated by. */
  at: Date | undefined;
}

type Reaching = Pick<FiringContext<BucketConfig>, "config" | "tenantId" | "services" | "signal">;

/** Of 1,000 objects each. */
const MAX_PAGES = 20;
/** The digest of no body. */
const EMPTY = hash("sha256", "", "hex");
const MAX_ERROR_BYTES = 65_536;
const MAX_LISTING_BYTES = 5 * 1_048_576;

/** All objects under the prefix. @throws OvenError of outbound calls and secrets; Error with what the store answered */
export async function listBucket(reaching: Reaching): Promise<Listing> {
  const { prefix, bucket } = reaching.config;
  const objects: BucketObject[] = [];
  let at: Date | undefined;
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
    const response = await ask(reaching, "", { query, maxBytes: MAX_LISTING_BYTES });
    const xml = parseXml(await response.text());
    if (!response.ok) throw refusal(response.status, xml);
    at ??= dateOf(response.headers.get("date"));
    objects.push(...DomUtils.getElementsByTagName("Contents", xml).flatMap(toObject));
    token = textOf("NextContinuationToken", xml);
    if (token === undefined) return { objects, at };
  }
  throw new OvenError("INVALID_TRIGGER", `More than ${MAX_PAGES * 1_000} objects are in ${bucket}/${prefix}`, {
    status: 400,
    fix: "Watch a narrower prefix, or let the store delete old objects by a rule.",
  });
}

/** Undefined: it was deleted or replaced since it was listed. */
export async function readObject(
  reaching: Reaching,
  { key, etag, sizeBytes }: BucketObject,
): Promise<{ data: Uint8Array; contentType: string } | undefined> {
  // What the store says against it may be longer than the object.
  const maxBytes = sizeBytes + MAX_ERROR_BYTES;
  const response = await ask(reaching, key, { headers: { "if-match": `"${etag}"` }, maxBytes });
  if (response.status === 404 || response.status === 412) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) throw refusal(response.status, parseXml(await response.text()));
  const contentType = response.headers.get("content-type") ?? "application/octet-stream";
  return { data: new Uint8Array(await response.arrayBuffer()), contentType };
}

/** Signed with the secret that is bound to the store's host; the secret itself does not leave. */
async function ask(
  { config, tenantId, services, signal }: Reaching,
  key: string,
  { query = {}, headers = {}, maxBytes }: { query?: object; headers?: Record<string, string>; maxBytes: number },
): Promise<Response> {
  const { region, bucket, keyId, secretKey } = config;
  const endpoint = (config.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, "");
  const url = new URL(`${endpoint}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const secret = await services.secrets.use(tenantId, `secret:${secretKey}`, url.host);
  const signer = new AwsV4Signer({
    url: url.href,
    headers: { ...headers, "x-amz-content-sha256": EMPTY },
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: "s3",
    region,
  });
  const signed = await signer.sign();
  return services.outbound.fetch(signed.url, {
    headers: Object.fromEntries(signed.headers),
    maxBytes,
    maxRedirects: 0,
    signal,
  });
}

function toObject(element: Parameters<typeof DomUtils.textContent>[0]): BucketObject[] {
  const [key, etag, size, modified] = ["Key", "ETag", "Size", "LastModified"].map((name) => textOf(name, element));
  const lastModified = dateOf(modified);
  // A key that ends so is what a console shows as a folder.
  if (key === undefined || lastModified === undefined || key.endsWith("/")) return [];
  return [{ key, etag: (etag ?? "").replaceAll('"', ""), sizeBytes: Number(size ?? 0), lastModified }];
}

function textOf(name: string, within: Parameters<typeof DomUtils.textContent>[0]): string | undefined {
  const [element] = DomUtils.getElementsByTagName(name, within, true, 1);
  return element === undefined ? undefined : DomUtils.textContent(element);
}

function dateOf(text: string | null | undefined): Date | undefined {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function refusal(status: number, xml: Parameters<typeof DomUtils.textContent>[0]): Error {
  return new Error(`The store answered ${status}: ${textOf("Code", xml) ?? ""} ${textOf("Message", xml) ?? ""}`.trim());
}
