-- AlterTable
ALTER TABLE "delivery_attempts" ADD COLUMN     "test" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "subscription_queues" ADD COLUMN     "last_delivery_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "failure_reason" TEXT,
ADD COLUMN     "next_secret" BYTEA,
ADD COLUMN     "next_secret_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "subscription_routes" (
    "organization_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "subscription_id" UUID NOT NULL,
    "chatbot_id" UUID NOT NULL,

    CONSTRAINT "subscription_routes_pkey" PRIMARY KEY ("subscription_id","event_type")
);

-- CreateTable
CREATE TABLE "notices" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "subscription_routes_organization_id_event_type_chatbot_id_idx" ON "subscription_routes"("organization_id", "event_type", "chatbot_id");

-- CreateIndex
CREATE INDEX "notices_next_at_idx" ON "notices"("next_at");

-- Keeps subscription_routes: a row for each type of each subscription, with the nil UUID for every chatbot.
CREATE FUNCTION parley_route_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM subscription_routes WHERE subscription_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO subscription_routes (organization_id, event_type, subscription_id, chatbot_id)
    SELECT DISTINCT NEW.organization_id, type, NEW.id, coalesce(NEW.chatbot_id, '00000000-0000-0000-0000-000000000000')
    FROM unnest(NEW.event_types) AS type;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER parley_route_subscription
AFTER INSERT OR DELETE OR UPDATE OF event_types, chatbot_id, organization_id ON subscriptions
FOR EACH ROW EXECUTE FUNCTION parley_route_subscription();

INSERT INTO subscription_routes (organization_id, event_type, subscription_id, chatbot_id)
SELECT DISTINCT organization_id, type, id, coalesce(chatbot_id, '00000000-0000-0000-0000-000000000000'::uuid)
FROM subscriptions, unnest(event_types) AS type;
