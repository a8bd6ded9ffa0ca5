import { isOvenError, OvenError, parseJson } from "@oven/contract";
import type { Database } from "@oven/db";
import type { EnvironmentVariable, OutboundService, RuntimeEnvironment } from "@oven/module-registry";
import { z } from "zod";
import { OFFLINE } from "./oauth-tokens.ts";
import { makeRoomForClient, type Registration, readRegistration } from "./registration.ts";

/*
 * Programs that name themselves by the https address of a document about them (OAuth Client ID Metadata Document), instead of
 * registering. The document is read each time that a signed-in person is to be asked, and what it says is stored as a registration would be.
 */
const LONGEST_ADDRESS = 200;
const LONGEST_DOCUMENT = 5_120;
const TIMEOUT_MS = 5_000;
/** Programs with a document have no secret: nothing that is published can be one. */
const WITHOUT_SECRET = "none";

const VARIABLE = "OVEN_CLIENT_DOCUMENTS";

export const documentVariables: EnvironmentVariable[] = [
  {
    name: VARIABLE,
    description:
      "`0`: programs that connect over MCP register, and none is known by a document at an https address of its own; for servers that reach nothing outside",
    schema: z.enum(["0", "1"]),
  },
];

/** Whether programs may name themselves by documents. */
export function takesDocuments({ variables = {} }: Pick<RuntimeEnvironment, "variables">): boolean {
  return variables[VARIABLE] !== "0";
}

export interface DocumentDeps {
  db: Database;
  outbound: OutboundService;
  /** Origins that an operator allows although they are not https, or not public. */
  allowed: readonly string[];
  permissions: readonly string[];
}

/** Whether a client id is the address of a document: as it stands it must be what its URL is. */
export function isDocumentAddress(clientId: string, allowed: readonly string[]): boolean {
  if (clientId.length > LONGEST_ADDRESS || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  const isPlain = url.username === "" && url.password === "" && !clientId.includes("#") && url.pathname !== "/";
  return url.href === clientId && isPlain && (url.protocol === "https:" || allowed.includes(url.origin));
}

/**
 * Reads the document of a program and stores what it says.
 * @returns what is wrong with it, for its developer
 */
export async function readClientDocument(deps: DocumentDeps, clientId: string): Promise<string | undefined> {
  try {
    const read = readRegistration(await fetchDocument(deps, clientId));
    if ("error" in read) return `The document at client_id: ${read.description}`;
    await storeClient(deps, clientId, read.registration);
    return undefined;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return `The document at client_id: ${error.message}`;
  }
}

/** @throws OvenError where it cannot be fetched, or is not about this program */
async function fetchDocument({ outbound }: DocumentDeps, clientId: string): Promise<object> {
  const response = await outbound.fetch(clientId, {
    headers: { accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: LONGEST_DOCUMENT,
    maxRedirects: 0,
  });
  const text = await response.text();
  if (response.status !== 200) throw invalid(`it was answered with ${response.status}`);
  const document = toObject(text);
  if (document.client_id !== clientId) throw invalid("its client_id is another address");
  if (document.client_secret !== undefined)
    throw invalid("it has a client_secret, which a published document cannot have");
  // A method with keys would have to be proven at each exchange; PKCE proves that it is the same program.
  return { ...document, token_endpoint_auth_method: WITHOUT_SECRET };
}

function toObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isOvenError(error)) throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it is no JSON object");
  return value as Record<string, unknown>; // cast: its fields are checked next
}

function invalid(message: string): OvenError {
  return new OvenError("INVALID_REQUEST", message);
}

/** A program whose document changed is the same program: who let it in is not asked again. */
async function storeClient(
  { db, permissions }: DocumentDeps,
  clientId: string,
  registration: Registration,
): Promise<void> {
  await makeRoomForClient(db);
  const { client_name, redirect_uris, application_type, grant_types = [...GRANTS] } = registration;
  await db.query(
    `insert into oauth_clients (client_id, name, uri, redirect_uris, application_type, grant_types, scopes,
       response_types, token_endpoint_auth_method, require_pkce)
     values ($1, $2, $3, $4, $5, $6, $7, array['code'], '${WITHOUT_SECRET}', true)
     on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
       application_type = excluded.application_type, grant_types = excluded.grant_types, scopes = excluded.scopes`,
    [
      ...[clientId, client_name ?? null, new URL(clientId).origin, redirect_uris, application_type],
      ...[grant_types, [...permissions, OFFLINE]],
    ],
  );
}

const GRANTS = ["authorization_code", "refresh_token"] as const;
