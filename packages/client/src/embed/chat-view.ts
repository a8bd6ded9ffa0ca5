import type { EmbedLook, EmbedMessage } from "@oven/contract/embed";
import { element, icon } from "./element.ts";
import { EmbedError, type EmbedSource } from "./embed-source.ts";
import { type EmbedWords, wordsOfError } from "./embed-words.ts";
import { questionViews } from "./question-views.ts";

const SEND = "M5 12h14M13 6l6 6-6 6";

export interface View {
  root: HTMLElement;
  focus(): void;
  /** Another conversation; absent: there is none. */
  restart?: () => Promise<void>;
}

export interface ViewDeps {
  source: EmbedSource;
  look: EmbedLook;
  words: EmbedWords;
  signal: AbortSignal;
}

/** A conversation: what was said, what is being answered, and where to write. */
export function chatView({ source, look, words, signal }: ViewDeps): View {
  const log = element("div", { className: "log", attributes: { role: "log", "aria-label": words.log, tabindex: "0" } });
  const problem = element("p", { className: "problem", attributes: { role: "alert" } });
  const input = element("textarea", {
    rows: 1,
    maxLength: look.messageLength,
    placeholder: look.theme.placeholder || words.message,
    attributes: { "aria-label": words.message },
  });
  const send = element(
    "button",
    { className: "main", type: "submit", attributes: { "aria-label": words.send } },
    icon(SEND),
  );
  const form = element("form", { className: "write" }, input, send);
  const root = element("div", { className: "body" }, log, problem, form);
  let isBusy = false;
  /** What was said before is there, or could not be read. */
  let isRead = false;
  /** What stands in the field is sent once it is. */
  let isWanted = false;

  const toEnd = () => {
    log.scrollTop = log.scrollHeight;
  };
  const showSending = () => {
    send.disabled = isBusy || isWanted;
    send.setAttribute("aria-busy", String(isWanted));
  };
  const setBusy = (busy: boolean) => {
    isBusy = busy;
    showSending();
  };
  const setWanted = (wanted: boolean) => {
    isWanted = wanted;
    showSending();
  };
  const fail = (error: unknown) => {
    if (signal.aborted) return;
    const code = error instanceof EmbedError ? error.code : "INTERNAL";
    problem.textContent = wordsOfError(words, code);
    console.error(error instanceof Error ? error.message : error);
  };

  const show = async (message: EmbedMessage) => {
    const answer = element("p", { className: "said", hidden: true });
    const note = element("p", { className: "note" });
    const onMessage = (now: EmbedMessage) => {
      problem.textContent = "";
      draw(now);
    };
    const asked = questionViews({ source, words, onMessage, onFailure: fail });
    log.append(
      element(
        "p",
        { className: "said own" },
        element("span", { className: "unseen" }, `${words.you}: `),
        message.message,
      ),
      answer,
      note,
      asked.root,
    );
    const draw = (now: EmbedMessage) => {
      const text = now.answer ?? answer.textContent;
      answer.textContent = now.status === "failed" ? "" : text;
      answer.hidden = answer.textContent === "";
      // A screen reader reads the answer once, when it is whole.
      answer.setAttribute("aria-busy", String(now.status === "working"));
      note.className = `note ${now.status}`;
      note.textContent = noteOf(now, words);
      asked.draw(now);
      toEnd();
    };
    draw(message);
    if (message.status === "completed" || message.status === "failed") return;
    setBusy(true);
    try {
      await source.follow(
        message.id,
        {
          text: (text) => {
            answer.textContent = text;
            answer.hidden = text === "";
            toEnd();
          },
          message: draw,
        },
        signal,
      );
    } catch (error) {
      note.textContent = "";
      fail(error);
    } finally {
      setBusy(false);
    }
  };

  const submit = async () => {
    const message = input.value.trim();
    if (message === "" || isBusy) return;
    problem.textContent = "";
    if (!isRead) {
      setWanted(true);
      return;
    }
    setBusy(true);
    input.value = "";
    try {
      const said = await source.say({ message }).catch((error: unknown) => {
        // It was not sent: it is there again, unless something else is.
        if (input.value === "") input.value = message;
        throw error;
      });
      await show(said);
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  });

  // Half of the next sentence is not sent with the one before.
  input.addEventListener("input", () => setWanted(false));

  const begin = () => {
    log.replaceChildren();
    if (look.theme.greeting !== "") log.append(element("p", { className: "said" }, look.theme.greeting));
  };
  begin();
  /** What was said before is not shown in the conversation after it. */
  let isRestarted = false;
  const readBefore = async () => {
    let isThere = false;
    try {
      const before = await source.messages();
      if (!isRestarted) for (const message of before) void show(message);
      isThere = true;
    } catch (error) {
      fail(error);
    }
    isRead = true;
    const wanted = isWanted;
    setWanted(false);
    // Where an answer is being made, it stays in the field.
    if (wanted && isThere) void submit();
  };
  void readBefore();
  return {
    root,
    focus: () => input.focus(),
    restart: async () => {
      await source.restart().then(() => {
        isRestarted = true;
        begin();
      }, fail);
      input.focus();
    },
  };
}

/** What is said of an answer that is not there. */
export function noteOf({ status, questions }: EmbedMessage, words: EmbedWords): string {
  if (status === "working") return words.working;
  if (status === "failed") return words.failed;
  if (status === "completed") return "";
  return questions.length > 0 ? words.asked : words.waiting;
}
