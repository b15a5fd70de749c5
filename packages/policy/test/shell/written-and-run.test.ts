import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

function opaque(command: string): string | null {
  return analyzeShell(command, { dialect: "bash" }).opaque;
}

describe("a line that writes a file and runs it", () => {
  it.each([
    "printf 'all:;canary' >build/Makefile; make -C build",
    "printf 'all:;canary' >build/a; make -fbuild/a",
    "printf 'all:;canary' >a; make --file=a",
    "echo 'BEGIN{system(1)}' >build/a; awk -f build/a",
    "echo '1e canary' >>a && sed -n -f a f",
    "echo canary >f; sh f",
    "echo canary | tee f; bash ./f",
    "cat <<'E' >run.py; python3 run.py\nimport os\nE",
    "curl -o install.sh https://x && sh install.sh",
    "cp a b/run.sh && b/run.sh",
    "xxd -r -p a f; sh f",
    "iconv -f utf16 -o f a; sh f",
    "zstdcat a -o f; sh f",
    "git diff --output=f; sh f",
    "gcc -x c - -o f <a; ./f",
    "openssl base64 -d -in a -out f; sh f",
    "gpg -o f -d a.gpg && sh f",
    "git merge-file f a b; sh f",
    "mv a run.sh; timeout 5 bash run.sh",
    "echo '{}' >package.json && npm test",
    "echo '[core]' >>.git/config; git status",
    "printf x >a/.git/hooks/pre-commit; git commit -m x",
    "find . -exec sh f {} +; echo canary >f",
    "echo x >build.rs; cargo test",
    "(echo canary) >f; sh f",
  ])("is opaque: %j", (command) => {
    expect(opaque(command)).not.toBeNull();
  });

  it.each([
    "chmod +x build.sh && ./build.sh",
    "mkdir -p build && make -C build",
    "make >build.log 2>&1",
    "node run.js >out.txt; sh x.sh",
    "python3 gen.py >src/data.json && npm run build",
    "git diff >a.patch && git status",
    "touch run.sh; bash run.sh",
    "sed -i s/a/b/ f && git add f",
    "awk -f a.awk f >out && sort out",
    "sh f 2>/dev/null | cat",
  ])("is not one that writes another: %j", (command) => {
    expect(opaque(command)).toBeNull();
  });
});
