import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What the client says that it can do with each request, since revision 2026-07-28; undefined: it speaks an older one. */
export function capabilitiesOfRequest({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined; // cast: the SDK's type leaves its keys out
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}
