import { isOvenError, type JsonObject, OvenError } from "@oven/contract";
import type { BlobReference } from "@oven/contract/run";
import { decodeText } from "@oven/contract/text";
import { shorten } from "@oven/module-notifications";
import type { ServiceMap } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import type { BotRow } from "../bots/bot-row.ts";

/** A file as a message names it. */
export interface NamedFile {
  name: string;
  type: string;
  url: string;
}

/** A file as a run gets it, like those of mails and webhooks. */
export interface GivenBotFile {
  filename: string;
  contentType: string;
  sizeBytes: number;
  blob: BlobReference;
}

export const MOST_FILES = 5;
export const LARGEST_FILE = 8 * 1_048_576;
const TIMEOUT_MS = 20_000;
/** A longer text is not put into the message. */
const LONGEST_TEXT = 20_000;
const IS_TEXT = /^(text\/|application\/(json|xml|yaml|csv)\b)/i;

/**
 * Fetches the files of a message and stores them. Their beginning stands in the message where they are text, so that each agent can read them.
 * @returns what the message says about them, and the files for targets that take some
 * @throws OvenError for what may work later
 */
export async function readFiles(
  services: ServiceMap,
  bot: BotRow,
  files: readonly NamedFile[],
): Promise<{ words: string; given: GivenBotFile[] }> {
  const given: GivenBotFile[] = [];
  const words: string[] = [];
  for (const file of files.slice(0, MOST_FILES)) {
    try {
      const data = await fetchFile(services, bot, file);
      const { tenantId } = bot;
      const blob = await services.blobs.write({ ...NO_RUN, tenantId }, file.type, data, shorten(file.name, 200));
      given.push({ filename: file.name, contentType: file.type, sizeBytes: data.byteLength, blob });
      words.push(`Attached file ${file.name} (${file.type}, ${data.byteLength} bytes)${toText(file, data)}`);
    } catch (error) {
      if (!isOvenError(error) || error.retryable) throw error;
      words.push(`Attached file ${file.name} could not be read: ${error.message}`);
    }
  }
  if (files.length > MOST_FILES) words.push(`Only ${MOST_FILES} files of a message are read.`);
  return { words: words.join("\n\n"), given };
}

/** What a target gets that has a field `files`. */
export function toFilesField(parameters: JsonObject | null, given: readonly GivenBotFile[]): JsonObject {
  const properties = parameters?.properties;
  const takesFiles = typeof properties === "object" && properties !== null && Object.hasOwn(properties, "files");
  // cast: files are JSON
  return takesFiles && given.length > 0 ? { files: given as unknown as JsonObject[] } : {};
}

async function fetchFile({ outbound }: ServiceMap, { tenantId, connection }: BotRow, { url }: NamedFile) {
  // The token goes to Slack only: the secret is bound to its hosts. Addresses of Teams are signed, and go without one.
  const authorization =
    connection.type === "slack-app" ? { $secret: connection.token.$secret, prefix: "Bearer " } : undefined;
  const response = await outbound.fetch(url, {
    ...(authorization === undefined ? {} : { headers: { authorization }, tenantId }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: LARGEST_FILE,
    maxRedirects: 0,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new OvenError("CONTENT_UNAVAILABLE", `The messenger answers ${response.status} instead of a file`, {
      status: 422,
      retryable: response.status >= 500 || response.status === 429,
      fix: "Give the app the scope to read files.",
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}

function toText({ type }: NamedFile, data: Uint8Array): string {
  if (!IS_TEXT.test(type)) return "";
  const { text } = decodeText(data, { contentType: type, malformed: "mark" });
  return `:\n${shorten(text, LONGEST_TEXT)}`;
}
