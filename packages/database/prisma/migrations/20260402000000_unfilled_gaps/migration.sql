-- Where the gap of a subscription begins that nobody has filled.
ALTER TABLE "subscriptions" ADD COLUMN "gap_from" TIMESTAMPTZ(3);
UPDATE "subscriptions" SET "gap_from" = "failed_at";
