import type { JsonObject } from "@oven/contract";
import type { ChangeTestData, PinnedOutput, TestData } from "@oven/contract/workflow";
import { api } from "@oven/ui/api/api-client.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStoreContext } from "react-admin";

export interface TestDataState {
  data: TestData;
  change: (change: ChangeTestData) => void;
  /** What was changed last is not on the server. */
  failure: unknown;
  /** Sends it again. */
  retry: () => void;
}

const NONE: TestData = { inputs: {}, pins: {} };

/** As the server does it: what is named is set, or with null taken away. */
function applyChange({ inputs, pins }: TestData, change: ChangeTestData): TestData {
  return { inputs: merge(inputs, change.inputs), pins: merge(pins, change.pins) };
}

function merge<Value>(
  before: Readonly<Record<string, Value>>,
  change: Readonly<Record<string, Value | null>> = {},
): Record<string, Value> {
  const next = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return Object.fromEntries(next);
}

/** Two changes as one; the later counts. */
function join(one: ChangeTestData, other: ChangeTestData): ChangeTestData {
  return { inputs: { ...one.inputs, ...other.inputs }, pins: { ...one.pins, ...other.pins } };
}

/** Inputs and pins of a workflow, which all its editors share; `may`: whether this person is one. */
export function useTestData(kind: WorkflowKind, workflowId: number, may: boolean): TestDataState {
  const path = `${kind.resource}/${workflowId}/test-data`;
  const [data, setData] = useState<TestData>(NONE);
  const [failure, setFailure] = useState<unknown>(null);
  const unsent = useRef<ChangeTestData | null>(null);
  const sending = useRef(false);
  const takeEarlier = useEarlier(`${kind.resource}.${workflowId}`);

  const send = useCallback(async (): Promise<void> => {
    if (sending.current || unsent.current === null) return;
    sending.current = true;
    const change = unsent.current;
    unsent.current = null;
    try {
      const { json } = await api(path, { method: "PATCH", body: change });
      setFailure(null);
      // cast: the shape of the test data route
      if (unsent.current === null) setData(json as TestData);
    } catch (error) {
      unsent.current = join(change, unsent.current ?? {});
      setFailure(error);
      return;
    } finally {
      sending.current = false;
    }
    await send();
  }, [path]);

  const change = useCallback(
    (next: ChangeTestData): void => {
      setData((before) => applyChange(before, next));
      if (!may) return;
      unsent.current = join(unsent.current ?? {}, next);
      void send();
    },
    [may, send],
  );

  useEffect(() => {
    if (!may) return;
    const gone = new AbortController();
    api(path, { signal: gone.signal }).then(
      ({ json }) => {
        const found = json as TestData; // cast: the shape of the test data route
        setData(unsent.current === null ? found : applyChange(found, unsent.current));
        const earlier = takeEarlier(found);
        if (earlier !== null) change(earlier);
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setFailure(error);
      },
    );
    return () => gone.abort();
  }, [may, path, change, takeEarlier]);

  return { data, change, failure, retry: () => void send() };
}

/** What a browser kept before there was a place on the server for it. It moves there once. */
function useEarlier(key: string): (found: TestData) => ChangeTestData | null {
  const store = useStoreContext();
  return useCallback(
    (found) => {
      const inputs: unknown = store.getItem(`editor.inputs.${key}`);
      const pins: unknown = store.getItem(`editor.pins.${key}`);
      store.removeItem(`editor.inputs.${key}`);
      store.removeItem(`editor.pins.${key}`);
      // cast: only the editor wrote these items
      const named = ((inputs ?? []) as { name: string; input: JsonObject }[]).filter(
        ({ name }) => !Object.hasOwn(found.inputs, name),
      );
      const pinned = Object.entries((pins ?? {}) as Record<string, PinnedOutput>).filter(
        ([id]) => !Object.hasOwn(found.pins, id),
      );
      if (named.length === 0 && pinned.length === 0) return null;
      return {
        inputs: Object.fromEntries(named.map(({ name, input }) => [name, input])),
        pins: Object.fromEntries(pinned),
      };
    },
    [store, key],
  );
}
