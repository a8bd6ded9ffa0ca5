import { OvenError } from "@oven/contract";

export function triggerDisabled(): OvenError {
  return new OvenError("TRIGGER_DISABLED", "This is switched off; nothing was started", {
    status: 409,
    fix: "Try again when it was switched on.",
  });
}
