-- AlterTable
ALTER TABLE "chatbots" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "leads" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "meetings" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "reminded_for" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "external_id" TEXT;

-- CreateTable
CREATE TABLE "message_feedback" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "organization_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "chatbot_id" UUID NOT NULL,
    "rating" TEXT NOT NULL,
    "comment" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_feedback_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_runs" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "organization_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "chatbot_id" UUID NOT NULL,
    "conversation_id" UUID,
    "tool" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_records" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "organization_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_periods" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "organization_id" UUID NOT NULL,
    "metric" TEXT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,
    "announced" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "usage_periods_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "message_feedback_message_id_idx" ON "message_feedback"("message_id");

-- CreateIndex
CREATE UNIQUE INDEX "message_feedback_organization_id_external_id_key" ON "message_feedback"("organization_id", "external_id");

-- CreateIndex
CREATE INDEX "tool_runs_chatbot_id_idx" ON "tool_runs"("chatbot_id");

-- CreateIndex
CREATE UNIQUE INDEX "tool_runs_organization_id_external_id_key" ON "tool_runs"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_records_organization_id_external_id_key" ON "usage_records"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_periods_organization_id_metric_period_start_key" ON "usage_periods"("organization_id", "metric", "period_start");

-- CreateIndex
CREATE UNIQUE INDEX "chatbots_organization_id_external_id_key" ON "chatbots"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_organization_id_external_id_key" ON "conversations"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "leads_organization_id_external_id_key" ON "leads"("organization_id", "external_id");

-- CreateIndex
CREATE INDEX "meetings_starts_at_idx" ON "meetings"("starts_at");

-- CreateIndex
CREATE UNIQUE INDEX "meetings_organization_id_external_id_key" ON "meetings"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_organization_id_external_id_key" ON "messages"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "tickets_organization_id_external_id_key" ON "tickets"("organization_id", "external_id");

-- AddForeignKey
ALTER TABLE "message_feedback" ADD CONSTRAINT "message_feedback_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_runs" ADD CONSTRAINT "tool_runs_chatbot_id_fkey" FOREIGN KEY ("chatbot_id") REFERENCES "chatbots"("id") ON DELETE CASCADE ON UPDATE CASCADE;
