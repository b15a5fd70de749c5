// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import type { JsonValue } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, bashEffect, decideBash, deny, type RequestOptions } from "./rule-samples.js";

const EVERYTHING = [allow("Bash"), allow("Write"), allow("Remove")];

describe("parts of a command", () => {
  it("each need an allow of their own, and are all named", () => {
    const decision = decideBash([allow("Bash(ls:*)"), allow("Bash(wc:*)")], "ls -la | wc -l; git status");
    expect(decision.effect).toBe("ask");
    expect(decision.parts.map(({ text, effect }) => [text, effect])).toEqual([
      ["ls -la", "allow"],
      ["wc -l", "allow"],
      ["git status", "ask"],
    ]);
  });

  it("fold to the worst, whose first holder supplies the reason", () => {
    const rules = [allow("Bash(ls:*)"), deny("Bash(rm:*)"), deny("Bash(dd:*)")];
    const decision = decideBash(rules, "ls; foo; rm x; dd y");
    expect(decision).toMatchObject({ effect: "deny", rule: rules[1], configuredAsk: false });
  });

  it("an operator's ask anywhere makes the whole a configured one, unless something is denied", () => {
    const rules = [ask("Bash(git push:*)"), deny("Bash(rm:*)")];
    expect(decideBash(rules, "foo && git push")).toMatchObject({ effect: "ask", configuredAsk: true });
    expect(decideBash(rules, "git push && rm x")).toMatchObject({ effect: "deny", configuredAsk: false });
  });

  it("are judged under every key that may hold a command", () => {
    const rules = [allow("Bash(ls)"), deny("Bash(rm:*)")];
    const effect = (input: JsonValue) => evaluateRules({ rules, call: { tool: "Bash", input } }).effect;
    expect(effect({ cmd: "ls" })).toBe("allow");
    expect(effect({ command: "ls", cmd: "rm x" })).toBe("deny");
    expect(effect({ command: "ls", cmd: 7 })).toBe("ask");
    expect(effect({ command: ["ls"] })).toBe("ask");
    const other = { rules, targetKeys: { Bash: ["script"] } };
    const call = { tool: "Bash", input: { command: "ls", script: "rm x" } };
    expect(evaluateRules({ ...other, call }).effect).toBe("deny");
  });

  it.each(["", "   ", "# nothing", "\n"])("there is none in %j, which asks whatever allows it", (command) => {
    expect(decideBash(EVERYTHING, command)).toMatchObject({ effect: "ask", basis: "opaque" });
  });
});

describe("deny and ask", () => {
  it.each([
    "rm x",
    "rm",
    "'rm' x",
    "r\\m x",
    "/bin/rm x",
    "FOO=1 rm x",
    "timeout 5 rm x",
    "sudo rm x",
    "bash -c 'rm x'",
    "ls | xargs rm",
    "find . -exec rm {} ;",
    "echo $(rm x)",
    "(rm x)",
    "{ rm x; }",
    "if true; then rm x; fi",
    "echo <(rm x)",
    "nohup nice -n 5 rm x &",
  ])("know %j by whatever form it has", (command) => {
    expect(bashEffect([deny("Bash(rm *)"), ...EVERYTHING], command)).toBe("deny");
    expect(decideBash([ask("Bash(rm *)"), ...EVERYTHING], command)).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
  });

  it("know accents composed or not", () => {
    expect(bashEffect([deny("Bash(caf\u00e9:*)"), ...EVERYTHING], "cafe\u0301 x")).toBe("deny");
    expect(bashEffect([deny("Bash(cafe\u0301:*)"), ...EVERYTHING], "caf\u00e9 x")).toBe("deny");
    expect(bashEffect([allow("Bash(caf\u00e9:*)")], "cafe\u0301 x")).toBe("ask");
  });

  it("know a text that cannot be read as it stands", () => {
    expect(bashEffect([deny("Bash(*zap*)"), ...EVERYTHING], "echo ${!x} zap")).toBe("deny");
    const fish = { dialect: "fish", call: { tool: "Shell", input: { command: "rm zap" } } } as const;
    expect(evaluateRules({ ...fish, rules: [deny("Shell(*zap*)"), ...EVERYTHING] }).effect).toBe("deny");
    expect(evaluateRules({ ...fish, rules: EVERYTHING }).effect).toBe("ask");
  });
});

