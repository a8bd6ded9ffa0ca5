import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { NONCE_HEADER, PAGE_HEADERS, pagePolicy } from "./security/page-policy.ts";

/** Gives each page its policy. The framework finds the nonce in the request's own header and puts it on its scripts. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const policy = pagePolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set(NONCE_HEADER, nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  return response;
}

/** Pages only: `/api` has headers of its own, and built files are the same for everybody. */
export const config = { matcher: "/((?!api/|_next/static/|_next/image|icon.svg|favicon.ico).*)" };
