import { projectChecks } from "./checks.js";
import { runProgram } from "./run-session.js";

await runProgram({
  name: "demo",
  judges: (project) => ({ checks: projectChecks(project), rememberTools: ["edit"] }),
});
