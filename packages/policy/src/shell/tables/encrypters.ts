import type { FileProgram } from "./file-programs.js";
import { bothDashes, filesOf, words } from "./words.js";

const OPENSSL_WRITES = bothDashes(
  "out keyout writerand CAserial certsout certout chainout cacertsout extracertsout reqout respout rspout sess_out " +
    "keylogfile msgfile outdir srpvfile",
);
const OPENSSL_READS = bothDashes("in inkey key CAkey kfile rand CA CAfile certfile config extfile signer");
const PASSWORDS = bothDashes("passin passout pass");
/** Options with a value whatever the subcommand; what follows another option counts as a file that is read. */
const OPENSSL_TEXTS = bothDashes("subj days addext newkey name hmac K iv connect servername");

const GPG_WRITES = words(
  "--output --status-file --log-file --logger-file --attribute-file --keyring --trustdb-name",
);
const GPG_READS = words("--recipient-file --passphrase-file");

/** Programs that encrypt, sign and make keys. */
export const ENCRYPTERS: readonly FileProgram[] = [
  {
    names: ["openssl"],
    why: "writes what -out and its kin name",
    operands: "read",
    skip: 1,
    singleDash: true,
    longValues: [...OPENSSL_WRITES, ...OPENSSL_READS, ...PASSWORDS, ...OPENSSL_TEXTS],
    files: { ...filesOf("write", OPENSSL_WRITES), ...filesOf("read", OPENSSL_READS) },
    // A file's address, or where a password stands.
    held: [
      {
        options: ["", ...OPENSSL_READS, ...PASSWORDS],
        text: /^file:(?:\/\/(?:localhost)?(?=\/))?([\s\S]+)$/i,
        operation: "read",
      },
    ],
    defaults: [
      { with: ["ca"] },
      { with: ["rehash"] },
      { with: ["req", "-newkey"], unless: ["-keyout"] },
      { with: ["req", "-new"], unless: ["-keyout", "-key", "-newkey"] },
      { with: ["req", "-x509"], unless: ["-keyout", "-key", "-newkey", "-in"] },
      { with: ["x509", "-CA"], unless: ["-CAserial", "-set_serial"] },
      // The certificates of those who signed.
      { with: ["-verify", "-signer"] },
    ],
  },
  {
    names: ["gpg", "gpg1", "gpg2", "gpgsm"],
    why: "writes what -o names, or beside its operands",
    operands: "read",
    values: "rRfFuoNz",
    longValues: [
      ...GPG_WRITES,
      ...GPG_READS,
      ...words("--recipient --local-user --default-key --passphrase --pinentry-mode --status-fd"),
    ],
    files: { ...filesOf("write", ["-o", ...GPG_WRITES]), ...filesOf("read", ["-f", "-F", ...GPG_READS]) },
    writingOption: /^--(?:decrypt-f|encrypt-f|mu|use-e)/,
    defaults: [
      {
        operands: /^/,
        unless: words(
          "-o --output -d --decrypt --verify --list-keys --list-secret-keys --show-keys --fingerprint --print-md --import --export --recv-keys",
        ),
      },
    ],
  },
  {
    names: ["gpgv", "gpgv2"],
    why: "writes what -o names",
    operands: "read",
    values: "o",
    longValues: ["--output"],
    files: { "-o": "write", "--output": "write" },
  },
];
