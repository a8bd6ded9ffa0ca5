export { isInputName } from "./input-names.ts";
export { CODE_LANGUAGES, type CodeLanguage } from "./job.ts";
export { type CodeLimits, DEFAULT_LIMITS, MAX_CODE_BYTES, MAX_LIMITS } from "./limits.ts";
export {
  type CodeRequest,
  type CodeResult,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";
