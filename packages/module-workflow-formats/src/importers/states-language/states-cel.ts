import { compileCel, ExpressionSyntaxError } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

/** An expression that CEL takes: its types fit, and it is not too long. @throws NoEquivalent */
export function checkedCel(expression: string): string {
  try {
    compileCel(expression);
    return expression;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      throw new NoEquivalent(`what it computes is no CEL: ${error.message.slice(0, 200)}`);
    throw error;
  }
}
