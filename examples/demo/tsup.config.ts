import { programConfig } from "@x/build/tsup";

export default programConfig({ entry: { main: "src/main.ts", "run-session": "src/run-session.ts" } });
