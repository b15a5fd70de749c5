import type { BenchmarkSection } from "./section.js";

/** A section as Markdown, laid out as the formatter would: title, notes, table, goals. */
export function sectionMarkdown({ title, notes, table, goals }: BenchmarkSection): string {
  return [
    `## ${title}`,
    notes.join("\n\n"),
    tableMarkdown(table),
    goals.map((goal) => `- ${goal.met ? "met" : "**not met**"}: ${goal.text}`).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function tableMarkdown({ columns, rows }: BenchmarkSection["table"]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, 3, ...rows.map((cells) => cells[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[], filler: string) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0, filler)).join(" | ")} |`;
  const rule = line(Array<string>(columns.length).fill(""), "-");
  return [line(columns, " "), rule, ...rows.map((cells) => line(cells, " "))].join("\n");
}
