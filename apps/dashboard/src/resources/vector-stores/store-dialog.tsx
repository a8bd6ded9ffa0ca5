import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { VectorStore } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { FormDialog } from "../../components/form-dialog.tsx";
import { ModelField } from "../../components/model-field.tsx";
import { api } from "../../providers/api-client.ts";

const METRICS: readonly { value: VectorStore["metric"]; label: string }[] = [
  { value: "cosine", label: "Cosine: what texts mean, however long" },
  { value: "dot", label: "Dot product: as the model was trained" },
  { value: "euclidean", label: "Euclidean distance" },
];
const LANGUAGES: readonly { value: VectorStore["language"]; label: string }[] = [
  { value: "english", label: "English: finds other endings of a word" },
  { value: "simple", label: "Any: words as they are written" },
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
      title={store === null ? "New vector store" : `Vector store “${store.name}”`}
      submitLabel={store === null ? "Make it" : "Save"}
      failureTitle={store === null ? "The store was not made" : "The store was not changed"}
      usable={named.name !== "" && embeddingModel.trim() !== ""}
      onClose={() => onClose(null)}
      onSubmit={async () => {
        const { json } = await (store === null
          ? api("vector-stores", { method: "POST", body: { ...named, embeddingModel, metric, language } })
          : api(`vector-stores/${store.id}`, { method: "PUT", body: named }));
        onClose(json as VectorStore); // cast: the shape of the route
      }}
    >
      <TextField autoFocus required label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <TextField
        multiline
        minRows={2}
        label="What is in it"
        helperText="Agents read this to know when to look here"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {store === null ? (
        <>
          <ModelField
            required
            label="Embedding model"
            helperText="It stays with the store: vectors of different models cannot be compared"
            value={embeddingModel}
            onChange={setEmbeddingModel}
          />
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <TextField
              select
              label="How alike"
              value={metric}
              // cast: one of the choices
              onChange={(event) => setMetric(event.target.value as VectorStore["metric"])}
            >
              {METRICS.map(({ value, label }) => (
                <MenuItem key={value} value={value}>
                  {label}
                </MenuItem>
              ))}
            </TextField>
            <TextField
              select
              label="Language of the words"
              value={language}
              // cast: one of the choices
              onChange={(event) => setLanguage(event.target.value as VectorStore["language"])}
            >
              {LANGUAGES.map(({ value, label }) => (
                <MenuItem key={value} value={value}>
                  {label}
                </MenuItem>
              ))}
            </TextField>
          </Box>
          <Typography variant="body2" color="text.secondary">
            Documents are cut into passages of up to 800 characters that stay inside one section; each begins with the
            end of the one before.
          </Typography>
        </>
      ) : null}
    </FormDialog>
  );
}
