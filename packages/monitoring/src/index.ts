export { type Monitoring, startMonitoring } from "./start-monitoring.ts";
export { monitoringVariables } from "./variables.ts";
