/** Programs that reach beyond an isolated workspace. */
interface RemotePrograms {
  readonly names: readonly string[];
  readonly why: string;
}

export const REMOTE_PROGRAM_GROUPS: readonly RemotePrograms[] = [
  { names: ["curl", "wget", "http", "https", "httpie", "aria2c", "lynx", "w3m"], why: "send and fetch" },
  {
    names: ["ssh", "scp", "sftp", "rsync", "mosh", "telnet", "ftp", "nc", "ncat", "netcat", "socat"],
    why: "reach other machines",
  },
  { names: ["gh", "glab", "hub", "svn", "hg", "cvs", "p4", "jj"], why: "reach other repositories" },
  {
    names: ["docker", "podman", "nerdctl", "kubectl", "helm", "oc", "minikube", "vagrant"],
    why: "act on other machines",
  },
  {
    names: [
      "aws",
      "gcloud",
      "gsutil",
      "az",
      "doctl",
      "flyctl",
      "fly",
      "heroku",
      "vercel",
      "netlify",
      "wrangler",
    ],
    why: "act on accounts",
  },
  {
    names: ["terraform", "tofu", "pulumi", "ansible", "ansible-playbook", "packer"],
    why: "act on infrastructure",
  },
  {
    names: [
      "npm",
      "npx",
      "pnpm",
      "pnpx",
      "yarn",
      "bun",
      "bunx",
      "pip",
      "pip3",
      "pipx",
      "uv",
      "uvx",
      "poetry",
      "gem",
      "bundle",
    ],
    why: "fetch and publish packages, and run their hooks",
  },
  {
    names: ["cargo", "mvn", "gradle", "composer", "nuget", "dotnet", "conda", "brew", "nix"],
    why: "fetch and publish packages, and run their hooks",
  },
  {
    names: ["apt", "apt-get", "dpkg", "dnf", "yum", "rpm", "apk", "pacman", "snap", "flatpak"],
    why: "change the machine",
  },
  {
    names: [
      "systemctl",
      "service",
      "launchctl",
      "shutdown",
      "reboot",
      "mount",
      "umount",
      "kill",
      "pkill",
      "killall",
    ],
    why: "act on the machine",
  },
  { names: ["psql", "mysql", "mongosh", "redis-cli", "sqlite3"], why: "act on data elsewhere" },
  { names: ["mail", "mailx", "sendmail", "mutt", "wall", "write"], why: "send messages" },
  { names: ["cd", "pushd", "popd"], why: "lead out of the workspace" },
];

export const REMOTE_PROGRAMS: ReadonlySet<string> = new Set(
  REMOTE_PROGRAM_GROUPS.flatMap((group) => group.names),
);
