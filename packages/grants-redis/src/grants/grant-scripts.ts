import { redisScript } from "@x/redis-scripts";
import clear from "./clear.lua";
import find from "./find.lua";
import lists from "./ledger-lists.lua";
import load from "./load.lua";
import revoke from "./revoke.lua";
import save from "./save.lua";

export const SAVE = redisScript("save", `${lists}${save}`);
export const REVOKE = redisScript("revoke", `${lists}${revoke}`);
export const CLEAR = redisScript("clear", `${lists}${clear}`);
export const LOAD = redisScript("load", load);
export const FIND = redisScript("find", find);
