// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { cleanShellEnvironment } from "../../src/shell/clean-shell-environment.js";

describe("a clean environment for a shell", () => {
  it("keeps what programs need", () => {
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: "/home/a",
      USER: "a",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      TERM: "xterm",
      NODE_ENV: "test",
      TZ: "UTC",
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1/bus",
    };
    expect(cleanShellEnvironment(env)).toEqual(env);
  });

  it.each([
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_echo%%",
    "BASH_FUNC_ls()",
    "IFS",
    "PS4",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "CDPATH",
    "GLOBIGNORE",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "GIT_PAGER",
    "GIT_SSH_COMMAND",
    "GIT_DIR",
    "PAGER",
    "LESSOPEN",
    "EDITOR",
    "VISUAL",
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "RUBYOPT",
    "MAKEFLAGS",
    "TAR_OPTIONS",
    "RIPGREP_CONFIG_PATH",
    "ZDOTDIR",
    "VALGRIND_LIB",
  ])("leaves out %s", (name) => {
    expect(cleanShellEnvironment({ [name]: "x", A: "1" })).toEqual({ A: "1" });
  });

  it.each(["a[$(canary)]", "$(canary)", "`canary`", "${x@P}", "() { canary; }", "a[0]"])(
    "leaves out the value %j",
    (value) => {
      expect(cleanShellEnvironment({ x: value, A: "1" })).toEqual({ A: "1" });
    },
  );

  it("leaves out what is undefined, and the environment it was given alone", () => {
    const env = { A: undefined, B: "2", ENV: "x" };
    expect(cleanShellEnvironment(env)).toEqual({ B: "2" });
    expect(env).toEqual({ A: undefined, B: "2", ENV: "x" });
  });
});
