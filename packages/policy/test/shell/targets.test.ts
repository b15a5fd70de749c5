// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

/** `operation path` of each, and the folder after an `@` where it is not the one the line starts in. */
function targetsOf(command: string): string[] {
  return analyzeShell(command, { dialect: "bash" }).parts.flatMap((part) =>
    part.targets.map(({ operation, path, folder }) => {
      const at = folder === "" ? "" : ` @${folder}`;
      return `${operation} ${path}${at}`;
    }),
  );
}

describe("the files that a redirect names", () => {
  it.each([
    ["a > f", ["write f"]],
    ["a >> f", ["write f"]],
    ["a >| 'f g'", ["write f g"]],
    ["a &> f", ["write f"]],
    ["a 2> f", ["write f"]],
    ["a >& f", ["write f"]],
    ["a < f", ["read f"]],
    ["a <> f", ["read f", "write f"]],
    ["{ a; } > f", ["write f"]],
    ["while a; do b; done < f", ["read f"]],
    ["> f", ["write f"]],
    ["echo k > .env extra", ["write .env"]],
    ["echo k > .env # note", ["write .env"]],
    ["echo k > .env#copy", ["write .env#copy"]],
    ["a > $X", ["write null"]],
    ['a > "$PWD/f"', ["write null"]],
    ["a > s*t", ["write null"]],
    ["a > ~/f", ["write ~/f"]],
    ["a > '~/f'", ["write ./~/f"]],
    ["a > ~b/f", ["write null"]],
    ["a 2>&1 >&2 2>&- > /dev/null", []],
    ["a > /dev/stderr", []],
    ["a > /dev/fd/1", []],
    ["a < /dev/stdin", []],
    ["a < /dev/fd/3", ["read null"]],
    ["cat <<E\nx\nE", []],
  ])("in %j are %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });
});

describe("what is open already", () => {
  it.each([
    ["echo a <f >/dev/stdin", ["read f", "write null"]],
    ["echo a 3<f >/dev/fd/3", ["read f", "write null"]],
    ["echo a <f >>/dev/fd/0", ["read f", "write null"]],
    ["echo a <f >/proc/self/fd/0", ["read f", "write null"]],
    ["echo a <f >/proc/12/fd/0", ["read f", "write null"]],
    ["echo a >/proc/sys/x", ["write /proc/sys/x"]],
    ["echo a <f >//dev/./stdin", ["read f", "write null"]],
    ["echo a <f >/dev/x/../stdin", ["read f", "write null"]],
    ["echo a <f >../../dev/stdin", ["read f", "write null"]],
    ["echo a >dev/stdin", ["write dev/stdin"]],
    ["tee /dev/stdin <f", ["read f", "write null"]],
    ["tee /dev/stderr", []],
    ["dd of=/dev/fd/3 3<f", ["read f", "write null"]],
    ["sort x -o /dev/stdin <f", ["read f", "write null", "read x"]],
    ["rm /dev/stdin", ["remove /dev/stdin"]],
    ["rm /dev/null", ["remove /dev/null"]],
  ])("in %j is a file that cannot be told where it is opened anew: %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });

  it("is not trusted as output where output may be what was opened for reading", () => {
    for (const command of [
      "echo a 1<f >/dev/stdout",
      "echo a 2<f >/dev/stderr",
      "{ echo a >/dev/stdout; } 1<f",
      "echo a <f >&0 >/dev/stdout",
      "{ echo a | tee /dev/stderr; } 3<f 2>&3",
      "cat 0>>f /dev/stdin",
    ])
      expect([command, analyzeShell(command, { dialect: "bash" }).opaque]).not.toEqual([command, null]);
    for (const command of ["exec 3>&1; echo a >&3; echo b >/dev/stderr", "cat <f >/dev/stdout 2>&1"])
      expect([command, analyzeShell(command, { dialect: "bash" }).opaque]).toEqual([command, null]);
  });
});

describe("the files that a program's words name", () => {
  it.each([
    ["tee -a f g", ["write f", "write g"]],
    ["curl -O https://x/y", ["write null"]],
    ["curl -sJLO https://x/y", ["write null", "write null"]],
    ["curl --remote-name https://x/y", ["write null"]],
    ["curl --outp f https://x", ["write null"]],
    ["curl --trace f https://x", ["write f"]],
    ["curl -K f", ["write null", "read f"]],
    ["curl -w '%output{f}' https://x", ["write null"]],
    ["sort --outp=f g", ["write f", "read g"]],
    ['sort --output="$X" g', ["write null", "read g"]],
    ["cp --targ=d a", ["read a", "write d", "write d/a"]],
    ["cp --targ d a", ["read d", "read a", "write null", "write null", "write null"]],
    ["cp a b", ["read a", "write b", "write b/a"]],
    ["cp -T a b", ["read a", "write b"]],
    ["cp -r x/a y/", ["read x/a", "write y/", "write y/a"]],
    ["cp -t d a b", ["read a", "read b", "write d", "write d/a", "write d/b"]],
    ["mv a b", ["read a", "remove a", "write b", "write b/a"]],
    ["ln -s a b", ["read a", "read b/a", "write b", "write b/a"]],
    ["ln -s ../x/k d/l", ["read ../x/k", "read d/../x/k", "read d/l/../x/k", "write d/l", "write d/l/k"]],
    ["ln a d/l", ["read a", "write d/l", "write d/l/a"]],
    ["tar -cf x -C d k", ["write x", "read k", "read d/k"]],
    ["tar -cf x -T f", ["write x", "read null"]],
    ["zip -r x.zip d e", ["write x.zip", "read d", "read e"]],
    ["zip x.zip -@", ["write x.zip", "read null"]],
    ["xargs -a f echo", ["read f"]],
    ["sed --in-pl s/a/b/ f", ["read f", "write f"]],
    ["git archive -o f HEAD", ["read f", "read HEAD", "read .", "write f"]],
    ["git format-patch -od HEAD", ["read HEAD", "write d"]],
    ["git mv a b", ["read a", "read b", "read a", "remove a", "write b", "write b/a"]],
    ["shuf f -o g", ["write g", "read f"]],
    ["curl --cert f https://x", ["read f"]],
    ["cat /proc/self/cwd/f", ["read null"]],
    ["ln -s x/a", ["read x/a", "write ./a"]],
    ["install -m 644 a b", ["read a", "write b", "write b/a"]],
    ["install -d a b", ["write a", "write b"]],
    ["rm -rf a 'b c'", ["remove a", "remove b c"]],
    ["rm -- -f", ["remove -f"]],
    ["rm $X", ["remove null"]],
    ["rmdir a", ["remove a"]],
    ["mkdir -p -m 700 a/b", ["write a/b"]],
    ["touch -d now a", ["write a"]],
    ["truncate -s 0 a", ["write a"]],
    ["chmod 700 a", ["write a"]],
    ["sed s/a/b/ f", ["read f"]],
    ["sed -i s/a/b/ f", ["read f", "write f"]],
    ["sed -i.bak -e s/a/b/ f", ["read f", "write f"]],
    ["dd if=a of=b", ["read a", "write b"]],
    ["sort -o a b", ["write a", "read b"]],
    ["sort -oa b", ["write a", "read b"]],
    ["uniq a b", ["read a", "write b"]],
    ["cat a -n b", ["read a", "read b"]],
    ["head -n 3 a", ["read a"]],
    ["grep -rn x a", ["read a"]],
    ["grep -r x", ["read ."]],
    ["grep -e x a", ["read a"]],
    ["grep -f p a", ["read p", "read a"]],
    ["rg x", ["read ."]],
    ["ls", ["read ."]],
    ["ls a", ["read a"]],
    ["find a b -name x", ["read a", "read b"]],
    ["find -name x", ["read ."]],
    ["find a -delete", ["read a", "remove a"]],
    ["find a -fprint f", ["read a", "write f"]],
    ["awk '{print $1}' a", ["read a"]],
    ["awk '{print > \"b\"}' a", ["read a", "write null"]],
    ["tar czf a.tgz b", ["write a.tgz", "read b"]],
    ["tar -xf a.tar", ["read a.tar", "write null"]],
    ["tar tf a.tar", ["read a.tar"]],
    ["hexdump -C a", ["read a"]],
    ["hexdump -f p -n 4 a", ["read p", "read a"]],
    ["hexdump --format-f=p a", ["read p", "read a"]],
    ["hd -e '1/1 \"%x\"' a", ["read a"]],
    ["od -An -tx1 -j 4 a", ["read a"]],
    ["od -w a", ["read a"]],
    ["strings -n 8 -t x a", ["read a"]],
    ["strings @a", ["read a", "read @a"]],
    ["readelf @a", ["read a", "read @a"]],
    ["llvm-readelf-17 a", ["read a"]],
    ["x86_64-linux-gnu-size a", ["read a"]],
    ["llvm-strings a", ["read a"]],
    ["base64 -w 0 a", ["read a"]],
    ["iconv -f latin1 -t utf8 a", ["read a"]],
    ["iconv -f latin1 -o f a", ["write f", "read a"]],
    ["iconv --outp=f a", ["write f", "read a"]],
    ["zcat a", ["read a"]],
    ["bzcat -s a", ["read a"]],
    ["lzcat a b", ["read a", "read b"]],
    ["xzcat --files=l a", ["read l", "read a"]],
    ["zstdcat a", ["read a"]],
    ["zstdcat -D d -o f a", ["read d", "write f", "read a"]],
    ["zstdcat --trace f a", ["write f", "read a"]],
    ["zstdcat --rm a", ["write null", "read a"]],
    ["zstdcat --train-cover=k=1 a", ["write null", "read a"]],
    ["lz4cat a", ["read a"]],
    ["lz4cat --rm -m a", ["write null", "write null", "read a"]],
    ["xz -dc --files=l", ["read l"]],
    ["zstd -c --trace=f a", ["write f", "read a"]],
    ["zless a", ["read a"]],
    ["xzgrep -e x a", ["read a"]],
    ["curl -o f http://e.invalid", ["write f"]],
    ["wget -O f http://e.invalid", ["write f", "write null"]],
    ["git diff --output=f", ["write f"]],
    ["tree -o f a", ["read a", "write f"]],
    ["sudo tee f", ["write f"]],
    ["bash -c 'rm f'", ["remove f"]],
    ["xargs rm", ["remove null"]],
    ["/bin/rm f", ["remove f"]],
    ["echo f", []],
    ["tee /dev/null", []],
  ])("in %j are %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });
});

describe("where a command runs", () => {
  it.each([
    ["cd a && rm x", ["remove x @a"]],
    ["cd a && cd b && rm x", ["remove x @a/b"]],
    ["cd a && cd /b && rm x", ["remove x @/b"]],
    ["cd && rm x", ["remove x @~"]],
    ["cd ~/a && rm x", ["remove x @~/a"]],
    ["cd a && (cd b && rm x) && rm y", ["remove x @a/b", "remove y @a"]],
    ["cd a && ls | rm x", ["read . @a", "remove x @a"]],
    ["cd a && echo $(cd b && rm x) && rm y", ["remove x @a/b", "remove y @a"]],
    ["cd a & rm x", ["remove x"]],
    ["cd a | rm x", ["remove x"]],
    ["(cd a); rm x", ["remove x"]],
    ["bash -c 'cd a'; rm x", ["remove x"]],
    ["bash -c 'cd a && rm x'", ["remove x @a"]],
    ["env -C a rm x", ["remove x @a"]],
    ["cd a && rm x > f", ["write f @a", "remove x @a"]],
  ])("is told where it can be: %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });

  it.each([
    "cd $X && rm x",
    "cd - && rm x",
    "cd a; rm x",
    "cd a\nrm x",
    "cd a || rm x",
    "false || cd a && rm x",
    "! cd a && rm x",
    "pushd a && rm x",
    "command cd a && rm x",
    "if cd a; then true; fi; rm x",
    "for d in a b; do rm x; cd $d; done",
    "while rm x; do cd a; done",
    "cd a b && rm x",
    "find . -execdir rm x \\;",
  ])("is open where it cannot: %j", (command) => {
    expect(targetsOf(command)).toContain("remove x @null");
  });
});
