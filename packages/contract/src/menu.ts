/** The parts of the dashboard's menu, from top to bottom. The first has no heading; the last is folded until it is opened. */
export const MENU_SECTIONS = ["Start", "Agent Workflows", "Settings"] as const;

/** An entry of the dashboard's menu, as the module that brings its page declares it. */
export interface MenuItem {
  section: (typeof MENU_SECTIONS)[number];
  /** Place within its section, smallest first. */
  order: number;
  /** English; it is translated where it is shown. */
  title: string;
  /** Path of the page. */
  to: string;
  /** Further paths whose pages belong to the entry: it is marked as the current one there too. */
  also?: readonly string[];
  /** Any one of them shows the entry. Absent: everybody sees it. */
  permissions?: readonly string[];
  /** Only people of the installation's own tenant see it. */
  installation?: boolean;
}

/** A list of the API that React Admin reads and writes: `GET /api/{name}` and what follows from it. */
export interface ResourceInfo {
  /** First part of its paths. */
  name: string;
  /** English; it is translated where it is shown. */
  title: string;
}
