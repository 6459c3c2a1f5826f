-- Since when a subscription asks for the type.
ALTER TABLE "subscription_routes" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "subscription_routes" route SET "since" = s."created_at"
FROM "subscriptions" s WHERE s."id" = route."subscription_id";

-- Keeps subscription_routes: a row for each type of each subscription, with the nil UUID for every chatbot. What stays as it
-- was keeps its time.
CREATE OR REPLACE FUNCTION parley_route_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chatbot uuid := coalesce(NEW.chatbot_id, '00000000-0000-0000-0000-000000000000');
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM subscription_routes WHERE subscription_id = OLD.id;
    RETURN NULL;
  END IF;
  DELETE FROM subscription_routes
  WHERE subscription_id = NEW.id
    AND NOT (organization_id = NEW.organization_id AND event_type = ANY (NEW.event_types) AND chatbot_id = chatbot);
  INSERT INTO subscription_routes (organization_id, event_type, subscription_id, chatbot_id)
  SELECT DISTINCT NEW.organization_id, type, NEW.id, chatbot FROM unnest(NEW.event_types) AS type
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
