import { readConfig } from "@parley/database";
import { standaloneConfig } from "./config.ts";
import { startStandalone } from "./standalone.ts";
import { stopWithLauncher } from "./stop-with-launcher.ts";
import { welcome } from "./welcome.ts";

try {
  const config = readConfig(standaloneConfig, process.env);
  const standalone = await startStandalone(config, (step) => console.log(`${step} …`));
  console.log(welcome(standalone));

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1); // Asked twice: at once.
    stopping = true;
    console.log("Stopping …");
    standalone.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  stopWithLauncher(stop);
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  const details =
    process.env["LOG_LEVEL"] === "debug" ? error : error instanceof Error ? error.message : error;
  console.error("Parley could not go on:", details);
  process.exit(1);
}
