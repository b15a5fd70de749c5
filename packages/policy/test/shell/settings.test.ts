// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

function isOpaque(command: string): boolean {
  return analyzeShell(command, { dialect: "bash" }).opaque !== null;
}

describe("git config", () => {
  it.each([
    "git config core.fsmonitor canary",
    "git config --global core.hooksPath x",
    "git config alias.x '!canary'",
    "git config --add alias.x '!canary'",
    "git config set alias.x canary",
    "git config --replace-all pager.log canary",
    "git config CORE.pager canary",
    "git config core.sshCommand canary",
    "git config filter.x.clean canary",
    "git config include.path x",
    "git config url.x.insteadOf y",
    'git config "$KEY" x',
    "git config $X",
    "git config user.name x -f other",
    "git config --file other user.name x",
    "git config -e",
    "git config --edit",
    "git config edit",
    "git config --rename-section a b",
    "git -C x config alias.x y",
    "git config --get-colour alias.x y",
  ])("is opaque where a setting may name a program: %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each([
    "git config user.email a@b.c",
    'git config user.name "$NAME"',
    "git config --global pull.rebase true",
    "git config set init.defaultBranch main",
    "git config branch.main.remote origin",
    "git config core.autocrlf input",
    "git config --get core.pager",
    "git config get core.pager",
    "git config core.pager",
    "git config --list --show-origin",
    "git config -l",
    "git config list",
    "git config --unset core.pager",
    "git config",
  ])("may be trusted otherwise: %s", (command) => {
    expect(isOpaque(command)).toBe(false);
  });
});

describe("an option that names what a program runs", () => {
  it.each([
    "git remote-ext origin canary",
    "git fetch ext::canary",
    "git remote add x 'ext::canary %S'",
    "git archive --remote=ext::canary HEAD",
    "sdiff --diff-program=canary a b",
    "zless +!canary f",
    "xzmore +!canary f",
    "bat --pager canary f",
    "install -s --strip-program=canary a b",
    "fd -x canary",
    "fd -HX canary",
    "pandoc -F canary f",
    "kubectl get pods --kubeconfig=f",
    "helm install x --post-renderer canary",
    "hg --config alias.x=!canary x",
    "svn diff --diff-cmd canary",
    "npm test --script-shell=canary",
    "npm test -script-shell canary",
    "npm -node-options=x test",
    "npm config set script-shell canary",
    "pnpm install --config.script-shell=canary",
    "pnpm install --pnpmfile x.cjs",
    "npm --shell canary explore x",
    "npm --userconfig f test",
    "go env -w CC=canary",
    "git merge-index canary -a",
    "openssl req -config f",
    "python3 -m cProfile -m timeit x",
    "tsx -e x",
    "rename 's/a/b/e' f",
    "dc -e '!canary'",
    "run-parts d",
    "ssh-agent canary",
    "chronic canary",
  ])("is opaque: %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each([
    "npm install --global x",
    "npm run test -- --git --shell",
    "npx playwright test --browser=firefox",
    "fd -e tsx x",
    "fd -etsx x",
    "kubectl get pods -o wide",
    "install -m 755 a b",
    "go env GOPATH",
    "pandoc -f markdown -oF.html f",
  ])("is none of those: %s", (command) => {
    expect(isOpaque(command)).toBe(false);
  });
});

describe("a variable that loads code into a program", () => {
  it.each([
    "DOTNET_STARTUP_HOOKS=x.dll dotnet test",
    "DOTNET_GCPath=x.so dotnet test",
    "env COMPlus_GCName=x.so dotnet test",
    "export DOTNET_HOST_PATH=canary",
    "MSBuildSDKsPath=d dotnet build",
    "NUGET_PLUGIN_PATHS=canary dotnet restore",
    "GNUPGHOME=d gpg -d a",
    "export ZDOTDIR=d",
    "APT_CONFIG=f apt-get update",
    "BAT_OPTS=--pager=canary bat f",
    "BAT_CONFIG_PATH=f bat f",
    "FZF_DEFAULT_OPTS_FILE=f fzf",
    "CAML_LD_LIBRARY_PATH=d ocaml x",
    "CCC_OVERRIDE_OPTIONS=+-fplugin=x.so clang x.c",
    "CC_LOG_DIAGNOSTICS_FILE=f clang x.c",
    "CC_PRINT_OPTIONS_FILE=f clang x.c",
    "DBUS_SESSION_BUS_ADDRESS=unixexec:path=canary busctl list",
    "ESBUILD_BINARY_PATH=canary npx esbuild x",
    "GIO_EXTRA_MODULES=d gio list",
    "GIO_MODULE_DIR=d gio list",
    "IPYTHONDIR=d ipython x.py",
    "IRBRC=f irb",
    "M4=canary bison x.y",
    "MPLBACKEND=module://x pytest",
    "MPLBACKEND=$B pytest",
    "MPLBACKEND+=Agg pytest",
    "export MPLBACKEND=module://x",
    "export MPLBACKEND",
    "env MPLBACKEND=module://x pytest",
    "JDK_JAVAC_OPTIONS='-d .git' javac A.java",
    "NODE_REDIRECT_WARNINGS=f node x.js",
    "NODE_V8_COVERAGE=d node x.js",
    "OMP_TOOL_LIBRARIES=x.so ./a",
    "QT_QPA_PLATFORM_PLUGIN_PATH=d qtapp",
    "TS_NODE_PROJECT=f ts-node x.ts",
    "VALGRIND_LIB=d valgrind ls",
  ])("is opaque: %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each([
    ...[
      "Agg",
      '"Agg"',
      "TkAgg",
      "QtAgg",
      "Qt5Cairo",
      "GTK4Agg",
      "WXAgg",
      "WebAgg",
      "nbAgg",
      "MacOSX",
      "svg",
    ].map((backend) => `MPLBACKEND=${backend} pytest`),
    "export MPLBACKEND=Agg",
    "env MPLBACKEND=Agg pytest",
  ])("is none where it names what the program brings along: %s", (command) => {
    expect(isOpaque(command)).toBe(false);
  });
});

describe("a variable that a shell takes for a number", () => {
  it.each([
    "for SECONDS in 'a[$(canary)]'; do true; done",
    "for RANDOM in 'a[$(canary)]'; do true; done",
    "RANDOM='a[$(canary)]'",
    "SRANDOM='a[$(canary)]' true",
    "echo ${RANDOM:='a[$(canary)]'}",
    "read HISTCMD",
    "SECONDS=x",
    "SECONDS=(0)",
    "RANDOM=$x",
  ])("is not given any text: %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each(["SECONDS=0", "RANDOM=42", "OPTIND=1"])("may be given a number: %s", (command) => {
    expect(isOpaque(command)).toBe(false);
  });
});
