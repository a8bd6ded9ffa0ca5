import { useCallback, useState } from "react";

export interface ActionState<Parameters extends unknown[]> {
  busy: boolean;
  failure: unknown;
  /** Answers whether it was done; why not stands in `failure`. */
  run: (...parameters: Parameters) => Promise<boolean>;
  reset: () => void;
}

/** A button's doing: busy meanwhile, and its failure kept to be shown in place. */
export function useAction<Parameters extends unknown[]>(
  action: (...parameters: Parameters) => Promise<void>,
): ActionState<Parameters> {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const run = async (...parameters: Parameters): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await action(...parameters);
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reset = useCallback(() => setFailure(null), []);
  return { busy, failure, run, reset };
}
