-- AlterTable
ALTER TABLE "oauth_client_secrets" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "hint" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "is_public" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "organization_id" UUID,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "role" TEXT NOT NULL DEFAULT 'member';

-- CreateTable
CREATE TABLE "audit_log" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "event" TEXT NOT NULL,
    "organization_id" UUID,
    "user_id" UUID,
    "client_id" TEXT,
    "grant_id" UUID,
    "address" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_log_organization_id_id_idx" ON "audit_log"("organization_id", "id");

-- CreateIndex
CREATE INDEX "oauth_clients_organization_id_idx" ON "oauth_clients"("organization_id");

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever was there before had nobody above: the users of each organization go on as its admins.
UPDATE "users" SET "role" = 'admin';