describe("a word that may become what a rule is about", () => {
  it.each(["rm $X", "rm *.log", "rm ~/x", "rm {a,b}"])(
    "makes %j an operator's question where a deny speaks of its program",
    (command) => {
      expect(decideBash([deny("Bash(rm -rf *)"), ...EVERYTHING], command)).toMatchObject({
        effect: "ask",
        configuredAsk: true,
        rule: null,
        basis: "opaque",
      });
    },
  );

  it("blocks nothing where no deny or ask speaks of its program", () => {
    for (const command of ["echo $X", "echo ${X}", "ls *.ts", "grep -r x ~"]) {
      expect(
        bashEffect(
          [deny("Bash(rm -rf *)"), allow("Bash(echo:*)"), allow("Bash(ls:*)"), allow("Bash(grep:*)")],
          command,
        ),
      ).toBe("allow");
    }
  });

  it("counts where a deny may be about any program", () => {
    expect(bashEffect([deny("Bash(*--force*)"), ...EVERYTHING], "echo $X")).toBe("ask");
    expect(bashEffect([deny("Bash(ec*)"), ...EVERYTHING], "other $X")).toBe("allow");
    expect(bashEffect([deny("Bash(oth* -x)"), ...EVERYTHING], "other $X")).toBe("ask");
  });

  it("is asked about behind a program that we do not know", () => {
    const rules = [deny("Bash(git push:*)"), ask("Bash(kube*)"), ...EVERYTHING];
    expect(decideBash(rules, "my-runner git push")).toMatchObject({ effect: "ask", configuredAsk: true });
    expect(bashEffect(rules, "my-runner -- /usr/bin/git log")).toBe("ask");
    expect(bashEffect(rules, "my-runner 'git' log")).toBe("ask");
    expect(bashEffect(rules, "my-runner kubectl")).toBe("ask");
    expect(bashEffect(rules, "git my-own kubectl")).toBe("ask");
    expect(bashEffect(rules, "git log kubectl")).toBe("allow");
    expect(bashEffect(rules, "my-runner digit")).toBe("allow");
    expect(bashEffect(rules, "grep git f")).toBe("allow");
  });

  it("belongs to no rule that is built in", () => {
    expect(
      bashEffect([ask("Bash", { scope: "builtin" }), allow("Bash(rm:*)"), allow("Remove")], "rm $X"),
    ).toBe("ask");
    expect(bashEffect([ask("Bash", { scope: "builtin" }), allow("Bash(echo:*)")], "echo $X")).toBe("allow");
  });
});

describe("an allow", () => {
  it("covers a part as it is written only", () => {
    const rules = [allow("Bash(git status)")];
    expect(bashEffect(rules, "git status")).toBe("allow");
    expect(bashEffect(rules, "git  status 2>&1 >/dev/null")).toBe("allow");
    for (const command of ["'git' status", "/usr/bin/git status", "FOO=1 git status", "git status -s"])
      expect(bashEffect(rules, command)).toBe("ask");
  });

  it("covers a part behind assignments as written, or where their names are benign", () => {
    const rules = [allow("Bash(make test)")];
    expect(bashEffect(rules, "CI=1 make test", { benignAssignments: ["CI"] })).toBe("allow");
    expect(bashEffect(rules, "CI=1 X=2 make test", { benignAssignments: ["CI"] })).toBe("ask");
    expect(bashEffect([allow("Bash(CI=1 make test)")], "CI=1 make test")).toBe("allow");
    expect(bashEffect(rules, "CI=1; make test", { benignAssignments: ["CI"] })).toBe("allow");
    expect(bashEffect(rules, "CI=1; make test")).toBe("ask");
    expect(bashEffect([deny("Bash(CI=*)"), ...rules], "CI=1 make test", { benignAssignments: ["CI"] })).toBe(
      "deny",
    );
  });

  it("of what a transparent wrapper starts is enough, and one of the wrapper is not", () => {
    expect(bashEffect([allow("Bash(git status)")], "timeout 5 git status")).toBe("allow");
    expect(bashEffect([allow("Bash(timeout:*)")], "timeout 5 git status")).toBe("ask");
    expect(bashEffect([allow("Bash(timeout 5 git status)")], "timeout 5 git status")).toBe("ask");
    expect(bashEffect([allow("Bash(bash:*)")], "bash -c 'git status'")).toBe("ask");
    expect(bashEffect([allow("Bash(git status)")], "bash -c 'git status'")).toBe("allow");
  });

  it("of exactly the text of a wrapper covers what it starts, and no other", () => {
    const exact = (pattern: string) => [{ ...allow("Bash"), pattern, exact: true }];
    expect(bashEffect(exact("timeout 5 git status"), "timeout 5 git status")).toBe("allow");
    expect(bashEffect(exact("sudo git status"), "sudo git status")).toBe("allow");
    expect(bashEffect(exact("timeout 5 git status"), "timeout 5 git push")).toBe("ask");
    expect(bashEffect([...exact("timeout 5 git push"), deny("Bash(git push)")], "timeout 5 git push")).toBe(
      "deny",
    );
    expect(bashEffect(exact("git status"), "sudo git status")).toBe("ask");
  });

  it("must be of both, another wrapper and what it starts", () => {
    expect(bashEffect([allow("Bash(sudo:*)")], "sudo git status")).toBe("ask");
    expect(bashEffect([allow("Bash(git status)")], "sudo git status")).toBe("ask");
    expect(bashEffect([allow("Bash(sudo:*)"), allow("Bash(git status)")], "sudo git status")).toBe("allow");
  });

  it("never covers what is opaque, not even exactly", () => {
    for (const command of ["eval ls", "$X", "echo ${!x}", "python -c 'x'", "echo `ls", "x() { ls; }"]) {
      const rules = [...EVERYTHING, { ...allow("Bash"), pattern: command, exact: true }];
      expect(decideBash(rules, command)).toMatchObject({ effect: "ask", basis: "opaque" });
    }
  });
});

