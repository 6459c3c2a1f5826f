import { defineConfig } from "prisma/config";

// Prisma's CLI otherwise reports its use to Prisma's servers.
process.env.CHECKPOINT_DISABLE ??= "1";

// `prisma generate` does not use the schema engine, but Prisma's CLI downloads it first unless a file is named here. Many
// machines cannot download it. `prisma migrate` does use it.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
