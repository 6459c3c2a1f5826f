import { explain, run } from "@parley/database";
import { standaloneConfig } from "./config.ts";
import { stopWithLauncher } from "./stop-with-launcher.ts";
import { welcome } from "./welcome.ts";

const program = {
  command: "npm start --",
  purpose:
    "Runs everything in one process, with demo data: PostgreSQL, the API, the reference and webhook delivery.",
  variables: standaloneConfig,
};

await run(program, async (config) => {
  const { startStandalone } = await import("./standalone.ts"); // Most of what there is to load, which --help does not need.
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
        explain("Parley did not stop cleanly.", error);
        process.exit(1);
      });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  stopWithLauncher(stop);
});
