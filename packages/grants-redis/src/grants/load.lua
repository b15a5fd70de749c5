-- Reads the whole ledger.
-- KEYS[1]  the ledger
-- ARGV[1]  not after
-- Result   its fields and their values in turn
-- Error    LATE
return redis.call('HGETALL', KEYS[1])
