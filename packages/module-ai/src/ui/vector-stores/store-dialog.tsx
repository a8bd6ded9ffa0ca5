import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { ModelField } from "@oven/ui/components/model-field.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { type ReactElement, useState } from "react";

const METRICS: readonly { value: VectorStore["metric"]; label: string }[] = [
  { value: "cosine", label: t("Cosine: what texts mean, however long") },
  { value: "dot", label: t("Dot product: as the model was trained") },
  { value: "euclidean", label: t("Euclidean distance") },
];
const LANGUAGES: readonly { value: VectorStore["language"]; label: string }[] = [
  { value: "english", label: t("English: finds other endings of a word") },
  { value: "simple", label: t("Any: words as they are written") },
];

/** Makes a vector store, or renames one. */
export function StoreDialog({
  store,
  onClose,
}: {
  store: VectorStore | null;
  onClose: (saved: VectorStore | null) => void;
}): ReactElement {
  const [name, setName] = useState(store?.name ?? "");
  const [description, setDescription] = useState(store?.description ?? "");
  const [embeddingModel, setEmbeddingModel] = useState(store?.embeddingModel ?? "embed");
  const [metric, setMetric] = useState<VectorStore["metric"]>("cosine");
  const [language, setLanguage] = useState<VectorStore["language"]>("english");
  const named = { name: name.trim(), description: description.trim() === "" ? null : description.trim() };
  return (
    <FormDialog
      title={store === null ? t("New vector store") : t("Vector store “{{name}}”", { name: store.name })}
      submitLabel={store === null ? t("Make it") : t("Save")}
      failureTitle={store === null ? t("The store was not made") : t("The store was not changed")}
      usable={named.name !== "" && embeddingModel.trim() !== ""}
      onClose={() => onClose(null)}
      onSubmit={async () => {
        const { json } = await (store === null
          ? api("vector-stores", { method: "POST", body: { ...named, embeddingModel, metric, language } })
          : api(`vector-stores/${store.id}`, { method: "PUT", body: named }));
        onClose(json as VectorStore); // cast: the shape of the route
      }}
    >
      <TextField autoFocus required label={t("Name")} value={name} onChange={(event) => setName(event.target.value)} />
      <TextField
        multiline
        minRows={2}
        label={t("What is in it")}
        helperText={t("Agents read this to know when to look here")}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {store === null ? (
        <>
          <ModelField
            required
            label={t("Embedding model")}
            helperText={t("It stays with the store: vectors of different models cannot be compared")}
            value={embeddingModel}
            onChange={setEmbeddingModel}
          />
          <TwoColumns>
            <ChoiceField label={t("How alike")} value={metric} choices={METRICS} onChange={setMetric} />
            <ChoiceField
              label={t("Language of the words")}
              value={language}
              choices={LANGUAGES}
              onChange={setLanguage}
            />
          </TwoColumns>
          <Typography variant="body2" color="text.secondary">
            {t(
              "Documents are cut into passages of up to 800 characters that stay inside one section; each begins with the end of the one before.",
            )}
          </Typography>
        </>
      ) : null}
    </FormDialog>
  );
}
