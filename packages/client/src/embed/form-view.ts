import type { View, ViewDeps } from "./chat-view.ts";
import { element } from "./element.ts";
import { EmbedError } from "./embed-source.ts";
import { wordsOfError } from "./embed-words.ts";
import { type FieldView, fieldView } from "./field-view.ts";

/** The questions of a workflow's input, and what came of the answers. */
export function formView({ source, look, words, signal }: ViewDeps): View {
  const root = element("div", { className: "body" });
  const panel = element("div", { className: "log", attributes: { role: "status" }, hidden: true });
  const problem = element("p", { className: "problem", attributes: { role: "alert" } });
  const send = element("button", { className: "main", type: "submit" }, look.form.submitLabel || words.send);
  const fields: FieldView[] = look.fields.map((field) => fieldView(field, words));
  const form = element(
    "form",
    { className: "fields", noValidate: true },
    ...(look.theme.greeting === "" ? [] : [element("p", { className: "note" }, look.theme.greeting)]),
    ...fields.map(({ root }) => root),
    send,
  );
  const showProblems = (problems: readonly { path: string; message: string }[]) => {
    for (const field of fields) {
      const path = `$.${field.name}`;
      field.problem(problems.find((one) => one.path === path || one.path.startsWith(`${path}[`))?.message ?? "");
    }
    fields.find(({ isInvalid }) => isInvalid())?.focus();
  };
  const submit = async () => {
    problem.textContent = "";
    const missing = fields.flatMap((field) => field.complaint() ?? []);
    showProblems(missing);
    if (missing.length > 0) return;
    send.disabled = true;
    try {
      const values = Object.fromEntries(
        fields.map(({ name, value }) => [name, value()]).filter(([, value]) => value !== undefined),
      );
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
      const draw = ({ status, answer: text }: { status: string; answer: string | null }) => {
        if (text !== null) answer.textContent = text;
        answer.hidden = answer.textContent === "";
        note.textContent =
          status === "waiting"
            ? words.waiting
            : status === "failed"
              ? words.failed
              : status === "working"
                ? words.working
                : "";
        another.hidden = status !== "completed" && status !== "failed";
      };
      draw(sent);
      const text = (said: string) => draw({ status: "working", answer: said });
      await source.follow(sent.id, { text, message: draw }, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { code, problems } = error instanceof EmbedError ? error : new EmbedError("INTERNAL", 0, "");
      problem.textContent = wordsOfError(words, code);
      showProblems(problems);
      console.error(error instanceof Error ? error.message : error);
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
    fields[0]?.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  root.append(form, panel, problem);
  return { root, focus: () => fields[0]?.focus() };
}
