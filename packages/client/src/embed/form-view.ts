import type { EmbedMessage } from "@oven/contract/embed";
import { noteOf, type View, type ViewDeps } from "./chat-view.ts";
import { element } from "./element.ts";
import { EmbedError } from "./embed-source.ts";
import { wordsOfError } from "./embed-words.ts";
import { fieldSet } from "./field-set.ts";
import { questionViews } from "./question-views.ts";

/** The questions of a workflow's input, and what came of the answers. */
export function formView({ source, look, words, signal }: ViewDeps): View {
  const root = element("div", { className: "body" });
  const panel = element("div", { className: "log", attributes: { role: "status" }, hidden: true });
  const problem = element("p", { className: "problem", attributes: { role: "alert" } });
  const send = element("button", { className: "main", type: "submit" }, look.form.submitLabel || words.send);
  const fields = fieldSet(look.fields, words);
  const form = element(
    "form",
    { className: "fields", noValidate: true },
    ...(look.theme.greeting === "" ? [] : [element("p", { className: "note" }, look.theme.greeting)]),
    ...fields.roots,
    send,
  );
  const fail = (error: unknown) => {
    if (signal.aborted) return;
    problem.textContent = wordsOfError(words, error instanceof EmbedError ? error.code : "INTERNAL");
    console.error(error instanceof Error ? error.message : error);
  };
  const submit = async () => {
    problem.textContent = "";
    const values = fields.values();
    if (values === undefined) return;
    send.disabled = true;
    try {
      const sent = await source.say({ values });
      form.hidden = true;
      const answer = element("p", { className: "said", hidden: true });
      const note = element("p", { className: "note" });
      const another = element("button", { type: "button", onclick: again }, words.another);
      panel.replaceChildren(
        element("p", {}, look.form.thanks || words.thanks),
        answer,
        note,
        element("div", { className: "row" }, another),
      );
      panel.hidden = false;
      if (!look.form.showAnswer) return;
      another.hidden = true;
      const draw = (now: EmbedMessage) => {
        problem.textContent = "";
        if (now.answer !== null) answer.textContent = now.answer;
        answer.hidden = answer.textContent === "";
        note.textContent = noteOf(now, words);
        asked.draw(now);
        another.hidden = now.status !== "completed" && now.status !== "failed";
      };
      const asked = questionViews({ source, words, onMessage: draw, onFailure: fail });
      note.after(asked.root);
      draw(sent);
      const text = (said: string) => {
        answer.textContent = said;
        answer.hidden = said === "";
      };
      await source.follow(sent.id, { text, message: draw }, signal);
    } catch (error) {
      fail(error);
      if (error instanceof EmbedError) fields.showProblems(error.problems);
    } finally {
      send.disabled = false;
    }
  };
  const again = () => {
    form.reset();
    form.hidden = false;
    panel.hidden = true;
    // One submission is one conversation.
    void source.restart();
    fields.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  root.append(form, panel, problem);
  return { root, focus: fields.focus };
}
