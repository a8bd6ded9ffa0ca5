export { isInputName } from "./input-names.ts";
export { type CallAnswer, CODE_LANGUAGES, type CodeLanguage, type Diagnostic, type ProgramFunction } from "./job.ts";
export { type CodeLimits, DEFAULT_LIMITS, MAX_CODE_BYTES, MAX_LIMITS } from "./limits.ts";
export type { ProgramCall, ProgramRequest, ProgramStep } from "./programs.ts";
export {
  type CodeRequest,
  type CodeResult,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";
