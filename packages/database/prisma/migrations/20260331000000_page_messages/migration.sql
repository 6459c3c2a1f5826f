-- What the next page of a signed-in browser shows, once.
ALTER TABLE "user_sessions" ADD COLUMN "message" BYTEA;
