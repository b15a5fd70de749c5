import type { Redis } from "ioredis";

/** What `make` makes of the client where it cannot see that this has subscribed or was closed, as if it did not look. */
export function unchecked<Made>(redis: Redis, make: (redis: Redis) => Made): Made {
  const { status, condition } = redis as unknown as { status: string; condition: unknown };
  Object.assign(redis, { status: "ready", condition: null });
  try {
    return make(redis);
  } finally {
    Object.assign(redis, { status, condition });
  }
}