describe("files that a command writes", () => {
  const rules = [allow("Bash(echo:*)"), allow("Bash(rm:*)"), allow("Bash(cp:*)"), allow("Bash(cd:*)")];
  const workspace = memoryWorkspace({});

  it("need an allow of their own", () => {
    expect(bashEffect(rules, "echo x > out.txt")).toBe("ask");
    expect(bashEffect([...rules, allow("Write(out.txt)")], "echo x > out.txt", { workspace })).toBe("allow");
    expect(bashEffect([...rules, allow("Write(out.txt)")], "echo x >> /etc/out.txt", { workspace })).toBe(
      "ask",
    );
    expect(bashEffect(rules, "cp a b")).toBe("ask");
    expect(bashEffect([...rules, allow("Write(b)"), allow("Write(b/a)")], "cp a b", { workspace })).toBe(
      "allow",
    );
    expect(bashEffect([...rules, allow("Write(x)")], "rm x", { workspace })).toBe("ask");
    expect(bashEffect([...rules, allow("Remove(x)")], "rm x", { workspace })).toBe("allow");
  });

  it("are judged alike whatever a program calls them", () => {
    const all = [...rules, allow("Bash(gcc:*)"), allow("Bash(openssl:*)"), allow("Write(build/**)")];
    for (const command of [
      "gcc -O2 -o build/x x.c",
      "gcc -c src/x.c -Iinc -o build/x.o",
      "cd build && gcc -c ../x.c",
      "gcc -E x.c",
      "openssl rand -out build/k 32",
      "openssl x509 -in c.pem -noout -text",
    ])
      expect([command, bashEffect(all, command, { workspace })]).toEqual([command, "allow"]);
    for (const command of [
      "gcc -o x x.c",
      "gcc x.c",
      "gcc -c x.c",
      "gcc -o /etc/x x.c",
      "openssl rand -out k 32",
    ])
      expect([command, bashEffect(all, command, { workspace })]).toEqual([command, "ask"]);
  });

  it("are bound by denies whatever program writes them", () => {
    const all = [deny("Write(secret/**)"), deny("Read(keys/**)"), allow("Bash"), allow("Write")];
    for (const command of [
      "openssl rand -out secret/k 32",
      "openssl rand -writerand secret/k 32",
      "openssl x509 -in keys/k -text",
      "gcc -o secret/k x.c",
      "gcc -M x.c -MF secret/k",
      "cd secret && gcc -c ../x.c",
      "gcc -E keys/k",
      "ld -o secret/k x.o",
      "as x.s -o secret/k",
      "gpg -o secret/k -d a.gpg",
      "objcopy a secret/k",
      "strip -o secret/k a",
      "strip secret/k",
      "git merge-file secret/k a b",
      "git -C secret merge-file k ../a ../b",
      "git -C secret diff --output=k",
      "git hash-object -w keys/k",
      "git commit -F keys/k",
      "go build -o secret/k",
      "go test -c -o secret/k",
      "go test -coverprofile secret/k",
      "rustc -o secret/k x.rs",
      "javac -d secret A.java",
      "tsc --outDir secret",
      "tsc --outFile secret/k",
      "git interpret-trailers --in-place secret/k",
      "git interpret-trailers keys/k",
      "git mv a secret/k",
      "git mv secret/k a",
      "git clone https://h/r secret/k",
      "git add --pathspec-from-file=keys/k",
      "sed --in-pl s/a/b/ secret/k",
    ])
      expect([command, bashEffect(all, command, { workspace })]).toEqual([command, "deny"]);
    for (const command of [
      "gcc -c x.c -MD",
      "gpg -c a",
      "git merge -s canary x",
      "openssl sha256 -provider x a",
      "go test -c",
      "rustc --out-dir . x.rs",
      "javac -d . A.java",
      "SSLKEYLOGFILE=secret/k curl https://h",
    ])
      expect([command, bashEffect(all, command, { workspace })]).toEqual([command, "ask"]);
    for (const command of [
      "gcc -o x x.c",
      "git commit -m secret",
      "git merge x",
      "gpg --verify a.sig a",
      "go build -o x .",
      "go test ./...",
      "rustc x.rs",
      "tsc --outDir dist",
      "git clone https://h/r d",
      "git add a",
      'git checkout "$BRANCH"',
    ])
      expect([command, bashEffect(all, command, { workspace })]).toEqual([command, "allow"]);
  });

  it("are named as writes among the parts", () => {
    expect(decideBash(rules, "echo x > out.txt").parts).toEqual([
      expect.objectContaining({ text: "echo x", effect: "allow" }),
      expect.objectContaining({ text: "Write(out.txt)", effect: "ask" }),
    ]);
  });

  it("are bound by denies and asks, also those that are removed", () => {
    const all = [...rules, allow("Write"), allow("Remove")];
    for (const command of ["echo x > .env", "echo x >| ./a/../.env", "rm .env", "cp a .env", "tee .env"])
      expect(bashEffect([deny("Write(.env)"), ...all, allow("Bash(tee:*)")], command, { workspace })).toBe(
        "deny",
      );
    expect(decideBash([ask("Write(.env)"), ...all], "echo x > .env", { workspace })).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
  });

  it("are followed into the folder where the line has gone", () => {
    const all = [...rules, allow("Write(sub/**)")];
    expect(bashEffect(all, "cd sub && echo x > out.txt", { workspace })).toBe("allow");
    expect(bashEffect(all, "cd other && echo x > out.txt", { workspace })).toBe("ask");
    expect(bashEffect([...rules, allow("Write")], "cd $X && echo x > out.txt", { workspace })).toBe("ask");
  });

  it.each(["echo x > $X", "echo x > *.txt", 'echo x > "$PWD/a"'])(
    "ask in %j, where they cannot be told",
    (command) => {
      expect(decideBash(EVERYTHING, command)).toMatchObject({ effect: "ask", basis: "opaque" });
      expect(bashEffect([deny("Write"), ...rules], command)).toBe("deny");
    },
  );
});

