import type { Database } from "@oven/db";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** Parts of the request come back in the provider's words: invalid scopes, for one. */
const LONGEST_DESCRIPTION = 300;

export interface AuthorizationError {
  /** A code of RFC 6749 §4.1.2.1 or RFC 8707, or one of the provider's own. */
  error: string;
  description: string;
}

/**
 * Whether this user has let this client in. Only then may an error be sent to the client's address: anybody can register an
 * address, and a link to this server that leads there at once is an open redirect (RFC 9700 §4.11.2).
 */
export async function hasLetIn(db: Database, clientId: string, userId: number | null): Promise<boolean> {
  const rows = await db.query("select 1 from oauth_consents where client_id = $1 and user_id = $2", [clientId, userId]);
  return rows.length > 0;
}

/** The error that a redirect would have carried, from its query or, for `response_mode=fragment`, its fragment. */
export function readError(location: URL): AuthorizationError {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const read = (name: string) => location.searchParams.get(name) ?? fragment.get(name);
  return { error: read("error") ?? "invalid_request", description: read("error_description") ?? "" };
}

/** The error where it happened: a page for a browser, the fields of RFC 6749 §5.2 for a program. */
export function refuseAuthorization(request: Request, { error, description }: AuthorizationError): Response {
  const short = description.slice(0, LONGEST_DESCRIPTION);
  if (!(request.headers.get("accept") ?? "").includes("text/html"))
    return Response.json({ error, error_description: short }, { status: 400 });
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  };
  return new Response(toPage(error, short), { status: 400, headers });
}

function toPage(error: string, description: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not connected – OVEN</title></head>
<body style="max-width:34rem;margin:15vh auto;padding:0 24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff">
<h1 style="font-size:22px">This program was not connected</h1>
<p>It asked for access in a way that OVEN does not accept, so OVEN has given it nothing and has not sent you on to it.
Close this page, or try again from the program.</p>
<p style="color:#5b6570;overflow-wrap:anywhere">For its developer: <code>${escapeHtml(error)}</code> ${escapeHtml(description)}</p>
</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
