import type { JsonObject } from "@oven/contract";
import type { DecideEmbedQuestion, EmbedMessage, EmbedQuestion } from "@oven/contract/embed";
import { element } from "./element.ts";
import { EmbedError, type EmbedSource } from "./embed-source.ts";
import type { EmbedWords } from "./embed-words.ts";
import { type FieldSet, fieldSet } from "./field-set.ts";

export interface QuestionViewsOptions {
  source: EmbedSource;
  words: EmbedWords;
  /** The message as it is after an answer. */
  onMessage: (message: EmbedMessage) => void;
  onFailure: (error: unknown) => void;
}

export interface QuestionViews {
  root: HTMLElement;
  draw(message: EmbedMessage): void;
}

/** What the run of a message asks its visitor: to say yes or no, or to fill in a form. */
export function questionViews({ source, words, onMessage, onFailure }: QuestionViewsOptions): QuestionViews {
  const root = element("div", { className: "questions" });
  /** A message that comes again must not empty a form that is half filled in. */
  let shown = new Map<string, HTMLElement>();

  const viewOf = (id: number, { id: question, title, text, digest, fields }: EmbedQuestion): HTMLElement => {
    const set: FieldSet | null = fields === null ? null : fieldSet(fields, words);
    const answerWith = async (decision: DecideEmbedQuestion) => {
      const buttons = [...view.querySelectorAll("button")];
      for (const button of buttons) button.disabled = true;
      try {
        onMessage(await source.decide(id, decision));
      } catch (error) {
        if (error instanceof EmbedError) set?.showProblems(error.problems);
        onFailure(error);
      } finally {
        for (const button of buttons) button.disabled = false;
      }
    };
    const say = (action: "approve" | "reject") => () => void answerWith({ question, digest, action });
    const submit = (event: Event) => {
      event.preventDefault();
      const data = set?.values();
      // cast: values of controls are JSON
      if (data !== undefined) void answerWith({ question, digest, action: "submit", data: data as JsonObject });
    };
    const buttons =
      set === null
        ? [
            element("button", { type: "button", className: "main", onclick: say("approve") }, words.approve),
            element("button", { type: "button", onclick: say("reject") }, words.reject),
          ]
        : [element("button", { type: "submit", className: "main" }, words.send)];
    const content = [
      element("p", {}, title),
      ...(text === null ? [] : [element("p", { className: "note" }, text)]),
      ...(set?.roots ?? []),
      element("div", { className: "row" }, ...buttons),
    ];
    const attributes = { role: "group", "aria-label": title };
    const view: HTMLElement =
      set === null
        ? element("div", { className: "question", attributes }, ...content)
        : element("form", { className: "question", attributes, noValidate: true, onsubmit: submit }, ...content);
    return view;
  };

  return {
    root,
    draw: ({ id, questions }) => {
      const next = new Map<string, HTMLElement>();
      for (const question of questions) {
        const key = `${question.id} ${question.digest}`;
        next.set(key, shown.get(key) ?? viewOf(id, question));
      }
      // What stays where it is keeps its focus.
      for (const [key, view] of shown) if (!next.has(key)) view.remove();
      for (const view of next.values()) if (!view.isConnected) root.append(view);
      shown = next;
    },
  };
}
