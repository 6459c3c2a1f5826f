import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Admission, type AdmissionLimits } from "./admission.ts";
import { ApiError } from "./api-error.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** No longer counts the request as in flight. Call it before a long wait that needs nothing of the server. */
    stopCounting: () => void;
  }
}

/** Counts a request as in flight until its response ends; throws ApiError 503 if the server is overloaded. */
export type AdmitRequest = (request: FastifyRequest, reply: FastifyReply, organizationId: string) => void;

const measureEveryMs = 500;
const delayResolutionMs = 10;
const reportEveryMs = 10_000;
/** Clients that are refused together retry at different times. */
const retryAfterSeconds = [1, 2, 3];

/** Creates the check that refuses requests while the server is overloaded. */
export function createAdmission(
  app: FastifyInstance,
  limits: AdmissionLimits,
  onRefused: () => void = () => undefined,
): AdmitRequest {
  const admission = new Admission(limits);
  let refused = 0;
  let next = 0;
  app.decorateRequest("stopCounting", () => undefined);

  const histogram = monitorEventLoopDelay({ resolution: delayResolutionMs });
  histogram.enable();
  const measuring = setInterval(() => {
    admission.adapt(Math.max(0, histogram.mean / 1e6 - delayResolutionMs));
    histogram.reset();
  }, measureEveryMs).unref();
  const reporting = setInterval(() => {
    if (refused > 0) {
      app.log.warn({ refused, inFlight: admission.inFlight }, "requests refused: the server is overloaded");
    }
    refused = 0;
  }, reportEveryMs).unref();
  app.addHook("onClose", async () => {
    clearInterval(measuring);
    clearInterval(reporting);
    histogram.disable();
  });

  return (request, reply, organizationId) => {
    const stopCounting = admission.admit(organizationId);
    if (!stopCounting) {
      refused += 1;
      onRefused();
      next = (next + 1) % retryAfterSeconds.length;
      const seconds = retryAfterSeconds[next];
      throw new ApiError(503, "server_error", "The server is overloaded. Retry after a few seconds.", {
        "retry-after": String(seconds),
      });
    }
    request.stopCounting = stopCounting;
    // The client may have disconnected while the caller was found: then there is no further event.
    if (reply.raw.closed) stopCounting();
    else reply.raw.once("close", stopCounting);
  };
}
