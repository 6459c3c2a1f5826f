-- Start of the last search that read everything up to then. Null: the next search reads everything.
ALTER TABLE erasures ADD COLUMN searched_until timestamptz(3);
