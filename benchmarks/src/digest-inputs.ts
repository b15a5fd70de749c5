import type { JsonValue } from "@x/permission-core";

/** What the arguments of tool calls look like, from the smallest to a written file. */
export const digestInputs = {
  "30 B": { path: "/tmp/x.md", limit: 10 },
  "700 B with escapes": {
    file_path: "/home/user/project/src/components/button.tsx",
    old_string:
      'export function Button({ label }) {\n  return <button className="primary">{label}</button>;\n}\n\n' +
      'export const sizes = ["s", "m", "l"];\nexport const path = "C:\\\\projects\\\\ui";\n',
    new_string:
      'export function Button({ label, onClick }) {\n\tconst style = useStyle("primary");\n\treturn (\n' +
      "\t\t<button className={style} onClick={onClick}>\n\t\t\t{label}\n\t\t</button>\n\t);\n}\n\n" +
      'export const sizes = ["s", "m", "l", "xl"];\nexport const path = "C:\\\\projects\\\\ui";\n',
    replace_all: false,
    expected: 1,
    note: "Über die Schaltfläche – geprüft",
  },
  "3.5 kB deep": tree(5),
  "100 kB text": { path: "/tmp/report.md", content: report(100_000) },
} satisfies Record<string, JsonValue>;

export type DigestInputName = keyof typeof digestInputs;

function tree(height: number): JsonValue {
  if (height === 0) return { name: "leaf", tags: ["red", "green"], ok: true, id: 17 };
  return {
    level: height,
    title: `node ${height}`,
    children: [tree(height - 1), tree(height - 1)],
    weight: 1.5,
  };
}

/** Lines with quotes and a character beyond Latin-1. */
function report(length: number): string {
  const line = (index: number) =>
    `Line ${index}: the quick brown fox jumps over the "lazy" dog, for 5 € and more.\n`;
  return Array.from({ length: Math.ceil(length / 70) }, (_, index) => line(index))
    .join("")
    .slice(0, length);
}
