import type { Route } from "../define/define-route.ts";

interface Asked {
  params: Record<string, string>;
  request: Request;
}

const PREFLIGHT_SECONDS = "600";

/** Lets the page that sent the request read the answer, errors included, where its route allows the origin. */
export async function allowOrigin(headers: Headers, { crossOrigin }: Route, asked: Asked): Promise<boolean> {
  headers.append("vary", "Origin");
  const origin = await crossOrigin?.(asked);
  if (origin === undefined) return false;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", "Retry-After");
  headers.set("cross-origin-resource-policy", "cross-origin");
  return true;
}

/** What a browser asks before a request of another origin (Fetch standard, CORS-preflight). A refused one is an answer that allows nothing. */
export async function answerPreflight(route: Route, asked: Asked): Promise<Response> {
  const headers = new Headers();
  if (!(await allowOrigin(headers, route, asked))) return new Response(null, { status: 403, headers });
  headers.set("access-control-allow-methods", "GET, POST");
  headers.set("access-control-allow-headers", "authorization, content-type");
  headers.set("access-control-max-age", PREFLIGHT_SECONDS);
  return new Response(null, { status: 204, headers });
}
