import type { Json } from "@oven/contract";
import type { Address } from "@oven/scope";
import { useContext, useSyncExternalStore } from "react";
import { FormContext } from "./form-context.ts";

/** What stands at a place of the form, with what is being typed there: drawn at every key, where the definition is not. */
export function useTyped(at: Address): Json | undefined {
  const { typed, subscribe } = useContext(FormContext);
  return useSyncExternalStore(subscribe, () => typed(at));
}
