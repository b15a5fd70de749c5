// A process with one store, of an ordinary user where it can become one: saves a grant for each tool that it is sent, and
// answers with the tools of the whole ledger. It runs the built package, all of which it has loaded before it becomes
// another user, who may not get to the checkout.
import { FileGrantStore } from "@x/grants-file";
import { createGrant } from "@x/permission-core";

const { umask, projectDir, rootDir, user } = JSON.parse(process.argv[2]);
process.umask(umask);
if (process.getuid() === 0) {
  process.setgroups([]);
  process.setgid(user);
  process.setuid(user);
}
const store = new FileGrantStore({ projectDir, rootDir });
await store.load();

process.on("message", async (tool) => {
  try {
    await store.save(createGrant(tool, "Allow", "this_tool"));
    process.send((await store.load()).map((grant) => grant.tool));
  } catch ({ code, message }) {
    process.send({ refused: `${code}: ${message}` });
  }
});
process.send("ready");
