interface Placed {
  /** where it begins in the file's text, in UTF-16 units */
  readonly offset: number;
  /** where it ends */
  readonly end: number;
}

interface ConfigText extends Placed {
  readonly type: "text";
  readonly value: string;
}

interface ConfigList extends Placed {
  readonly type: "list";
  readonly items: readonly ConfigNode[];
}

export interface ConfigEntry extends Placed {
  readonly key: string;
  readonly value: ConfigNode;
}

/** Its entries in the order of the file, keys that are repeated included. A list, so that no key has a meaning of its own. */
export interface ConfigMap extends Placed {
  readonly type: "map";
  readonly entries: readonly ConfigEntry[];
}

/** `null`, or nothing at all where YAML allows that. */
interface ConfigNothing extends Placed {
  readonly type: "nothing";
}

/** A number or a boolean: no setting is either. */
interface ConfigOther extends Placed {
  readonly type: "other";
}

/** What a configuration file says, with its places, in whichever syntax it is written. */
export type ConfigNode = ConfigText | ConfigList | ConfigMap | ConfigNothing | ConfigOther;
