import { requireSame } from "../require-same.js";
import { learnedRule, type PermissionStoreTests, record } from "./rule-samples.js";

/** Session ids that a careless store mixes up with each other or with something of its own. */
const AWKWARD_IDS = [
  "",
  " ",
  "s",
  "S",
  "s ",
  "s\u00001",
  "s:1",
  "s/1",
  "../s",
  "{s}",
  "*",
  "__proto__",
  "constructor",
  "toString",
  "caf\u00e9",
  "cafe\u0301",
  "00000000-0000-0000-0000-000000000000",
  "😀".repeat(32),
];

/** That sessions have nothing in common. By title. */
export const SESSIONS: PermissionStoreTests = {
  "keeps sessions apart, whatever they are called": async (store) => {
    const ruleOf = (sessionId: string) => learnedRule("Shell", `of ${JSON.stringify(sessionId)}`);
    for (const id of AWKWARD_IDS)
      requireSame(await store.rules(id), [], `rules() of ${JSON.stringify(id)} in an empty store`);
    for (const id of AWKWARD_IDS) await store.record(id, ruleOf(id));
    for (const id of AWKWARD_IDS)
      requireSame(await store.rules(id), [ruleOf(id)], `rules() of ${JSON.stringify(id)}`);
    requireSame(await store.rules("another"), [], "rules() of a session that learned nothing");
  },

  "two sessions may learn the same rule, each in its own order": async (store) => {
    const [first, second] = [learnedRule("Shell", "a"), learnedRule("Shell", "b")];
    await record(store, "one", [first, second]);
    await record(store, "two", [second, first]);
    requireSame(await store.rules("one"), [first, second], "rules() of the first");
    requireSame(await store.rules("two"), [second, first], "rules() of the second");
  },

  "forgets one session, which may learn again": async (store) => {
    const [rule, again] = [learnedRule("Shell", "a"), learnedRule("Shell", "b")];
    for (const id of AWKWARD_IDS) await store.record(id, rule);
    await store.forget("s");
    requireSame(await store.rules("s"), [], "rules() of the forgotten session");
    for (const id of AWKWARD_IDS.filter((each) => each !== "s"))
      requireSame(await store.rules(id), [rule], `rules() of ${JSON.stringify(id)}`);
    await store.forget("s");
    await record(store, "s", [again, rule]);
    requireSame(await store.rules("s"), [again, rule], "rules() of the session that learned again");
  },
};
