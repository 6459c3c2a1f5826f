import { readConfig, run, stopOnSignal } from "@parley/database";
import { standaloneConfig } from "./config.ts";
import { startStandalone } from "./standalone.ts";
import { stopWithLauncher } from "./stop-with-launcher.ts";
import { welcome } from "./welcome.ts";

await run(async () => {
  const config = readConfig(standaloneConfig, process.env);
  const standalone = await startStandalone(config, (step) => console.log(`${step} …`));
  console.log(welcome(standalone));

  const stop = stopOnSignal(() => {
    console.log("Stopping …");
    return standalone.stop();
  }, config.SHUTDOWN_TIMEOUT_MS);
  stopWithLauncher(stop);
});
