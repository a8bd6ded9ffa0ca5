import { createHash, createHmac, hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Whether a request has the signature version 4 of a key, as https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html computes it, and the digest of its body. */
export function isSignedForS3(
  request: IncomingMessage,
  body: Buffer,
  { keyId: expected, secretKey }: { keyId: string; secretKey: string },
): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, keyId, day = "", region = "", signed = "", signature] =
    pattern.exec(request.headers.authorization ?? "") ?? [];
  const digest = request.headers["x-amz-content-sha256"];
  if (keyId !== expected || digest !== hash("sha256", body, "hex")) return false;
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
  const key = ["s3", "aws4_request"].reduce(mac, mac(mac(`AWS4${secretKey}`, day), region));
  return mac(key, toSign.join("\n")).toString("hex") === signature;
}
