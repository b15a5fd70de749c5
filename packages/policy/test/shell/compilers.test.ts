// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { isOpaque, targetsOf, writesOf } from "./named-files.js";

describe("what a compiler writes", () => {
  it.each([
    ["gcc -o build/x x.c", ["write build/x"]],
    ["gcc x.c -obuild/x", ["write build/x"]],
    ["g++ -O2 -Wall -Iinc -I inc -std=c++20 a.cc b.cc -o x -lm", ["write x"]],
    ["cc x.c --output=f", ["write f"]],
    ["cc x.c --output f", ["write f"]],
    ["gcc-13 x.c -o f", ["write f"]],
    ["clang-17 x.c -o f", ["write f"]],
    ["x86_64-linux-gnu-gcc x.c -o f", ["write f"]],
    ["x86_64-linux-gnu-gcc-12 x.c -o f", ["write f"]],
    ["arm-none-eabi-g++ x.c -o f", ["write f"]],
    ["c99-gcc x.c -o f", ["write f"]],
    ["c++-12 x.cc -o f", ["write f"]],
    ["cc-12 x.c -o f", ["write f"]],
    ["musl-gcc x.c -o f", ["write f"]],
    ["riscv64-gcc x.c -o f", ["write f"]],
    ["x86_64-w64-mingw32-gcc-posix x.c -o f", ["write f"]],
    ["x86_64-w64-mingw32-gcc-12-win32 x.c -o f", ["write f"]],
    ["clang-cpp-17 x.c f", ["write f"]],
    ["c89-gcc x.c -o f", ["write f"]],
    ["x86_64-linux-gnu-cpp x.c f", ["write f"]],
    ["gcc x.c -o=f", ["write =f"]],
    ["gcc x.c", ["write a.out"]],
    ["gcc -c src/x.c", ["write x.o"]],
    ["gcc -S -O2 src/x.c src/y.c", ["write x.s", "write y.s"]],
    ["gcc -c x.c -o f", ["write f"]],
    ["gcc -c x.c -MD -MF f -o o", ["write f", "write o"]],
    ["gcc -c x.c -MFf -o o", ["write f", "write o"]],
    ["gcc -MMD -MP -c x.c -o d/x.o", ["write d/x.o", "write d/x.d"]],
    ["gcc -MD -S x.c --output=d.e/x", ["write d.e/x", "write d.e/x.d"]],
    ["gcc -MMD x.c -o d/x", ["write d/x", "write null"]],
    ["gcc -MMD -c x.c", ["write null", "write x.o"]],
    ["gcc -MMD -u -c x.c -o x", ["write x", "write x.d", "write null"]],
    ["gcc -M x.c -MF f", ["write f"]],
    ["gcc --compile x.c", ["write null", "write a.out"]],
    ["gcc -E x.c", []],
    ["gcc -Iinc -DX -std=c99 -O2 -E x.c", []],
    ["gcc -I inc -E x.c", []],
    ["gcc -u -E x.c", ["write a.out"]],
    ["gcc --sysroot -E x.c", ["write a.out"]],
    ["gcc -e -fsyntax-only x.c", ["write a.out"]],
    ["gcc -z -o f x.c", ["write f", "write a.out"]],
    ["gcc -E x.c -o -", []],
    ["gcc -S -o - x.c", []],
    ["gcc -o - x.c", ["write -"]],
    ["gcc -u -E -o - x.c", ["write -"]],
    ["gcc -MM -MF - x.c", []],
    ["gcc -### x.c", []],
    ["gcc -fsyntax-only x.c", []],
    ["gcc --version", []],
    ["gcc -v", []],
    ["gcc -dumpmachine", []],
    ["gcc -dM -E - </dev/null", []],
    ["gcc d/x.h", ["write a.out", "write null"]],
    ["g++ -c d/x.tcc", ["write x.o", "write null"]],
    ["gcc -xc-header x", ["write a.out", "write null"]],
    ["gcc --language=c-header x", ["write a.out", "write null"]],
    ["gcc --language c-header x", ["write a.out", "write null"]],
    ["gcc -xc -fsyntax-only x", []],
    ["gcc x.o -T s.ld", ["write a.out", "write null"]],
    ["gcc x.o -Ts.ld", ["write a.out", "write null"]],
    ["gcc x.o -Wl,-dT,s.ld", ["write a.out", "write null"]],
    ["gcc x.o -Wl,-z,now,-T,s.ld", ["write a.out", "write null"]],
    ["gcc x.o -Wl,--default-script=s.ld", ["write a.out", "write null"]],
    ["gcc x.o -Wl,--defsym=a=1", ["write a.out"]],
    ["gcc x.o -T s.ld -Wl,-dT,s.ld -o x", ["write x"]],
    ["gcc -c x.c -T s.ld", ["write x.o"]],
    ["gcc -x c-header x -o f", ["write f"]],
    ["gcc x.c -Wl,-Map=f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,-rpath=d,-Map=f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,-z,now,-Map f -o x", ["write x", "write null"]],
    ["gcc x.c -Wl,--Map f -o x", ["write x", "write null"]],
    ["gcc x.c -Wl,-Map -Wl,f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,-map,f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,-Map,f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,--out-impl=f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,-o,f -o x", ["write x", "write f"]],
    ["gcc x.c -Wl,--pdb=f -o x", ["write x", "write null"]],
    ["gcc x.c -Wl,-rpath,d -Wl,-z,relro,--as-needed -o x", ["write x"]],
    ["gcc x.c -Xlinker -Map=f -o x", ["write null", "write x", "write f"]],
    ["gcc -c x.c -Wa,-a=f -o o", ["write null", "write o"]],
    ["gcc -c x.c -aux-info f -o o", ["write f", "write o"]],
    ["gcc -c x.c -save-temps -o o", ["write null", "write o"]],
    ["gcc -c x.c -fdump-tree-all -o o", ["write null", "write o"]],
    ["gcc -c x.c -fopt-info-optall=f -o o", ["write null", "write o"]],
    ["gcc -c x.c -time=f -o o", ["write null", "write o"]],
    ["gcc $FLAGS x.c -o f", ["write f", "write null"]],
    ['gcc "-o$F" x.c', ["write a.out", "write null"]],
    ["cpp x.c f", ["write f"]],
    ["cpp x.c -o f", ["write f"]],
    ["cpp x.c", []],
    ["cpp -MD x.c", ["write null"]],
    ["cpp -MD -MF f x.c", ["write f"]],
  ])("with %j is %j", (command, expected) => {
    expect(writesOf(command)).toEqual(expected);
  });

  it.each([
    "-MMD -MP -MF x",
    "-MD -MFx",
    "-Wp,-D_FORTIFY_SOURCE=2",
    "-Wp,-U_FORTIFY_SOURCE,-DX",
    "-Wa,--noexecstack",
    "-Wa,-mbig-obj,--gdwarf-5",
    "-Wl,--compress-debug-sections=zlib",
    "-Wl,--copy-dt-needed-entries",
    "-Wl,-melf_x86_64",
    "-Wl,--print-memory-usage",
    "-Wl,--oformat=binary",
    "-Wl,-cref",
    "-fdiagnostics-format=json",
    "-fdiagnostics-all-candidates",
    "-ftime-report",
    "-fmodulo-sched",
    "-foptimize-sibling-calls",
    "-fopt-info-vec",
    "-Wl,--defsym=a@1",
    "-Wl,-M",
    "-fuse-ld=bfd",
    "-fuse-ld=gold",
    "-fuse-ld=lld",
    "-fuse-ld=mold",
  ])("is no more with %s", (option) => {
    const command = `gcc x.c ${option} -o x`;
    expect(new Set(writesOf(command))).toEqual(new Set(["write x"]));
    expect(isOpaque(command)).toBe(false);
  });

  it.each([
    "-Wp,-MD,f",
    "-Wp,-DX,-MD,f",
    "-Wa,-al=f",
    "-Wa,-mx,-al=f",
    "-Wa,--MD,f",
    "-Wl,-c,f",
    "-Wl,-creff",
    "-Wl,-dep=f",
    "-Wl,-Ma=f",
    "-Wl,--print-symbol-order=f",
    "-fdiagnostics-format=json-file",
    "-fdiagnostics-add-output=sarif:file=f",
    "-fdiagnostics-set-output=sarif:file=f",
    "-ftime-trace",
    "-fmodules-ts",
    "-foptimization-record-file=f",
    "-fdeps-file=f",
    "-fprofile-arcs",
    "-ftest-coverage",
    "-fstack-usage",
    "-gsplit-dwarf",
    "--coverage",
  ])("may be another file with %s", (option) => {
    expect(writesOf(`gcc x.c ${option} -o x`)).toContain("write null");
  });

  it.each(["-I -L", "-o -L", "-isystem -l", "-u -L", "-z -L", "-L", "-I", "-Wl,-u"])(
    "is told whole by a word for the linker behind %s",
    (before) => {
      expect(writesOf(`gcc x.c ${before} -Wl,-Map=f -o x`)).toContain("write f");
      expect(targetsOf(`gcc x.o ${before} -Wl,-b,binary,.env -o x`)).toContain("read .env");
    },
  );

  it.each(
    ["-o", "-Map", "--dependency-file"].flatMap((option) =>
      ["-Lsrc", "-u foo", "-z now", "y.o", "-lm"].map((between) => [option, between] as const),
    ),
  )(
    "may be any file where the value of %s for the linker does not follow at once, but %s",
    (option, between) => {
      expect(writesOf(`gcc x.c -Wl,${option} ${between} -Wl,f -o x`)).toContain("write null");
      expect(writesOf(`gcc x.c -Wl,${option}, -Wl,f -o x`)).toContain("write null");
    },
  );

  it.each([
    "-Wl,-u -Lsrc -Wl,-Map,-o,f",
    "-u -Wl,-Map -Wl,-o -Wl,f",
    "-Wl,-u,-Map,f",
    "-Wl,-z -lm -Wl,-Map,f",
  ])("is told by a word that may be the value of another: %s", (given) => {
    expect(writesOf(`gcc x.c ${given} -o x`)).toContain("write f");
  });

  it.each([
    "-Wl,-Map=d/%",
    "-Wl,-Map,.g%",
    "-Wl,--Map=%",
    "-Wl,-object_path_lto,f",
    "-Wl,-final_output,f",
    "-Wl,-bitcode_symbol_map,f",
    "-Wl,--base-file,f",
  ])("may be a file that the linker names itself, or under names of other linkers: %s", (option) => {
    expect(writesOf(`gcc x.c ${option} -o x`)).toContain("write null");
    expect(writesOf(`ld x.o ${option.slice(4).replace(",", " ")} -o x`)).toContain("write null");
  });

  it("may be a library anywhere that is named by a way up", () => {
    expect(targetsOf("gcc x.o -l:../../w/.env -o x")).toContain("read null");
    expect(targetsOf("ld x.o -l:../../w/.env -o x")).toContain("read null");
    expect(targetsOf("gcc x.o -l:libx..a -o x")).not.toContain("read null");
  });

  it.each("gcc g++ cc c++ clang clang++ c89 c99 gfortran cpp".split(" "))("is known of %s", (name) => {
    expect(writesOf(`${name} x.c -o f`)).toEqual(["write f"]);
    expect(isOpaque(`${name} -Btools x.c`)).toBe(true);
  });

  it.each("-o --output -MF -MJ -aux-info --serialize-diagnostics".split(" "))(
    "is the value of %s",
    (option) => {
      expect(writesOf(`gcc -E x.c ${option} f`)).toEqual(["write f"]);
    },
  );

  it.each("-MT -MQ -x --language -I -L -D -U -l -isystem -iquote -idirafter".split(" "))(
    "is not told from the value of %s",
    (option) => {
      expect(targetsOf(`gcc -E ${option} v x.c`)).toEqual(["read x.c"]);
    },
  );

  it.each("-E -S -M -MM".split(" "))("is shown with %s", (option) => {
    for (const output of ["-o -", "--output -", "-o-", "--output=-"])
      expect(writesOf(`gcc ${option} x.c ${output}`)).toEqual([]);
  });

  it.each("-E -M -MM -fsyntax-only -###".split(" "))("is nothing with %s", (option) => {
    for (const rest of ["x.c", "-c x.c", "-S x.c", "x.h", "-x c x", "-T s.ld x.o"])
      expect(writesOf(`gcc ${option} ${rest}`)).toEqual([]);
  });

  it("may hold what it reads", () => {
    expect(targetsOf("gcc -T.env x.c -o f")).toContain("read .env");
    expect(targetsOf("gcc -T .env x.c -o f")).toContain("read .env");
    expect(targetsOf("gcc -E .env")).toEqual(["read .env"]);
    expect(targetsOf("gcc -E -include .env -x c /dev/null")).toContain("read .env");
    expect(targetsOf("gcc -c @.env -o f")).toContain("read .env");
    for (const option of ["-include", "-imacros"]) {
      expect(targetsOf(`gcc -E ${option} .env x.c`)).toEqual(["read .env", "read x.c"]);
      expect(targetsOf(`gcc -E ${option}.env x.c`)).toEqual(["read .env", "read x.c"]);
      expect(targetsOf(`gcc -E -${option}=.env x.c`)).toEqual(["read .env", "read x.c"]);
      expect(targetsOf(`gcc -E -${option} .env x.c`)).toEqual(["read .env", "read x.c"]);
      expect(targetsOf(`cpp ${option}.env x.c`)).toEqual(["read .env", "read x.c"]);
    }
  });

  it.each([
    "gcc -E -I d -include .env x.c",
    "gcc -E -Id -include.env x.c",
    "gcc -E -I=d --include=.env x.c",
    "gcc -E -iquote d -imacros .env x.c",
    "gcc -E -isystemd --imacros .env x.c",
    "gcc -E -idirafter d -include .env x.c",
    "gcc -E --include-directory=d -include .env x.c",
    "gcc -E --include-directory-after d -include .env x.c",
    "cpp -Id -include .env x.c",
    "gcc x.o -Ld -l:.env -o x",
    "gcc x.o -L d -l :.env -o x",
    "gcc x.o --library-directory=d -l:.env -o x",
    "gcc x.o --library-directory d -l:.env -o x",
    "gcc x.o -I -Ld -l:.env -o x",
    "gcc x.o -Ld -Wl,-l:.env -o x",
    "gcc x.o -Wl,-L,d -Xlinker -l:.env -o x",
    "ld x.o -Ld -l:.env -o x",
    "ld x.o --library-path=d --library=:.env -o x",
    "ld x.o --library-path d --library :.env -o x",
  ])("may hold what it looks for in folders: %s", (command) => {
    expect(targetsOf(command)).toContain("read d/.env");
  });

  it("may be any where folders and names are very many, or not known", () => {
    const many = "-Id -include x ".repeat(40);
    expect(targetsOf(`gcc -E ${many}x.c`)).toContain("read null");
    expect(targetsOf('gcc -E "--include-directory=$D" -include x x.c')).toContain("read null");
  });

  it.each([
    "-Wl,.env",
    "-Wl,-b,binary,.env",
    "-Wl,--version-script=.env",
    "-Wl,-T,.env",
    "-Xlinker .env",
    "-fauto-profile=.env",
    "-fprofile-use=.env",
    "-fprofile-instr-use=.env",
    "-fprofile-sample-use=.env",
    "-fprofile-list=.env",
    "-fsanitize-blacklist=.env",
    "-fsanitize-ignorelist=.env",
  ])("may hold what it reads with %s", (option) => {
    expect(targetsOf(`gcc x.o ${option} -o x`)).toContain("read .env");
  });

  it.each([
    "gcc -fuse-ld=./x x.c",
    "gcc -fuse-ld=lldx x.c",
    "gcc @words x.c",
    "gcc --prefix=tools/ x.c",
    "gcc --prefix tools/ x.c",
    "gcc -Btools x.c",
    "gcc -wrapper canary x.c",
    "gcc -fplugin=x.so x.c",
    "gcc-13 -fplugin=x.so x.c",
    "x86_64-linux-gnu-gcc -wrapper canary x.c",
    "x86_64-linux-gnu-ld --plugin=x.so x.o",
    "gcc-nm --plugin x.so x.o",
    "gcc-ar --plugin x.so t x.a",
    "gcc-ranlib --plugin x.so x.a",
    "x86_64-linux-gnu-gcc-nm-12 --plugin x.so x.o",
    "gcc x.o -Wl,-plugin,x.so",
    "gcc x.o -Wl,-z,now,--plugin=x.so",
    "gcc x.o -Wl,@words",
    "gcc x.o -Wl,-rpath,@words/lib",
    "gcc x.o -Xlinker -plugin=x.so",
    "gcc x.o -Xlinker --error-handling-script=canary",
    "clang --config x.cfg x.c",
    "clang -fpass-plugin=x.so x.c",
    "clang --ld-path=canary x.c",
    "cpp -Btools x.c",
    "ld -plugin x.so x.o",
    "ld --plugin=x.so x.o",
    "ld.gold --plugin x.so x.o",
    "ld --error-handling-script=canary x.o",
    "ld @words",
    "nm --plugin x.so x.o",
    "gnm --plugin x.so x.o",
  ])("is not all that happens with %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it("asks no more than that where it is run as usual", () => {
    for (const command of ["gcc -O2 -g -Wall x.c -o x", "clang++ -std=c++20 -pthread x.cc -o x", "nm -C x.o"])
      expect([command, isOpaque(command)]).toEqual([command, false]);
  });
});

