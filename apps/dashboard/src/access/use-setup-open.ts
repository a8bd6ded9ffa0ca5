import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { useEffect, useState } from "react";

/** Whether the first admin is still to be made. Null until it is known; afterwards the route answers 404. */
export function useSetupOpen(): { open: boolean | null; failure: unknown } {
  const [open, setOpen] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    const controller = new AbortController();
    api("setup", { signal: controller.signal }).then(
      ({ json }) => setOpen(typeof json === "object" && json !== null && "open" in json && json.open === true),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (error instanceof ApiError && error.status === 404) setOpen(false);
        else setFailure(error);
      },
    );
    return () => controller.abort();
  }, []);
  return { open, failure };
}
