import type { BenchmarkSection } from "./section.js";

/** A section as Markdown: title, notes, table, goals. */
export function sectionMarkdown({ title, notes, table, goals }: BenchmarkSection): string {
  return [
    `## ${title}`,
    notes.join("\n\n"),
    [row(table.columns), row(table.columns.map(() => "---")), ...table.rows.map(row)].join("\n"),
    goals.map((goal) => `- ${goal.met ? "met" : "**not met**"}: ${goal.text}`).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
