import { programConfig } from "@x/build/tsup";

export default programConfig({ entry: { worker: "src/worker.ts", approver: "src/approver.ts" } });
