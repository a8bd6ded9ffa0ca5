import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { isOvenError } from "@oven/contract";
import { toOvenError } from "@oven/module-registry";

/**
 * For resources, prompts and completions, whose errors the protocol answers with their message: ours say what is wrong, any
 * other is logged and not shown.
 */
export function withPublicErrors<Given extends unknown[], Answer>(
  work: (...given: Given) => Promise<Answer> | Answer,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    try {
      return await work(...given);
    } catch (error) {
      throw toProtocolError(error, given[0]);
    }
  };
}

function toProtocolError(error: unknown, asked: unknown): ProtocolError {
  if (ProtocolError.isInstance(error)) return error;
  const { code, message, fix } = toOvenError(error);
  if (!isOvenError(error)) {
    console.error(error);
    return new ProtocolError(ProtocolErrorCode.InternalError, "Something went wrong on the server");
  }
  if (code === "NOT_FOUND") return new ResourceNotFoundError(asked instanceof URL ? asked.href : "", message);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}${fix === undefined ? "" : ` ${fix}`}`);
}
