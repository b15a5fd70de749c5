import { plainScript, redisScript } from "@x/redis-scripts";
import clear from "./clear.lua";
import find from "./find.lua";
import lists from "./ledger-lists.lua";
import load from "./load.lua";
import revoke from "./revoke.lua";
import save from "./save.lua";
import survey from "./survey.lua";
import surveyLedger from "./survey-ledger.lua";

export const SAVE = redisScript("save", `${lists}${save}`);
export const REVOKE = redisScript("revoke", `${lists}${revoke}`);
export const CLEAR = redisScript("clear", `${lists}${surveyLedger}${clear}`);

// These change nothing, so that they may run late.
export const LOAD = plainScript("load", load);
export const FIND = plainScript("find", find);
export const SURVEY = plainScript("survey", `${surveyLedger}${survey}`);
