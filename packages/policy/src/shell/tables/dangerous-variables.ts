/** A variable whose assignment changes what later words, or the programs they start, mean. */
interface DangerousVariable {
  /** a trailing `*` stands for any rest */
  readonly names: readonly string[];
  readonly why: string;
}

export const DANGEROUS_VARIABLES: readonly DangerousVariable[] = [
  { names: ["PATH", "CDPATH", "FPATH"], why: "where programs and folders are looked up" },
  { names: ["IFS"], why: "where words split" },
  { names: ["ENV", "ZDOTDIR", "BASH*"], why: "files that shells run when they start, and bash's own tables" },
  { names: ["SHELLOPTS", "POSIXLY_CORRECT", "FUNCNEST", "EXECIGNORE"], why: "how a shell reads its text" },
  { names: ["GLOBIGNORE", "GLOBSORT", "LC_*", "LANG", "LANGUAGE"], why: "what globs and classes match" },
  { names: ["HOME", "PWD", "OLDPWD", "DIRSTACK"], why: "where `~`, `cd` and start-up files lead" },
  { names: ["PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT_COMMAND"], why: "prompts, whose text is expanded" },
  { names: ["HIST*", "FCEDIT", "MAIL*", "TMOUT", "OPTARG", "OPTIND"], why: "builtins act on them" },
  {
    names: ["RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCH*", "UID", "EUID", "PPID", "GROUPS", "SHLVL"],
    why: "numbers to a shell, which reads what they are given as arithmetic",
  },
  { names: ["LD_*", "DYLD_*", "GCONV_PATH", "LOCPATH", "NLSPATH"], why: "code that every program loads" },
  { names: ["GIT_*", "SSH_*", "GPG_*", "GNUPGHOME", "HG*", "SVN_*"], why: "programs that these tools start" },
  {
    names: ["PAGER", "MANPAGER", "*_PAGER", "LESS*", "MORE", "MANOPT", "MANROFFOPT", "MANROFFSEQ"],
    why: "programs that show output",
  },
  {
    names: ["EDITOR", "*_EDITOR", "VISUAL", "BROWSER", "*_BROWSER", "SHELL", "COMSPEC", "*_ASKPASS", "*_RSH"],
    why: "programs that other programs start",
  },
  {
    names: [
      "XDG_CONFIG_*",
      "KUBECTL_EXTERNAL_DIFF",
      "KUBERC",
      "DOCKER_CONFIG",
      "AWS_CONFIG_FILE",
      "GH_CONFIG_DIR",
      "OPENSSL_*",
    ],
    why: "files of settings, which may name programs or code",
  },
  {
    names: [
      "*_COMMAND",
      "FZF_DEFAULT_OPTS*",
      "BAT_OPTS",
      "BAT_CONFIG_*",
      "DBUS_SESSION_BUS_ADDRESS",
      "GETCONF_DIR",
      "TAPE",
    ],
    why: "text or programs that tools start",
  },
  { names: ["PERL*", "RUBY*", "LUA_*", "NODE_OPTIONS", "NODE_PATH"], why: "code that interpreters load" },
  {
    names: [
      "PYTHONPATH",
      "PYTHONHOME",
      "PYTHONSTARTUP",
      "PYTHONBREAKPOINT",
      "PYTHONINSPECT",
      "PYTHONUSERBASE",
      "PYTHONPYCACHEPREFIX",
      "PYTHONPLATLIBDIR",
      "PYTHONWARNINGS",
    ],
    why: "code that Python loads",
  },
  {
    names: [
      "JAVA_TOOL_OPTIONS",
      "_JAVA_OPTIONS",
      "JDK_JAVA_OPTIONS",
      "JDK_JAVAC_OPTIONS",
      "CLASSPATH",
      "JVM_*",
    ],
    why: "code that Java loads",
  },
  {
    names: ["JAVA_HOME", "JDK_HOME", "JRE_HOME", "JAVACMD", "M2_HOME", "GOPATH", "GOBIN", "COREPACK_*"],
    why: "where a build finds the programs that it starts",
  },
  {
    names: [
      "COMPILER_PATH",
      "GCC_*",
      "COLLECT_*",
      "DEPENDENCIES_OUTPUT",
      "SUNPRO_DEPENDENCIES",
      "LIBRARY_PATH",
      "CCACHE_*",
      "DISTCC_*",
      "PKG_CONFIG*",
      "CONFIG_SHELL",
      "CONFIG_SITE",
      "CCC_OVERRIDE_OPTIONS",
    ],
    why: "where a compiler finds its own programs, what it is told of libraries, and where it writes rules",
  },
  {
    names: [
      "PYTEST_ADDOPTS",
      "PYTEST_PLUGINS",
      "COVERAGE_PROCESS_START",
      "PIP_*",
      "YARN_*",
      "pnpm_config_*",
      "BUN_*",
      "DENO_*",
      "TS_NODE_*",
      "ESBUILD_BINARY_PATH",
      "VALGRIND_*",
      "APT_CONFIG",
    ],
    why: "options and plug-ins of tools that run code",
  },
  {
    names: [
      "PSQLRC",
      "BC_ENV_ARGS",
      "DC_ENV_ARGS",
      "NODE_REPL_EXTERNAL_MODULE",
      "PHPRC",
      "PHP_INI_SCAN_DIR",
      "R_PROFILE*",
      "R_ENVIRON*",
      "R_HOME",
      "ERL_*",
      "ELIXIR_*",
      "JULIA_*",
      "TCLLIBPATH",
      "IPYTHONDIR",
      "MPLBACKEND",
      "IRBRC",
      "CAML_LD_LIBRARY_PATH",
    ],
    why: "code that interpreters load when they start",
  },
  {
    names: [
      "GLIBC_TUNABLES",
      "*_PRELOAD",
      "DOTNET_*",
      "COMPlus_*",
      "CORECLR_*",
      "COR_*",
      "MSBUILD*",
      "MSBuild*",
      "NUGET_*",
      "GTK_MODULES",
      "GTK_PATH",
      "QT_PLUGIN_PATH",
      "QT_QPA_PLATFORM_PLUGIN_PATH",
      "GIO_MODULE_DIR",
      "GIO_EXTRA_MODULES",
      "OMP_TOOL_LIBRARIES",
      "GROFF_*",
    ],
    why: "code that programs load",
  },
  {
    names: [
      "ANSIBLE_*",
      "TF_CLI_*",
      "HELM_*",
      "DOCKER_HOST",
      "DOCKER_CONTEXT",
      "AWS_SHARED_CREDENTIALS_FILE",
      "CLOUDSDK_*",
    ],
    why: "settings and plug-ins of what acts on other machines",
  },
  { names: ["npm_config_*", "NPM_CONFIG_*", "CARGO_*"], why: "programs a build starts" },
  {
    names: ["GOFLAGS", "GOENV", "GOROOT", "GOTOOLCHAIN", "GOCACHEPROG", "GOAUTH", "GOPROXY", "GOWORK"],
    why: "what go runs",
  },
  { names: ["AWKPATH", "AWKLIBPATH"], why: "where awk finds code" },
  { names: ["MAKEFLAGS", "MFLAGS", "MAKEFILES", "GNUMAKEFLAGS"], why: "what make reads and runs" },
  {
    names: (
      "CC CXX CPP LD AR AS FC F77 M4 M2C PC CO GET LEX YACC LINT MAKE MAKEINFO TEX TEXI2DVI WEAVE CWEAVE TANGLE CTANGLE RM " +
      "ARFLAGS ASFLAGS CFLAGS CXXFLAGS CPPFLAGS FFLAGS LDFLAGS LFLAGS YFLAGS OBJC NM RANLIB STRIP OBJCOPY HOSTCC"
    ).split(" "),
    why: "programs a build starts, and their options",
  },
  {
    names: [
      "RUSTC*",
      "RUSTFLAGS",
      "RUSTDOC*",
      "RUSTUP_*",
      "CGO_C*",
      "CGO_LDFLAGS*",
      "CMAKE_*",
      "GRADLE_*",
      "MAVEN_*",
      "ANT_*",
      "SBT_*",
      "JAVA_OPTS",
    ],
    why: "how builds run",
  },
  {
    names: ["KUBECONFIG", "GEM_*", "BUNDLE_*", "VIM*", "NVIM_*", "EXINIT", "EMACS*"],
    why: "settings that name programs",
  },
  { names: ["TAR_OPTIONS", "RSYNC_*", "ZIPOPT", "UNZIP", "GREP_OPTIONS"], why: "flags added to a program" },
  { names: ["RIPGREP_CONFIG_PATH", "CURL_HOME", "WGETRC", "INPUTRC"], why: "files of flags and bindings" },
  {
    names: [
      "SSLKEYLOGFILE",
      "LLVM_PROFILE_FILE",
      "MALLOC_TRACE",
      "CC_PRINT_*",
      "CC_LOG_DIAGNOSTICS*",
      "NODE_REDIRECT_WARNINGS",
      "NODE_V8_COVERAGE",
    ],
    why: "files that programs write",
  },
  { names: ["FIGNORE", "COMP_*", "COMPREPLY", "READLINE_*"], why: "completion, which runs functions" },
];

const EXACT = new Set<string>();
const PREFIXES: string[] = [];
const SUFFIXES: string[] = [];

for (const { names } of DANGEROUS_VARIABLES) {
  for (const name of names) {
    if (name.endsWith("*")) PREFIXES.push(name.slice(0, -1));
    else if (name.startsWith("*")) SUFFIXES.push(name.slice(1));
    else EXACT.add(name);
  }
}

/** Backends that matplotlib brings along; others are modules that it loads. */
const OWN_BACKEND =
  /^(?:(?:gtk[34]|qt5?|tk|wx)(?:agg|cairo)|(?:nb|web)?agg|cairo|macosx|pdf|pgf|ps|svg|template|wx)$/i;

/** Whether an assignment changes such a variable, to a value that is not known to do no harm; null: the value is not known. */
export function isDangerousAssignment(name: string, value: string | null): boolean {
  const isHarmless = name === "MPLBACKEND" && value !== null && OWN_BACKEND.test(value);
  return isDangerousVariable(name) && !isHarmless;
}

export function isDangerousVariable(name: string): boolean {
  return (
    EXACT.has(name) ||
    PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix))
  );
}
