/** What one benchmark has to say. */
export interface BenchmarkSection {
  title: string;
  /** What was measured, and what a reader must know to judge the numbers. */
  notes: string[];
  table: { columns: string[]; rows: string[][] };
  /** What the numbers were to show, and whether they did in this run. */
  goals: { text: string; met: boolean }[];
}
