// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { isOpaque, targetsOf, writesOf } from "./named-files.js";

describe("what openssl and gpg write", () => {
  it.each([
    ["openssl rand -out f 32", ["write f"]],
    ["openssl rand -out=f 32", ["write f"]],
    ["openssl rand --out f 32", ["write f"]],
    ["openssl rand -writerand f 32", ["write f"]],
    ["openssl rand -hex 32", []],
    ["openssl genrsa -out k.pem 2048", ["write k.pem"]],
    ["openssl enc -aes-256-cbc -pbkdf2 -pass pass:x -in a -out b", ["write b"]],
    ["openssl enc -d -aes-256-cbc -in a", []],
    ["openssl dgst -sha256 -sign k.pem -out f a", ["write f"]],
    [
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c -days 9 -subj /CN=x",
      ["write k", "write c"],
    ],
    ["openssl req -new -newkey rsa:2048 -nodes -out c", ["write c", "write null"]],
    ["openssl req --new --newkey rsa:2048 -nodes --out c", ["write c", "write null", "write null"]],
    ["openssl req -new -key k -out c", ["write c"]],
    ["openssl3 rand -out f 32", ["write f"]],
    ["openssl req -precert -subj /CN=x", ["write null"]],
    ["openssl req -precert -key k", []],
    ["openssl req -x509 -nodes -subj /CN=x -out c", ["write c", "write null"]],
    ["openssl req -x509 -in r -key k -out c", ["write c"]],
    ["openssl req -x509 -in r -out c", ["write c"]],
    ["openssl req -x509 -key k -out c", ["write c"]],
    ["openssl req -x509 -keyout k -out c", ["write k", "write c"]],
    ["openssl req -x509 -newkey rsa:2048 -out c", ["write c", "write null"]],
    ["openssl req -new -keyout k -out c", ["write k", "write c"]],
    ["openssl x509 -req -in r -CA c -set_serial 1 -out f", ["write f"]],
    ["openssl x509 -req -in r -CA c -CAkey k -CAserial s -out f", ["write s", "write f"]],
    ["openssl x509 -req -in r -CA c -CAkey k -CAcreateserial -out f", ["write f", "write null"]],
    ["openssl x509 -in c -noout -text", []],
    ['openssl x509 -in "$C" -noout -enddate', []],
    ["openssl x509 -in $C -noout -enddate", ["write null"]],
    ["openssl smime -verify -in m -signer f", ["write null"]],
    ["openssl smime -sign -in m -signer c -out f", ["write f"]],
    ["openssl s_client -connect h:443 -keylogfile f", ["write f"]],
    ["openssl req -x509 -newkey rsa:2048 -keyout - -out -", []],
    ["openssl rehash d", ["write null"]],
    ["openssl rehash -h", []],
    ["openssl ca -help", []],
    ["openssl ca -in r", ["write null"]],
    ["openssl version -a", []],
    ["gpg -o f -d a.gpg", ["write f"]],
    ["gpg -o - -d a.gpg", []],
    ["gpg --dearmor -o f a", ["write f"]],
    ["gpg --fingerprint -b a", ["write null"]],
    ["gpg --comment -d a.gpg", ["write null"]],
    ["gpg --comment -d -c a", ["write null"]],
    ["gpg --comment -o -c a", ["write -c", "write null"]],
    ["gpg --comment -- -d a.gpg", ["write null"]],
    ["gpg --list-options show-photos a.gpg", ["write null"]],
    ["gpg --batch --gen-key", ["write null"]],
    ["gpg --full-gen", ["write null"]],
    ["gpg -dof a.gpg", ["write f"]],
    ["gpg --output f --decrypt a.gpg", ["write f"]],
    ["gpg --outp=f -d a.gpg", ["write f"]],
    ["gpg -d a.gpg", []],
    ["gpg --verify a.sig a", []],
    ["gpg --list-keys", []],
    ["gpg -c a", ["write null"]],
    ["gpg -e -r you@x.org a", ["write null"]],
    ["gpg -e -r you@x.org", []],
    ["gpg a.gpg", ["write null"]],
    ["gpg -d --multifile a.gpg", ["write null"]],
    ["gpg -d --use-embedded-filename a.gpg", ["write null"]],
    ["gpg --status-file f -d a.gpg", ["write f"]],
    ["gpg --keyring f --list-keys", ["write f"]],
    ["gpg --verify --debug-all a", ["write null"]],
    ["gpg --verify --debug=512 a", ["write null"]],
    ["gpg --verify --debug-level=guru a", ["write null"]],
    ["gpg --verify --debug-ignore-expiration a", []],
    ["gpg --verify --debug-quick-random a", []],
    ["gpgv --debug 512 a", ["write null"]],
    ["gpgv -o f a.sig", ["write f"]],
    ["gpgv2 --output f a.sig", ["write f"]],
    ["gpgv -o - a.sig", []],
    ["gpgv --output - a.sig", []],
    ["gpgv --log-file f a.sig", ["write f"]],
    ["gpgv --log=f a.sig", ["write f"]],
    ["gpgv --keyring f a.sig", []],
    ["gpgsm --html-audit-log=f --verify a", ["write f"]],
    ["gpgsm --audit-log f --verify a", ["write f"]],
    ["gpgsm --audit=f --verify a", ["write f"]],
  ])("with %j is %j", (command, expected) => {
    expect(writesOf(command)).toEqual(expected);
  });

  it.each([
    ["openssl enc -base64 -in .env", ["read .env"]],
    ["openssl base64 -in=.env", ["read .env"]],
    ["openssl x509 -in file:/w/.env", ["read file:/w/.env", "read /w/.env"]],
    ["openssl pkeyutl -sign -inkey .env -in a", ["read .env", "read a"]],
    ["openssl sha256 .env", ["read .env"]],
    ["openssl cms -verify -content=.env -in a", ["read .env", "read a"]],
    ["openssl cms -verify --content=.env -in a", ["read .env", "read a"]],
    ['openssl cms -verify --content="$F"', ["read null"]],
    ["openssl x509 -days=3 -in=a", ["read a"]],
    ["openssl enc -aes-256-cbc -in a -pass file:.env", ["read a", "read .env"]],
    ["openssl cms -encrypt -unlisted .env", ["read .env"]],
    ["openssl s_server -WWW", ["read ."]],
    ["openssl s_server --HTTP", ["read ."]],
    ["openssl s_server -www", []],
    ["gpg -d .env", ["read .env"]],
    ["gpg --passphrase-file .env -d a", ["read .env", "read a"]],
  ])("may hold what %j reads: %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });

  it.each([
    "openssl sha256 --engine=/tmp/x.so a",
    "openssl sha256 -provider /tmp/x.so a",
    "openssl sha256 -provider=/tmp/x.so a",
    'openssl sha256 -provider "$P" a',
    "openssl req -newkey rsa:2048 -keygen_engine /tmp/x.so",
    "openssl engine /tmp/x.so",
    "openssl engine dynamic -pre SO_PATH:/tmp/x.so -pre LOAD",
    "openssl req -new --config f",
    "gpg --options f -d a",
    "gpg --homedir d -d a",
    "gpgsm --protect-tool-program=canary --call-protect-tool",
    "gpgsm --protect-t canary -k",
    "gpgsm --call-protect-tool x",
    "gpgsm --call-prot",
  ])("is not all that happens with %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each(
    (
      "out keyout writerand CAserial certsout certout chainout cacertsout extracertsout reqout respout rspout sess_out keylogfile " +
      "msgfile outdir srpvfile"
    ).split(" "),
  )("is the value of -%s of openssl", (option) => {
    for (const joined of [`-${option} f`, `--${option} f`, `-${option}=f`, `--${option}=f`])
      expect(targetsOf(`openssl x509 ${joined}`)).toEqual(["write f"]);
  });

  it.each("in inkey key CAkey kfile rand CA CAfile certfile config extfile signer".split(" "))(
    "may hold the file that -%s of openssl names",
    (option) => {
      for (const dash of ["-", "--"]) {
        expect(targetsOf(`openssl dgst ${dash}${option} .env a`)).toEqual(["read .env", "read a"]);
        expect(targetsOf(`openssl dgst ${dash}${option} file:.env`)).toContain("read .env");
      }
    },
  );

  it.each("passin passout pass".split(" "))("may hold a password that -%s of openssl names", (option) => {
    for (const dash of ["-", "--"])
      expect(targetsOf(`openssl rsa ${dash}${option} file:.env`)).toEqual(["read .env"]);
  });

  it.each("subj days addext newkey name hmac K iv connect servername".split(" "))(
    "is not told from the value of -%s of openssl",
    (option) => {
      for (const dash of ["-", "--"])
        expect(targetsOf(`openssl dgst ${dash}${option} v a`)).toEqual(["read a"]);
    },
  );

  it.each(
    "output status-file log-file logger-file attribute-file keyring trustdb-name audit-log html-audit-log".split(
      " ",
    ),
  )("is the value of --%s of gpg", (option) => {
    for (const name of ["gpg", "gpg1", "gpg2", "gpgsm"])
      expect(targetsOf(`${name} --verify --${option} f`)).toEqual(["write f"]);
  });

  it.each(["--recipient-file", "--passphrase-file", "-f", "-F"])(
    "may hold the file that %s of gpg names",
    (option) => {
      expect(targetsOf(`gpg --verify ${option} .env`)).toEqual(["read .env"]);
    },
  );

  it.each(
    "-r -R -u -N -z --recipient --local-user --default-key --passphrase --pinentry-mode --status-fd".split(
      " ",
    ),
  )("is not told from the value of %s of gpg", (option) => {
    expect(targetsOf(`gpg ${option} v -d a`)).toEqual(["read a"]);
  });

  it.each(
    (
      "-d --decrypt -k -K -h --help --version --verify --verify-files --list-keys --list-public-keys --list-secret-keys --list-sigs " +
      "--list-signatures --check-sigs --check-signatures --list-packets --list-chain --show-keys --fingerprint --print-md --print-mds " +
      "--gen-random --gen-revoke --generate-revocation --import --fast-import --import-ownertrust --export --export-ownertrust " +
      "--export-secret-keys --export-secret-subkeys --export-ssh-key --send-keys --recv-keys --receive-keys --refresh-keys " +
      "--search-keys --fetch-keys --locate-keys --locate-external-keys --edit-key --sign-key --lsign-key --passwd " +
      "--change-passphrase --delete-keys --delete-secret-keys --delete-secret-and-public-keys --quick-generate-key " +
      "--quick-gen-key --quick-add-key --quick-add-uid --quick-sign-key --quick-lsign-key --quick-set-expire --quick-revoke-uid"
    ).split(" "),
  )("is nothing with gpg %s", (command) => {
    expect(writesOf(`gpg --batch --no-tty -a ${command} a`)).toEqual([]);
    expect(writesOf(`gpg --comment ${command} a`)).toEqual(["write null"]);
    expect(writesOf(`gpg ${command} -o f a`)).toEqual(["write f"]);
  });

  it.each(
    (
      "-c -e -s -b --clearsign --clear-sign --detach-sign --sign --encrypt --symmetric --store --dearmor --dearmour --enarmor " +
      "--enarmour"
    ).split(" "),
  )("is a file beside its operand with gpg %s, or the one that -o names", (command) => {
    expect(writesOf(`gpg ${command} a`)).toEqual(["write null"]);
    expect(writesOf(`gpg -k ${command} a`)).toEqual(["write null"]);
    expect(writesOf(`gpg ${command} -o f a`)).toEqual(["write f"]);
    expect(writesOf(`gpg ${command} --output=- a`)).toEqual([]);
  });

  it.each("--gen-key --generate-key --full-gen-key --full-generate-key".split(" "))(
    "may be told by what gpg %s reads",
    (command) => {
      expect(writesOf(`gpg --batch ${command}`)).toEqual(["write null"]);
      expect(writesOf(`gpg --batch -o f ${command}`)).toEqual(["write f", "write null"]);
    },
  );

  it.each(["-help", "--help", "-h", "--h"])("is nothing where openssl shows its help: %s", (option) => {
    for (const command of ["ca", "rehash"]) expect(writesOf(`openssl ${command} ${option}`)).toEqual([]);
  });

  it.each(
    "new precert x509 req nodes noenc batch text noout verbose utf8 verify sha256 subject pubkey modulus CAcreateserial quiet".split(
      " ",
    ),
  )("is what -keyout names after -%s", (option) => {
    expect(writesOf(`openssl req -newkey rsa:1024 -${option} -keyout f`)).toEqual(["write f"]);
    expect(writesOf(`openssl req -newkey rsa:1024 -section -keyout f`)).toEqual(["write f", "write null"]);
  });

  it.each(
    (
      "-k you|-K you|--list-sigs|--check-sigs you|--list-public-keys you|--list-packets f|--locate-keys you|--search-keys you|" +
      "--receive-keys 1|--fetch-keys u|--export-secret-keys you|--import-ownertrust f|--edit-key you|--delete-keys you|" +
      "--verify-files f|--show-keys f|--list-key you|--export-secret-key you|--with-colons --list-keys you"
    ).split("|"),
  )("is nothing with gpg %s", (rest) => {
    expect(writesOf(`gpg ${rest}`)).toEqual([]);
  });

  it.each(
    (
      "-c|-e|-s|-b|--clearsign|--clear-sign|--detach-sign|--sign|--encrypt|--symmetric|--store|--dearmor|--enarmor|--clear|--symm|" +
      "--decrypt-files|--encrypt-files"
    ).split("|"),
  )("is a file of another name with gpg %s", (option) => {
    expect(writesOf(`gpg --batch -k ${option} a`)).toContain("write null");
  });

  it("asks no more than that where they are run as usual", () => {
    for (const command of [
      "openssl list -providers",
      "openssl list -engines",
      "openssl dgst -sha256 a",
      "openssl x509 -in c -noout -text",
      "gpg --verify a.sig a",
    ])
      expect([command, isOpaque(command)]).toEqual([command, false]);
  });
});
