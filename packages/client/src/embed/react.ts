import { createElement, type ReactElement, useEffect, useRef } from "react";
import { EmbedConnection } from "./embed-connection.ts";
import { mountEmbed } from "./mount-embed.ts";

export interface OvenChatProps {
  /** Origin of the OVEN server. */
  server: string;
  /** Public id of the embed. */
  embed: string;
  /** `inline` (the default): where the component stands; `bubble`: a button in a corner of the window. */
  mode?: "inline" | "bubble";
  /** `de` or `en`; absent: the page's. */
  language?: string;
  /** Such as an origin that is not allowed; absent: it is written to the console. */
  onError?: (error: unknown) => void;
}

/** A chat with, or a form of, what an embed shows. */
export function OvenChat({ server, embed, mode = "inline", language, onError }: OvenChatProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const report = useRef(onError);
  report.current = onError;
  useEffect(() => {
    const container = place.current;
    if (container === null) return;
    const mounted = mountEmbed({ source: new EmbedConnection({ server, embed }), mode, container, language });
    mounted.catch((error: unknown) => {
      if (report.current === undefined) console.error(error instanceof Error ? error.message : error);
      else report.current(error);
    });
    return () => {
      mounted.then(
        (remove) => remove(),
        // It was reported above.
        () => {},
      );
    };
  }, [server, embed, mode, language]);
  return createElement("div", { ref: place });
}
