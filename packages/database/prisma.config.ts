import { defineConfig } from "prisma/config";

// Prisma's CLI otherwise reports its use to Prisma's servers.
process.env.CHECKPOINT_DISABLE ??= "1";

// Prisma's CLI downloads its schema engine before every command unless a file is named here. Many machines cannot download
// it, and only `prisma migrate` and `prisma db` use it.
if (!["migrate", "db"].includes(process.argv[2] ?? ""))
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
