/**
 * The address a request came from. The server that owns the socket sets the header and drops what clients claim; undefined
 * where nobody did, as in calls within the process.
 */
export function addressOf(request: Request): string | undefined {
  const [address] = (request.headers.get("x-forwarded-for") ?? "").split(",");
  const trimmed = address?.trim();
  return trimmed === undefined || trimmed === "" ? undefined : trimmed.slice(0, 64);
}
