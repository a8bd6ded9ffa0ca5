import type { Execution, ExecutionKind, FailureGroup } from "@oven/contract/run";
import type { MenuItem, ResourceInfo } from "@oven/contract/system";
import type { Words } from "@oven/i18n";
import { type ComponentType, createContext, lazy, type ReactElement, useContext } from "react";

/** The pages that React Admin has for one list of the API. */
export interface ResourcePages {
  list?: ComponentType | ReactElement;
  create?: ComponentType | ReactElement;
  edit?: ComponentType | ReactElement;
  show?: ComponentType | ReactElement;
}

/** A page with a path of its own, such as `/vector-stores/:id/documents/:documentId`. */
export interface UiPage {
  path: string;
  element: ReactElement;
}

/** What is asked for a new trigger of the workflow that is edited. */
export interface NewTriggerProps {
  kind: ExecutionKind;
  /** Id of a kind of trigger, such as `schedule`; null: the person chooses one. */
  type: string | null;
  /** Whether it fires from the time it is saved. */
  enabled: boolean;
  /** The id of the workflow. A workflow that is not stored yet is stored by this call. */
  workflowId: () => Promise<number>;
  onSaved: () => void;
  onClose: () => void;
}

/** What a button on the page of a run is about. */
export interface RunActionProps {
  run: Execution;
}

/** What a button about runs that failed in the same way is about. */
export interface FailureActionProps {
  group: FailureGroup;
}

/** Whose scores stand above the panel. */
export interface ScoresPanelProps {
  kind: ExecutionKind;
  workflowId: number;
}

/** What a module brings to the dashboard. The index file that makes it holds no words: it is loaded before the language is. */
export interface UiModule {
  /** Lists of the API, as the module's server declares them. */
  resources: readonly ResourceInfo[];
  /** Entries of the menu, as the module's server declares them. */
  menuItems: readonly MenuItem[];
  /** Icons of the menu's entries, by their path. */
  icons: Readonly<Record<string, ComponentType>>;
  /** Numbers beside the menu's entries, by their path: hooks, since they are read from the API. */
  counts?: Readonly<Record<string, () => number | undefined>>;
  /** Pages of the resources, by name. A resource without pages is data of other pages. */
  resourcePages?: Readonly<Record<string, ResourcePages>>;
  /** Pages within the dashboard's frame. */
  pages?: readonly UiPage[];
  /** Pages that take the whole window. */
  fullPages?: readonly UiPage[];
  /** Stands beside the brand, on every page. */
  header?: ComponentType;
  /** Stands above every page. */
  bar?: ComponentType;
  /** Asks, in a sheet over the editor of a workflow, for a new trigger that starts it. */
  newTrigger?: ComponentType<NewTriggerProps>;
  /** A button on the page of a run. */
  runAction?: ComponentType<RunActionProps>;
  /** A button of a group of runs that failed in the same way. */
  failureAction?: ComponentType<FailureActionProps>;
  /** Stands below the scores of a workflow's runs. */
  scoresPanel?: ComponentType<ScoresPanelProps>;
  /** A part of the account page. */
  accountPanel?: ComponentType;
  /** What is to be done while the person is still signed in. */
  beforeSignOut?(): Promise<void>;
  /** Its words: the German ones by the English ones, and the English singulars of sentences that count. */
  words: Words;
}

/**
 * A component that is loaded when it is first shown.
 * @param load such as `() => import("./trigger-list.tsx")`
 * @param name what the loaded file exports it as
 */
export function lazyPage<File, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
): ComponentType<PropsOf<File[Name]>> {
  const component = async () => ({ default: (await load())[name] as ComponentType<unknown> }); // cast: see `PropsOf`
  return lazy(component) as ComponentType<PropsOf<File[Name]>>; // cast: `lazy` hands on the same properties
}

type PropsOf<Exported> = Exported extends (props: infer Props) => unknown ? Props : never;

/** The modules of this dashboard, for pages that show parts of several. */
export const UiModulesContext = createContext<readonly UiModule[]>([]);

/** The modules of this dashboard. */
export function useUiModules(): readonly UiModule[] {
  return useContext(UiModulesContext);
}
