import { programConfig } from "@x/build/tsup";

export default programConfig({ entry: { main: "src/main.ts", role: "src/role.ts" } });
