/**
 * The address of the client that sent a request; undefined where none is known, as in calls within the process. The server in
 * front sets the header to this one address (`toClientAddress`) and drops what clients claim.
 */
export function addressOf(request: Request): string | undefined {
  const [address] = (request.headers.get("x-forwarded-for") ?? "").split(",");
  const trimmed = address?.trim();
  return trimmed === undefined || trimmed === "" ? undefined : trimmed.slice(0, 64);
}
