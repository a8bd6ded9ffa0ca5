import type { Json } from "@oven/contract";
import type { Address } from "@oven/workflow-editor/document";
import { useContext, useSyncExternalStore } from "react";
import { FormContext } from "./form-context.ts";

/** What a field shows: what is being typed into it, else its value in the definition. */
export function useTyped(at: Address, value: Json | undefined): Json | undefined {
  const { typed, subscribe } = useContext(FormContext);
  const change = useSyncExternalStore(subscribe, () => typed(at));
  return change === null ? value : change.value;
}
