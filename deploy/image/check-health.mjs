// Health check of the image: exits with 0 if a server in this container responds. The API listens on PORT, the worker on METRICS_PORT.
const ports = [process.env.PORT, process.env.METRICS_PORT].filter(Boolean);
const checks = ports.map(async (port) => {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error("not healthy");
});
await Promise.any(checks);
