-- Reads the whole ledger.
-- KEYS[1]  the ledger
-- Result   its fields and their values in turn
return redis.call('HGETALL', KEYS[1])
