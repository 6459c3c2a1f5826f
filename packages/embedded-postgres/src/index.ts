export { explainDataFolder, openDataFolder } from "./data-folder.ts";
export { findRunningPostgres } from "./running-server.ts";
export { type RunningPostgres, startPostgres } from "./start-postgres.ts";
