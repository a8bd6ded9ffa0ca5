import { toApiError, toUnreachable } from "@oven/ui/api/api-error.ts";
import { download } from "@oven/ui/components/download.ts";

/** Saves an answer byte for byte: a receipt that is written anew is none. @throws ApiError */
export async function downloadAnswer(path: string, name: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { credentials: "same-origin" });
  } catch (error) {
    throw toUnreachable(error);
  }
  if (!response.ok) throw toApiError(response.status, await response.text());
  download(name, response.headers.get("content-type") ?? "", await response.blob());
}
