import type { RecognitionLanguage } from "@oven/contract/ai";
import { api } from "@oven/ui/api/api-client.ts";
import { useRef, useState } from "react";
import { fileProblem } from "./document-words.ts";

export interface Upload {
  id: number;
  file: File;
  /** That pages without text are recognized in; null: as the document of this name has it. */
  languages: readonly RecognitionLanguage[] | null;
  state: "waiting" | "sending" | "failed";
  failure: unknown;
  /** It was not sent at all, and will not be. */
  isRefused: boolean;
}

interface Uploads {
  /** Those that are not there yet: what was taken is in the list of documents. */
  uploads: Upload[];
  add: (files: readonly File[], languages: readonly RecognitionLanguage[] | null) => void;
  retry: (id: number) => void;
  dismiss: (id: number) => void;
}

/** Sends files one after the other, so that one that fails keeps none of the others. */
export function useUploads(storeId: number, onAdded: () => void): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const line = useRef<Upload[]>([]);
  const isSending = useRef(false);
  const next = useRef(1);

  const set = (id: number, change: Partial<Upload> | null): void =>
    setUploads((all) => all.flatMap((one) => (one.id !== id ? [one] : change === null ? [] : [{ ...one, ...change }])));
  const work = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    for (let upload = line.current.shift(); upload !== undefined; upload = line.current.shift()) {
      const { id, file, languages } = upload;
      set(id, { state: "sending", failure: null });
      try {
        const form = new FormData();
        form.set("file", file);
        form.set("key", file.name.slice(0, 200));
        if (languages !== null) {
          form.set("recognizeText", "true");
          form.set("recognitionLanguages", languages.join(","));
        }
        await api(`vector-stores/${storeId}/documents/upload`, { method: "POST", form });
        set(id, null);
        onAdded();
      } catch (failure) {
        set(id, { state: "failed", failure });
      }
    }
    isSending.current = false;
  };
  const send = (added: readonly Upload[]): void => {
    line.current.push(...added.filter(({ state }) => state === "waiting"));
    void work();
  };
  return {
    uploads,
    add(files, languages) {
      const added = files.map((file): Upload => {
        const problem = fileProblem(file);
        const id = next.current++;
        if (problem === null) return { id, file, languages, state: "waiting", failure: null, isRefused: false };
        return { id, file, languages, state: "failed", failure: new Error(problem), isRefused: true };
      });
      setUploads((all) => [...all, ...added]);
      send(added);
    },
    retry(id) {
      const again = uploads.find((upload) => upload.id === id);
      if (again === undefined) return;
      set(id, { state: "waiting", failure: null });
      send([{ ...again, state: "waiting" }]);
    },
    dismiss: (id) => set(id, null),
  };
}
