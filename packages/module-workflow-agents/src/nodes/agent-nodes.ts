import type { NodeDefinition } from "@oven/module-registry";
import { callerToolsNode } from "./caller-tools.node.ts";
import { codeModeNode } from "./code/code.node.ts";
import { runProgramNode } from "./code/run-program.node.ts";
import { writeProgramNode } from "./code/write-program.node.ts";
import { embedNode } from "./embed.node.ts";
import { extractTextNode } from "./extract-text.node.ts";
import { humanReviewNode } from "./human-review.node.ts";
import { imageGenNode } from "./image-gen.node.ts";
import { llmNode } from "./llm.node.ts";
import { memoryReadNode } from "./memory-read.node.ts";
import { memoryWriteNode } from "./memory-write.node.ts";
import { promptNode } from "./prompt.node.ts";
import { ragNode } from "./rag.node.ts";
import { subagentNode } from "./subagent.node.ts";
import { toolExecutorNode } from "./tool-executor.node.ts";
import { toolLoopNode } from "./tool-loop.node.ts";

/** Every node of agents. Adding one: its file, its test, its line here. */
export const agentNodes: NodeDefinition[] = [
  llmNode,
  promptNode,
  toolExecutorNode,
  toolLoopNode,
  callerToolsNode,
  codeModeNode,
  writeProgramNode,
  runProgramNode,
  humanReviewNode,
  memoryReadNode,
  memoryWriteNode,
  embedNode,
  ragNode,
  subagentNode,
  imageGenNode,
  extractTextNode,
];
