-- Reads the whole ledger, with what tells whether it has changed since.
-- KEYS[1]  the ledger
-- Result   its fingerprint; then its fields and their values in turn, none where it is no hash
local fingerprint, fields = survey(KEYS[1])
return { fingerprint, fields }