describe("what the tools of a linker write", () => {
  it.each("ld ld.bfd ld.gold ld.lld ld.mold ld64 ld64.lld gold mold ld.lld-17 wasm-ld".split(" "))(
    "is known of %s",
    (name) => {
      expect(writesOf(`${name} x.o -o f`)).toEqual(["write f"]);
      expect(isOpaque(`${name} --plugin=x.so x.o`)).toBe(true);
    },
  );

  it.each(
    "-map -Map --Map -dependency-file --dependency-file -out-implib --out-implib --output-def".split(" "),
  )("is the value of %s", (option) => {
    expect(writesOf(`ld x.o -o x ${option} f`)).toEqual(["write x", "write f"]);
    expect(writesOf(`ld x.o -o x ${option}=f`)).toEqual(["write x", "write f"]);
  });

  it.each("-L -l -b -m -e -z -soname -rpath --library --library-path".split(" "))(
    "is not told from the value of %s",
    (option) => {
      expect(targetsOf(`ld ${option} v x.o -o x`)).toEqual(["write x", "read x.o"]);
    },
  );

  it.each("IOFRNK".split(""))("of strip is not told from the value of -%s", (letter) => {
    expect(writesOf(`strip -${letter} v a`)).toEqual(["write a"]);
  });

  it.each("IOBFjRNKLGWb".split(""))("of objcopy is not told from the value of -%s", (letter) => {
    expect(writesOf(`objcopy -${letter} v a b`)).toEqual(["write b"]);
  });

  it.each(
    "input-mach input-type input-osabi input-abiversion output-mach output-type output-osabi output-abiversion".split(
      " ",
    ),
  )("of elfedit is not told from the value of --%s", (option) => {
    expect(writesOf(`elfedit --${option} v a`)).toEqual(["write a"]);
  });

  it.each(["ld -o x", "as -o x", "objcopy", "strip -o x", "elfedit", "gcc -E"])(
    "may be said in a file of words to %s",
    (command) => {
      expect(targetsOf(`${command} @.env`)).toContain("read .env");
    },
  );

  it.each([
    [
      "ld -o x",
      "version-script default-script export-dynamic-symbol-list just-symbols section-ordering-file",
    ],
    ["ld -o x", "retain-symbols-file dynamic-list"],
    ["objcopy", "redefine-syms keep-symbols keep-global-symbols strip-symbols strip-unneeded-symbols"],
    ["objcopy", "weaken-symbols localize-symbols globalize-symbols add-gnu-debuglink"],
    ["strip -o x", "keep-symbols"],
  ])("may hold what %s reads with each of these: %s", (command, options) => {
    for (const option of options.split(" ")) {
      expect(targetsOf(`${command} --${option}=.env a b`)).toContain("read .env");
      expect(targetsOf(`${command} --${option.slice(0, -1)}=.env a b`)).toContain("read .env");
    }
  });

  it("is no file where letters of objcopy name a form or a part", () => {
    for (const letter of "IOBFjRNKLGWb")
      expect(targetsOf(`objcopy -${letter} "$V" a b`)).toEqual(["read a", "write b"]);
  });

  it("may hold what a linker reads with letters", () => {
    for (const option of ["-T", "-R"]) expect(targetsOf(`ld ${option}.env -o x x.o`)).toContain("read .env");
  });

  it("cannot be told where objcopy and strip read words from a file", () => {
    for (const command of ["objcopy @words", "strip @words", "strip -o x @words"])
      expect(writesOf(command)).toContain("write null");
  });

  it.each([
    ["ld x.o -o f", ["write f"]],
    ["ld x.o --output f", ["write f"]],
    ["ld -T .env x.o --output=f", ["write f"]],
    ["ld --script .env --output=f", ["write f"]],
    ["ld -R .env -o f", ["write f"]],
    ["ld x.o -of", ["write f"]],
    ["ld x.o --outp=f", ["write f"]],
    ["ld -v", []],
    ["ld -V", []],
    ["ld --verbose", []],
    ["ld -v x.o", ["write null"]],
    ["ld -v -lc", ["write null"]],
    ["ld x.o", ["write null"]],
    ["ld x.o -o x -Map f", ["write x", "write f"]],
    ["ld x.o -o x -Map=f", ["write x", "write f"]],
    ["ld x.o -o x -Ma=f", ["write x", "write null"]],
    ["ld x.o -o x -M", ["write x"]],
    ["ld x.o -o x -M=f", ["write x", "write null"]],
    ["ld x.o -o x -dependency-fil=f", ["write x", "write null"]],
    ["ld x.o -o x --dep f", ["write x", "write null"]],
    ["ld x.o -o x -out-impli f", ["write x", "write null", "write ut-impli"]],
    ["ld x.o -o x --out-impl=f", ["write x", "write f"]],
    ["ld x.o -o x -out-implib=f", ["write x", "write f"]],
    ["ld x.o -o x --output-def=f", ["write x", "write f"]],
    ["ld x.o -o x --reproduce=f", ["write x", "write null"]],
    ["ld x.o -o x --print-memory-usage -print-map", ["write x"]],
    ["ld x.o -o x -c f", ["write x", "write null"]],
    ["ld x.o -o x -cf", ["write x", "write null"]],
    ["ld x.o -o x --mri-s f", ["write x", "write null"]],
    ["ld x.o -o x -cref --copy-dt-needed-entries", ["write x"]],
    ["ld x.o -o x --dependency-file=f", ["write x", "write f"]],
    ["ld -T s.ld -o x x.o", ["write x"]],
    ["ld -u -o x x.o", ["write x", "write null", "write null"]],
    ["ld -defsym -o x x.o", ["write x", "write null", "write null"]],
    ["ld -melf_i386 -o x x.o", ["write x"]],
    ["ld -shared -no-pie -lc -o x x.o", ["write x"]],
    ["ld --gc-sections --strip-all -s -o x x.o", ["write x"]],
    ["ld --version", []],
    ["as x.s -o f", ["write f"]],
    ["as -Zo f x.s", ["write f"]],
    ["as x.s", ["write a.out"]],
    ["as -adhlns=f x.s -o o", ["write o", "write f"]],
    ["as --MD f x.s -o o", ["write f", "write o"]],
    ["as -MD f x.s -o o", ["write null", "write o"]],
    ["as -march=native x.s -o o", ["write o"]],
    ["as --debug-prefix-map -o x x.s", ["write x", "write a.out"]],
    ["as --64 -g -o x x.s", ["write x"]],
    ["as --gstabs -o x x.s", ["write x"]],
    ["as -Wosecret/k x.s", ["write secret/k"]],
    ["as -Kosecret/k x.s", ["write secret/k"]],
    ["as -Wal=secret/k -o o x.s", ["write o", "write secret/k"]],
    ["as @words", ["write a.out", "write null"]],
    ["objcopy a b", ["write b"]],
    ["gobjcopy a b", ["write b"]],
    ["gstrip a", ["write a"]],
    ["objcopy a", ["write a"]],
    ["objcopy -O binary -j .text a b", ["write b"]],
    ["objcopy --srec-len 4 a b", ["write a", "write b"]],
    ["objcopy --dump-section .text=f a b", ["write f", "write b"]],
    ["objcopy --dump-section=.text=f a b", ["write f", "write b"]],
    ["objcopy --dump-s .text=f a b", ["write f", "write a", "write b"]],
    ["strip a b", ["write a", "write b"]],
    ["x86_64-linux-gnu-strip a", ["write a"]],
    ["llvm-strip a", ["write a"]],
    ["llvm-strip-17 a", ["write a"]],
    ["llvm-objcopy-17 a b", ["write b"]],
    ["arm-none-eabi-objcopy a b", ["write b"]],
    ["x86_64-linux-gnu-ld x.o -o f", ["write f"]],
    ["x86_64-linux-gnu-ld.bfd x.o -o f", ["write f"]],
    ["x86_64-linux-gnu-as x.s -o f", ["write f"]],
    ["ranlib x.a", ["write x.a"]],
    ["gcc-ranlib x.a", ["write x.a"]],
    ["elfedit --output-osabi FreeBSD a", ["write a"]],
    ["elfedit @words", ["write null", "write @words"]],
    ["strip -o f a", ["write f"]],
    ["strip --strip-debug -o f a", ["write f"]],
    ["strip --keep-symbol -o a b", ["write a", "write b"]],
    ["strip --strip-symbol -o a b", ["write a", "write b"]],
    ["strip --keep-section=.x -o f a", ["write f"]],
    ["strip -so f a", ["write f"]],
    ["strip --output-file=f a", ["write f"]],
    ["strip --output-fi=f a", ["write f", "write a"]],
  ])("with %j is %j", (command, expected) => {
    expect(writesOf(command)).toEqual(expected);
  });

  it("may hold what they read", () => {
    for (const option of ["-T", "--script", "-R"])
      expect(targetsOf(`ld ${option} .env x.o -o f`)).toContain("read .env");
    expect(targetsOf("objcopy -I binary .env f")).toContain("read .env");
    expect(targetsOf("strip -o f .env")).toContain("read .env");
    expect(targetsOf("as @.env")).toContain("read .env");
    for (const option of ["--add-section", "--update-section", "--add-s"]) {
      expect(targetsOf(`objcopy ${option} .x=.env a b`)).toContain("read .env");
      expect(targetsOf(`objcopy ${option}=.x=.env a b`)).toContain("read .env");
    }
    expect(writesOf("objcopy --update-section .x=y a b")).toEqual(["write b"]);
    expect(targetsOf("objdump -s .env")).toEqual(["read .env"]);
  });
});

