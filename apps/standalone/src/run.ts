import { run, stopOnSignal } from "@parley/config";
import { standaloneConfig } from "./config.ts";
import { stopWithLauncher } from "./stop-with-launcher.ts";
import { welcome } from "./welcome.ts";

const program = {
  command: "npm start --",
  purpose:
    "Runs Parley in one process, with demo data: PostgreSQL, the API, the reference and webhook delivery.",
  variables: standaloneConfig,
};

await run(program, async (config) => {
  const { startStandalone } = await import("./standalone.ts"); // Loaded here because it is large and --help does not need it.
  const standalone = await startStandalone(config, (step) => console.log(`${step} …`));
  console.log(welcome(standalone));

  const stop = stopOnSignal(() => {
    console.log("Stopping …");
    return standalone.stop();
  }, config.SHUTDOWN_TIMEOUT_MS);
  stopWithLauncher(stop);
});
