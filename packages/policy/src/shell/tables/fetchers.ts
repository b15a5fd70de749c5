import type { FileProgram } from "./file-programs.js";
import { filesOf, words } from "./words.js";

const CURL_VALUES: readonly string[] = words(
  "--output --upload-file --cookie-jar --cookie --dump-header --config --output-dir --header --proxy-header --data --data-ascii " +
    "--data-binary --data-raw --data-urlencode --url-query --form --form-string --json --request --url --variable --write-out " +
    "--trace --trace-ascii --stderr --etag-save --etag-compare --libcurl --netrc-file --cert --key --cacert --capath --user " +
    "--user-agent --referer --max-time --connect-timeout --retry --retry-delay --proxy --range --resolve --connect-to " +
    "--continue-at --limit-rate --interface --hsts --alt-svc --pubkey --unix-socket --proto --ciphers --aws-sigv4",
);

/** Programs that fetch and send. */
export const FETCHERS: readonly FileProgram[] = [
  {
    names: ["curl"],
    why: "-o and -O write; -T, `@` in what it sends, and addresses of files read",
    operands: "none",
    values: "oTAbcDdeFHKmPQrtuUwXxyYzCE",
    longValues: CURL_VALUES,
    files: {
      ...filesOf(
        "write",
        words(
          "-o --output -c --cookie-jar -D --dump-header --output-dir --trace --trace-ascii --stderr --etag-save --libcurl --hsts --alt-svc",
        ),
      ),
      ...filesOf(
        "read",
        words("-T --upload-file -K --config --etag-compare --netrc-file -E --cert --key --cacert"),
      ),
    },
    held: [
      {
        options: words(
          "-d --data --data-ascii --data-binary --json -H --header --proxy-header -w --write-out",
        ),
        text: /^@([\s\S]+)$/,
        operation: "read",
      },
      {
        options: ["--data-urlencode", "--url-query", "--variable"],
        text: /^[^=@]*@([\s\S]+)$/,
        operation: "read",
      },
      { options: ["-F", "--form"], text: /^[^=]*=[@<]([^;]+)/, operation: "read" },
      { options: ["-b", "--cookie"], text: /^([^=]+)$/, operation: "read" },
      {
        options: ["", "--url"],
        text: /^file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?(\/[\s\S]*)$/i,
        operation: "read",
      },
    ],
    writesWith: ["-O", "-J", "-K", "--remote-name", "--remote-name-all", "--remote-header-name", "--config"],
    writingValue: /%output\{/,
  },
  {
    names: ["wget"],
    why: "writes what it fetches, and reads what it sends",
    operands: "none",
    values: "OPoaietTUQlARDIBX",
    longValues: words(
      "--output-document --directory-prefix --output-file --append-output --input-file --post-file --body-file --post-data " +
        "--body-data --method --header --user --password --load-cookies --save-cookies --rejected-log",
    ),
    files: {
      ...filesOf(
        "write",
        words("-O --output-document -o --output-file -a --append-output --save-cookies --rejected-log"),
      ),
      ...filesOf("read", words("-i --input-file --post-file --body-file --load-cookies")),
    },
    writesUnnamed: true,
  },
];
