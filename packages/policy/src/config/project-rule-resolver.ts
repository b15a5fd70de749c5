import {
  type Clock,
  namedOptions,
  type RuleResolver,
  type RuleSet,
  systemClock,
  type WorkspaceReader,
} from "@x/permission-core";
import { loadConfigFile } from "./files/load-config-file.js";
import { ownFiles, projectFiles } from "./files/permission-files.js";
import { readFileText } from "./files/read-file-text.js";
import { WatchedFile } from "./files/watched-file.js";
import type { PermissionFilesOptions } from "./permission-files-options.js";
import { uniteRuleSets } from "./unite-rule-sets.js";

/** Which permission files are read, beside those of the project that each call names. */
export interface ProjectRuleResolverOptions extends PermissionFilesOptions {
  /** Tells how long a project's file has been as it is; default the host's. */
  clock?: Clock;
}

/** What is needed of the options at each project. */
const OF_PROJECTS = { trustProject: true, claudeSettings: true, knownTools: true, toolKinds: true } as const;

/** What a project's files said when they were looked at last. */
interface Project {
  readonly files: readonly WatchedFile[];
  latest: { readonly sets: readonly RuleSet[]; readonly united: RuleSet } | null;
}

/**
 * The rules of all permission files, the strongest scope first. Files of the machine, the command line and the user are
 * read once, before the constructor returns, so that no call is decided without them. Files of the project are looked at in
 * every `resolve`, through the workspace: what changed there holds for the very call. While one of them cannot be read or
 * trusted, the set is `failClosed`; it opens again once that is mended. Always synchronous and never throws; gives the same
 * object as long as nothing changed. Without a workspace there are no project files.
 */
export class ProjectRuleResolver implements RuleResolver {
  readonly #options: Pick<PermissionFilesOptions, keyof typeof OF_PROJECTS>;
  readonly #clock: Clock;
  readonly #strong: readonly RuleSet[];
  readonly #user: readonly RuleSet[];
  readonly #withoutProject: RuleSet;
  readonly #projects = new WeakMap<WorkspaceReader, Project>();

  constructor(options: ProjectRuleResolverOptions = {}) {
    const { strong, user } = ownFiles(options);
    const { readFile = readFileText } = options;
    this.#options = namedOptions(options, OF_PROJECTS);
    this.#clock = options.clock ?? systemClock;
    this.#strong = strong.map((file) => loadConfigFile(file, readFile));
    this.#user = user.map((file) => loadConfigFile(file, readFile));
    this.#withoutProject = this.#unite([]);
  }

  resolve(workspace: WorkspaceReader | undefined): RuleSet {
    if (workspace === undefined) return this.#withoutProject;
    const project = this.#projectOf(workspace);
    const sets = project.files.map((file) => file.look());
    const { latest } = project;
    if (latest !== null && sets.every((set, index) => set === latest.sets[index])) return latest.united;
    const united = this.#unite(sets);
    project.latest = { sets, united };
    return united;
  }

  #projectOf(workspace: WorkspaceReader): Project {
    const known = this.#projects.get(workspace);
    if (known !== undefined) return known;
    const now = () => this.#clock.now();
    const files = projectFiles(workspace, this.#options).map((file) => new WatchedFile(file, workspace, now));
    const project = { files, latest: null };
    this.#projects.set(workspace, project);
    return project;
  }

  #unite(project: readonly RuleSet[]): RuleSet {
    return uniteRuleSets([...this.#strong, ...project, ...this.#user], this.#options);
  }
}
