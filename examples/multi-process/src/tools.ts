import { appendFile, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defineTool, type ToolChecks } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import * as z from "zod";

const name = z.string().regex(/^[\w-]{1,40}$/);

/** Tools that keep notes in `folder`. What they append shows at the end how often each ran. */
export function noteTools(folder: string) {
  const append = async (path: string, text: string) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${text}\n`);
    return `written to ${path}`;
  };
  return [
    defineTool({
      name: "list_notes",
      description: "Lists the notes.",
      input: z.object({}),
      readOnly: true,
      run: () => readdir(join(folder, "notes")).catch(() => []),
    }),
    defineTool({
      name: "add_note",
      description: "Adds a line to a note.",
      input: z.object({ note: name, text: z.string() }),
      run: ({ note, text }) => append(`notes/${note}.txt`, text),
    }),
    defineTool({
      name: "delete_note",
      description: "Deletes a note.",
      input: z.object({ note: name }),
      run: ({ note }) => rm(join(folder, `notes/${note}.txt`)),
    }),
    defineTool({
      name: "publish",
      description: "Sends all notes to somebody.",
      input: z.object({ to: name }),
      run: ({ to }) => append(`outbox/${to}.txt`, "all notes"),
    }),
  ] as const;
}

/** Who reads asks nobody; who changes something does. */
export const noteChecks: ToolChecks<ReturnType<typeof noteTools>> = {
  list_notes: PermissionCheck.allow(),
  add_note: ({ note }) => PermissionCheck.ask("Add to a note?", { details: note }),
  delete_note: ({ note }) => PermissionCheck.ask("Delete a note?", { details: note }),
  publish: ({ to }) => PermissionCheck.ask("Publish all notes?", { details: to }),
};
