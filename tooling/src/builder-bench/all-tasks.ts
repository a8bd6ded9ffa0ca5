import type { BenchTask } from "./task.ts";
import { easyBuild } from "./tasks/easy-build.ts";
import { easyRepair } from "./tasks/easy-repair.ts";
import { hardBuildDays } from "./tasks/hard-build-days.ts";
import { hardBuildFlows } from "./tasks/hard-build-flows.ts";
import { hardBuildLists } from "./tasks/hard-build-lists.ts";
import { hardBuildPages } from "./tasks/hard-build-pages.ts";
import { hardRepair } from "./tasks/hard-repair.ts";
import { mediumBuildData } from "./tasks/medium-build-data.ts";
import { mediumBuildMail } from "./tasks/medium-build-mail.ts";
import { mediumBuildMore } from "./tasks/medium-build-more.ts";
import { mediumRepair } from "./tasks/medium-repair.ts";
import { mediumRepairData } from "./tasks/medium-repair-data.ts";

/** 20 easy, 25 medium and 15 hard ones; 40 are built and 20 repaired. */
export const allTasks: readonly BenchTask[] = [
  ...easyBuild,
  ...easyRepair,
  ...mediumBuildMail,
  ...mediumBuildData,
  ...mediumBuildMore,
  ...mediumRepair,
  ...mediumRepairData,
  ...hardBuildFlows,
  ...hardBuildDays,
  ...hardBuildLists,
  ...hardBuildPages,
  ...hardRepair,
];
