import { integer } from "@parley/config";
import { z } from "zod";

/** Monitoring variables of every process. */
export const monitoringVariables = {
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      "Port for `GET /metrics` (Prometheus) and the health checks `GET /healthz` and `GET /readyz`, all without authentication; 0 picks a free port. Each process on a machine needs a different port. Default: none.",
    example: "9464",
  }),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .meta({ description: "Address that `METRICS_PORT` listens on.", example: "0.0.0.0" }),
};
