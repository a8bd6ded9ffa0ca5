import { toApiError, toUnreachable } from "@oven/ui/api/api-error.ts";
import { download } from "@oven/ui/components/download.ts";

/** Saves a person's data as the server wrote it: reading its numbers here could round them. @throws ApiError */
export async function exportPerson(email: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch("/api/persons/export", {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify({ email }),
    });
  } catch (error) {
    throw toUnreachable(error);
  }
  if (!response.ok) throw toApiError(response.status, await response.text());
  download("personal-data.json", "application/json", await response.blob());
}
