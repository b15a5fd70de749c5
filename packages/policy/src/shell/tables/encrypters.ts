import type { FileProgram } from "./file-programs.js";
import { bothDashes, filesOf, words } from "./words.js";

const OPENSSL_WRITES = bothDashes(
  "out keyout writerand CAserial certsout certout chainout cacertsout extracertsout reqout respout rspout sess_out " +
    "keylogfile msgfile outdir srpvfile",
);
const OPENSSL_READS = bothDashes("in inkey key CAkey kfile rand CA CAfile certfile config extfile signer");
const SERVES_FILES = bothDashes("WWW HTTP");
const HELP = bothDashes("help h");
const PASSWORDS = bothDashes("passin passout pass");
/** Options with a value whatever the subcommand; what follows another option counts as a file that is read. */
const OPENSSL_TEXTS = bothDashes("subj days addext newkey name hmac K iv connect servername");

const GPG_WRITES = words(
  "--output --status-file --log-file --logger-file --attribute-file --keyring --trustdb-name " +
    "--audit-log --html-audit-log",
);
/** All that is hashed may go to files in the folder. */
const GPG_DEBUGS = /^--deb(?!ug-[iq])/;
const GPGV_WRITES = ["--output", "--log-file"];
const GPG_READS = words("--recipient-file --passphrase-file");

/** Commands of gpg that write. */
const GPG_WRITERS = words(
  "-c -e -s -b --clearsign --clear-sign --detach-sign --sign --encrypt --symmetric --store --dearmor --dearmour --enarmor --enarmour",
);
/** Those that show, keep or send; with none of either, gpg writes what it decrypts beside its operand. */
const GPG_OTHERS = words(
  "-d --decrypt -k -K -h --help --version --verify --verify-files --list-keys --list-public-keys --list-secret-keys --list-sigs " +
    "--list-signatures --check-sigs --check-signatures --list-packets --list-chain --show-keys --fingerprint --print-md --print-mds " +
    "--gen-random --gen-revoke --generate-revocation --import --fast-import --import-ownertrust --export --export-ownertrust " +
    "--export-secret-keys --export-secret-subkeys --export-ssh-key --send-keys --recv-keys --receive-keys --refresh-keys " +
    "--search-keys --fetch-keys --locate-keys --locate-external-keys --edit-key --sign-key --lsign-key --passwd " +
    "--change-passphrase --delete-keys --delete-secret-keys --delete-secret-and-public-keys --quick-generate-key " +
    "--quick-gen-key --quick-add-key --quick-add-uid --quick-sign-key --quick-lsign-key --quick-set-expire --quick-revoke-uid",
);
/** Options of gpg without a value, beside most of its commands. */
const GPG_PLAIN =
  /^-(?:\w|-(?:no|with-|allow-|use-|ignore-|always-|fixed-|try-all|(?:batch|yes|quiet|verbose|armou?r|textmode|expert|dry-run|list-only)$))/;

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
    readsValues: true,
    // A file's address, or where a password stands.
    held: [
      {
        options: ["", ...OPENSSL_READS, ...PASSWORDS],
        text: /^file:(?:\/\/(?:localhost)?(?=\/))?([\s\S]+)$/i,
        operation: "read",
      },
    ],
    outputs: bothDashes("out keyout"),
    plain:
      /^--?(?:new|precert|x509|req|nodes|noenc|batch|text|noout|verbose|utf8|verify|sha\d+|subject|pubkey|modulus|CAcreateserial|quiet)$/,
    defaults: [
      { with: ["ca"], unless: HELP },
      { with: ["rehash"], unless: HELP },
      { with: ["req", "-newkey"], unless: ["-keyout"] },
      { with: ["req", "-new"], unless: ["-keyout", "-key", "-newkey"] },
      { with: ["req", "-precert"], unless: ["-keyout", "-key", "-newkey"] },
      { with: ["req", "-x509"], unless: ["-keyout", "-key", "-newkey", "-in"] },
      { with: ["x509", "-CA"], unless: ["-CAserial", "-set_serial"] },
      // Whoever connects is given what is in the folder.
      { with: ["s_server"], any: SERVES_FILES, path: ".", operation: "read" },
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
    writingOption: new RegExp(`^--(?:decrypt-f|encrypt-f|mu|use-e)|${GPG_DEBUGS.source}`),
    outputs: ["-o", "--output"],
    plain: new RegExp(`${GPG_PLAIN.source}|^(?:${[...GPG_WRITERS, ...GPG_OTHERS].join("|")})$`),
    defaults: [
      { operands: /^/, any: GPG_WRITERS, unless: ["-o", "--output"] },
      { operands: /^/, unless: ["-o", "--output", ...GPG_WRITERS, ...GPG_OTHERS] },
      // What a key is made from may name files.
      { any: words("--gen-key --generate-key --full-gen-key --full-generate-key") },
    ],
  },
  {
    names: ["gpgv", "gpgv2"],
    why: "writes what -o names",
    operands: "read",
    values: "o",
    longValues: GPGV_WRITES,
    files: filesOf("write", ["-o", ...GPGV_WRITES]),
    writingOption: GPG_DEBUGS,
    outputs: ["-o", "--output"],
  },
];
