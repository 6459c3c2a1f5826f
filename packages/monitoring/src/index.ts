export { type Check, serveMonitoring } from "./monitoring-server.ts";
export { observePool, type PoolState } from "./pool-metrics.ts";
export { type Monitoring, startMonitoring } from "./start-monitoring.ts";
export { monitoringVariables } from "./variables.ts";
