import { explain, readConfig, run } from "@parley/database";
import { standaloneConfig } from "./config.ts";
import { startStandalone } from "./standalone.ts";
import { stopWithLauncher } from "./stop-with-launcher.ts";
import { welcome } from "./welcome.ts";

await run(async () => {
  const config = readConfig(standaloneConfig, process.env);
  const standalone = await startStandalone(config, (step) => console.log(`${step} …`));
  console.log(welcome(standalone));

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1); // Asked twice: at once.
    stopping = true;
    console.log("Stopping …");
    standalone
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        explain(error);
        process.exit(1);
      });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  stopWithLauncher(stop);
});