describe("files that a command reads", () => {
  const rules = [allow("Bash(cat:*)"), deny("Read(secret/**)")];
  const workspace = memoryWorkspace({});

  it("need no allow, and are bound by denies and asks of Read", () => {
    expect(bashEffect(rules, "cat a.txt", { workspace })).toBe("allow");
    expect(bashEffect(rules, "cat secret/a", { workspace })).toBe("deny");
    expect(bashEffect(rules, "cat < secret/a", { workspace })).toBe("deny");
    expect(bashEffect(rules, "cd secret && cat a", { workspace })).toBe("deny");
    expect(
      decideBash([allow("Bash(cat:*)"), ask("Read(secret/**)")], "cat secret/a", { workspace }),
    ).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
  });

  it("ask where they cannot be told and some may not be read", () => {
    for (const command of ["cat $X", "cat *", "cat < $X"]) {
      expect(decideBash(rules, command, { workspace })).toMatchObject({ effect: "ask", configuredAsk: true });
      expect(bashEffect([allow("Bash(cat:*)"), allow("Read")], command, { workspace })).toBe("allow");
    }
  });
});

describe("the substitution floor", () => {
  it("asks about a substitution or group that an allow covers, unless all of it only reads", () => {
    for (const command of ["go build $(zap)", "(make)", "cat $(zap)", "zap <(ls)"])
      expect(decideBash(EVERYTHING, command)).toMatchObject({ effect: "ask", basis: "substitution-floor" });
    for (const command of ["cat $(ls)", "(ls)", "{ ls; }", "echo $(cat $(ls))"])
      expect(bashEffect(EVERYTHING, command)).toBe("allow");
  });

  it("asks about what a loop goes through as well, which is no word of a command", () => {
    const loop = (command: string) => `for p in $(${command}); do cat "$p"; done`;
    expect(decideBash(EVERYTHING, loop("zap"))).toMatchObject({ effect: "ask", basis: "substitution-floor" });
    const rules = [allow("Bash(cat:*)"), allow("Bash(git ls-files)")];
    expect(bashEffect(rules, loop("git ls-files"))).toBe("allow");
    expect(bashEffect([allow("Bash(cat:*)")], loop("git ls-files"))).toBe("ask");
  });

  it("needs an allow of what is hidden all the same", () => {
    expect(bashEffect([allow("Bash(echo:*)")], "echo $(ls)")).toBe("ask");
    expect(bashEffect([allow("Bash(echo:*)"), allow("Bash(ls)")], "echo $(ls)")).toBe("allow");
    expect(bashEffect([deny("Bash(ls)"), ...EVERYTHING], "echo $(ls)")).toBe("deny");
  });

  it("is lifted by `evaluate` where what is hidden has its own allow", () => {
    const options = { substitution: "evaluate" } as const;
    expect(bashEffect(EVERYTHING, "go build $(zap)", options)).toBe("allow");
    expect(bashEffect([allow("Bash(go build:*)")], "go build $(zap)", options)).toBe("ask");
    expect(bashEffect([allow("Bash(go build:*)"), allow("Bash(zap)")], "go build $(zap)", options)).toBe(
      "allow",
    );
    expect(bashEffect(EVERYTHING, "$(zap)", options)).toBe("ask");
  });

  it("says where a configured allow would answer it: hidden commands only read and the outer one stays inside", () => {
    const flagged = (command: string, rules = EVERYTHING) =>
      decideBash(rules, command).flooredConfiguredAllow;
    expect(flagged("go test $(git rev-parse HEAD)")).toBe(true);
    expect(flagged("timeout 5 go test $(git rev-parse HEAD)")).toBe(true);
    expect(flagged("(go test ./...)")).toBe(true);
    expect(flagged("git push $(git rev-parse HEAD)")).toBe(false);
    expect(flagged("go test $(zap)")).toBe(false);
    expect(flagged("go test $(ls) && eval x")).toBe(false);
    expect(flagged("go test $(ls)", [allow("", { scope: "builtin" })])).toBe(false);
    expect(flagged("go test $(ls)", [ask("Bash(ls)"), ...EVERYTHING])).toBe(false);
    expect(flagged("cat $(ls)")).toBe(false);
  });
});

describe("dialects", () => {
  it("belong to the kind: Bash is bash, Shell what every shell reads alike unless the host says more", () => {
    const rules = [allow("Shell(echo:*)")];
    const effect = (tool: string, options: RequestOptions = {}) =>
      evaluateRules({ ...options, rules, call: { tool, input: { command: "echo $'a'" } } }).effect;
    expect(effect("Bash")).toBe("allow");
    expect(effect("Shell")).toBe("ask");
    expect(effect("Shell", { dialect: "bash" })).toBe("allow");
    expect(effect("run", { toolKinds: { run: "Bash" } })).toBe("allow");
    expect(effect("run", { toolKinds: { run: "Shell" } })).toBe("ask");
    expect(effect("run")).toBe("ask");
  });

  it("Bash and Shell are one kind for rules", () => {
    for (const tool of ["Bash", "Shell"])
      for (const named of ["Bash", "Shell"])
        expect(
          evaluateRules({ rules: [allow(`${named}(ls)`)], call: { tool, input: { command: "ls" } } }).effect,
        ).toBe("allow");
  });
});
