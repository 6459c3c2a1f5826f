/** Returns a signal that is aborted by Ctrl-C or SIGTERM, for commands that run until they are stopped. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