describe("what the compilers of Go, Rust, Java and TypeScript write", () => {
  it.each([
    ["go build -o f ./...", ["write f"]],
    ["go build -o=f", ["write f"]],
    ["go build --o f", ["write f"]],
    ["go build -o /dev/null .", []],
    ["go build -C d -o f", ["write f", "write null"]],
    ["go -C=d build -o f", ["write f", "write null"]],
    ["go build -C d", []],
    ["go build ./...", []],
    ["go run ./cmd/gen -o f", []],
    ["go run -race -tags x ./cmd/gen -o f", []],
    ["go -C d run x.go -o f", []],
    ["go run -o f ./cmd/gen", ["write f"]],
    ["go run -overlay x -o f ./cmd/gen", ["write f"]],
    ["go test --cover ./...", []],
    ["go build -gcflags='all=-N -l' ./...", []],
    ["go build -gcflags=-cpuprofile=f ./...", ["write null"]],
    ["go build -gcflags 'all=-N -memprofile=f' ./...", ["write null"]],
    ["go build -asmflags '-S -o f' ./...", ["write null"]],
    ["go test -c", ["write null"]],
    ["go test -c -o f", ["write f"]],
    ["go test ./... -args -c", ["write null"]],
    ["go vet -c 2", []],
    ["go test ./...", []],
    ["go test -run -o ./...", []],
    ["go test ./... -test.coverprofile=f", ["write null"]],
    ['go test -run "$x" ./...', []],
    ["go test $(git rev-parse HEAD)", []],
    ["rustc d/x.rs", ["write x"]],
    ["rustc x.rs -o f", ["write f"]],
    ["rustc -gof x.rs", ["write f"]],
    ["rustc --out-dir d x.rs", ["write d"]],
    ["rustc --out-dir=d x.rs", ["write d"]],
    ["rustc --emit=link=f -o x x.rs", ["write null", "write x"]],
    ["rustc --emit mir,asm=f -o x x.rs", ["write null", "write x"]],
    ["rustc --emit=mir -C opt-level=3 -o x x.rs", ["write x"]],
    ["rustc -C metadata=foo -o x x.rs", ["write x"]],
    ["rustc --cfg 'obj=\"x\"' -o x x.rs", ["write x"]],
    ["rustc --version", []],
    ["rustc-1.95 -o f x.rs", ["write f"]],
    ["rustc --print cfg=f", ["write f"]],
    ["rustc --print=target-list=f", ["write f"]],
    ["rustc -C incremental=f -o x x.rs", ["write x", "write f"]],
    ["rustc -Cincremental=f -o x x.rs", ["write x", "write f"]],
    ["rustc --codegen incremental=f -o x x.rs", ["write x", "write f"]],
    ["rustc -vV", []],
    ["rustc --print cfg", []],
    ["rustc -o f @words", ["write f", "write null"]],
    ["javac -d out src/A.java", ["write out"]],
    ["javac -s gen -h inc A.java", ["write gen", "write inc"]],
    ["javac --help", []],
    ["javac -Xstdout f A.java", ["write f"]],
    ["javac @words", ["write null"]],
    ["tsc --outDir d", ["write d"]],
    ["tsc -OUTDIR d", ["write d"]],
    ['tsc --outDir "$D" .', ["write null"]],
    ["tsc --noEmit -p .", []],
    ["tsc --declaration --outDir d", ["write d"]],
    ["tsc @words", ["write null"]],
  ])("with %j is %j", (command, expected) => {
    expect(writesOf(command)).toEqual(expected);
  });

  it.each([
    [
      "go test",
      "o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir debug-trace debug-actiongraph debug-runtime-trace",
    ],
    ["tsc", "outDir outFile out declarationDir tsBuildInfoFile generateTrace generateCpuProfile pprofDir"],
  ])("is the value of each of these of %s: %s", (command, options) => {
    for (const option of options.split(" ")) {
      expect(writesOf(`${command} -${option} f`)).toEqual(["write f"]);
      expect(writesOf(`${command} --${option} f`)).toEqual(["write f"]);
    }
  });

  it.each([
    ["go test", "-run -skip -bench -benchtime -tags -timeout -count -cpu -parallel -p -mod -coverpkg"],
    [
      "rustc -o x",
      "-L -l -C -W -A -D -F -Z --edition --crate-type --crate-name --target --cfg --extern --explain --print --codegen",
    ],
  ])("is not told from the value of these of %s: %s", (command, options) => {
    const before = writesOf(command);
    for (const option of options.split(" ")) expect(writesOf(`${command} ${option} -of`)).toEqual(before);
  });

  it.each("asm link dep-info llvm-ir llvm-bc metadata mir obj".split(" "))(
    "may be a file that --emit names for %s",
    (kind) => {
      expect(writesOf(`rustc -o x --emit=${kind}=f x.rs`)).toContain("write null");
    },
  );

  it("may hold what they read", () => {
    for (const command of ["rustc -o f", "javac", "tsc", "rustc -o f @", "javac @", "tsc @"])
      expect(targetsOf(`${command}${command.endsWith("@") ? "" : " "}.env`)).toContain("read .env");
  });

  it.each([
    "rustc -C linker=canary x.rs",
    "rustc -Clinker=canary x.rs",
    "rustc -OC linker=canary x.rs",
    "rustc --codegen linker=canary x.rs",
    "rustc --codegen=linker=canary x.rs",
    "rustc -C link-arg=-fplugin=x.so x.rs",
    "rustc -C link_args=-fplugin=x.so x.rs",
    "rustc -C linker-plugin-lto=x.so x.rs",
    "rustc -C dlltool=canary x.rs",
    "rustc -C llvm-args=-load=x.so x.rs",
    "rustc -Zcodegen-backend=x.so x.rs",
    "rustc -Z codegen-backend=x.so x.rs",
    "rustc-1.95 -C linker=canary x.rs",
    'rustc -C "$X" x.rs',
  ])("is not all that happens with %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each(["rustc -C linker-flavor=gcc -C lto x.rs", "rustc -C opt-level=3 -C link-dead-code x.rs"])(
    "is all that happens with %s",
    (command) => {
      expect(isOpaque(command)).toBe(false);
    },
  );

  it.each([
    "javac -d out A.java",
    "tsc --outDir out",
    "rustc --out-dir out x.rs",
    "git clone u out",
    "git worktree add out",
    "git checkout-index --prefix=out -a",
  ])("is anywhere in the folder that %j names", (command) => {
    const { parts } = analyzeShell(command, { dialect: "bash" });
    expect(parts[0]?.targets).toContainEqual(
      expect.objectContaining({ operation: "write", path: "out", whole: true }),
    );
  });
});
