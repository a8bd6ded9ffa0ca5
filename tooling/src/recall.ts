import { join } from "node:path";
import {
  measureDocuments,
  measureLanguages,
  measureMemory,
  type Recall,
  withInstallation,
} from "./recall/measure-recall.ts";

/*
 * `pnpm recall [--missed]`: how often memory and document search find the right thing among the first five, with the local
 * embeddings: a hundred facts and twenty paraphrased questions; this project's own documents and thirty questions. And how often the search
 * by words finds the sentence among the first three, in seven languages with thirty sentences each.
 */
const root = join(import.meta.dirname, "../..");
const percent = (share: number) => `${Math.round(share * 100)} %`;

function print(title: string, results: Record<string, Recall>, topK = 5): void {
  process.stdout.write(`\n${title}\n\n| | recall@${topK} | first |\n| --- | --: | --: |\n`);
  for (const [name, { recall, first }] of Object.entries(results)) {
    process.stdout.write(`| ${name} | ${percent(recall)} | ${percent(first)} |\n`);
  }
  if (!process.argv.includes("--missed")) return;
  for (const [name, { missed }] of Object.entries(results)) {
    for (const question of missed) process.stdout.write(`missed by ${name}: ${question}\n`);
  }
}

await withInstallation(async (services) => {
  print("Memory: 100 facts, 20 paraphrased questions", await measureMemory(services));
  print("Words in seven languages: 30 sentences each", await measureLanguages(services), 3);
  const started = performance.now();
  const { files, passages, results } = await measureDocuments(services, root);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  print(`Documents: ${files} files, ${passages} passages, 30 questions (${seconds} s with taking in)`, results);
});
