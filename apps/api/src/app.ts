import cookie from "@fastify/cookie";
import { createDatabase, type Database, databaseAddress, unencryptedWarnings } from "@parley/database";
import { type Monitoring, startMonitoring } from "@parley/monitoring";
import type { Tracing } from "@parley/monitoring/tracing";
import { configuredSecretBox, createHttpClient, createPublisher } from "@parley/webhooks";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Registry } from "prom-client";
import { configuredBrand } from "./brand-variables.ts";
import type { ApiConfig } from "./config.ts";
import { bodyLimits } from "./http/body-limits.ts";
import { serveContract } from "./http/contract.ts";
import { allowOtherOrigins } from "./http/cors.ts";
import { countRequests } from "./http/count-requests.ts";
import { validationError } from "./http/describe-validation.ts";
import { serveDocs } from "./http/docs.ts";
import { handleErrors } from "./http/errors.ts";
import { parseForms } from "./http/form-body.ts";
import { warnOfUntrustedProxy } from "./http/forwarded.ts";
import type { Handlers } from "./http/handlers.ts";
import { checkHostHeader } from "./http/host-header.ts";
import { parseJson } from "./http/json-body.ts";
import { createMakeChange } from "./http/make-change.ts";
import { serveNpmPackages } from "./http/npm-packages.ts";
import { createAdmission } from "./http/overload.ts";
import { warnOfPlainHttp } from "./http/plain-http.ts";
import {
  malformedRequest,
  preventSniffing,
  refuseEncodings,
  refuseExpectations,
  refuseUrls,
} from "./http/protocol.ts";
import { createRequestCounter } from "./http/rate-limit.ts";
import { connectRedis } from "./http/redis.ts";
import { isHealthCheck, loggedRequest, requestId, sendRequestId } from "./http/request-id.ts";
import { logRequests } from "./http/request-log.ts";
import { SearchLimit } from "./http/search-limit.ts";
import { securityHandlers } from "./http/security.ts";
import { shutDownGracefully } from "./http/shutdown.ts";
import { traceRequests } from "./http/trace-requests.ts";
import type { ApiMetrics } from "./metrics/api-metrics.ts";
import { accountOperations } from "./modules/account/operations.ts";
import { chatbotOperations } from "./modules/chatbots/operations.ts";
import { isPage, keepConsoleSessions, sendErrorResponse } from "./modules/console/error-responses.ts";
import { createFlashMessages } from "./modules/console/flash-messages.ts";
import { consoleOperations } from "./modules/console/operations.ts";
import { createSessionCheck } from "./modules/console/page-requests.ts";
import { conversationOperations } from "./modules/conversations/operations.ts";
import { deliveryOperations } from "./modules/deliveries/operations.ts";
import { erasureOperations } from "./modules/erasures/operations.ts";
import { createFeedWaiters } from "./modules/events/feed.ts";
import { eventOperations } from "./modules/events/operations.ts";
import { healthOperations, readinessProblem } from "./modules/health/operations.ts";
import { leadOperations } from "./modules/leads/operations.ts";
import { meetingOperations } from "./modules/meetings/operations.ts";
import { createCallerLookup } from "./modules/oauth/access-tokens/caller-lookup.ts";
import { preventCaching } from "./modules/oauth/cache-control.ts";
import { createOAuthContext } from "./modules/oauth/context.ts";
import { oauthOperations } from "./modules/oauth/operations.ts";
import { brandPages } from "./modules/oauth/pages/page.ts";
import { platformOperations } from "./modules/platform/operations.ts";
import { ticketOperations } from "./modules/tickets/operations.ts";
import { subscriptionOperations } from "./modules/webhooks/operations.ts";
import { signingKeyOperations } from "./modules/webhooks/signing-keys.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Address of `/metrics` and the health checks of the process; null without METRICS_PORT. */
    metricsUrl: string | null;
  }
}

/** Parts that the server shares with other programs in the same process. */
interface SharedParts {
  /** Traces of the process. Default: none. */
  tracing?: Tracing | undefined;
  /** Metrics and health checks of the process. Default: the server starts its own. */
  monitoring?: Monitoring;
  /** Returns the reason if another part of the process, such as the delivery worker, is not working; null if it is. */
  problem?: () => string | null;
  /** Prisma client, which stays connected when the server closes. Default: the server creates its own. */
  db?: Database;
}

/** Builds the server: hooks for every request, then the operations of the contract, then the reference. */
export async function buildApp(
  config: ApiConfig,
  { problem = () => null, db: shared, monitoring: sharedMonitoring, tracing }: SharedParts = {},
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: config.LOG_LEVEL, serializers: { req: loggedRequest } },
    logController: new LogController({ disableRequestLogging: isHealthCheck }),
    genReqId: requestId,
    trustProxy: config.TRUST_PROXY,
    bodyLimit: bodyLimits.withoutCredentials, // Operations that check credentials first have another limit.
    routerOptions: { maxParamLength: 16_384 }, // The longest possible request line, so that an unknown ID of any length gets a 404.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000, // Longer than that of usual proxies, so that they close first.
    return503OnClosing: false, // http/shutdown.ts handles every request and closes the connections.
    http: { requireHostHeader: false }, // checkHostHeader replaces it.
    clientErrorHandler: malformedRequest,
    frameworkErrors: refuseUrls(sendErrorResponse),
    schemaErrorFormatter: validationError,
  });
  const address = databaseAddress(config);
  const { url, directUrl, pooler } = address;
  const db =
    shared ??
    createDatabase(url, {
      poolSize: config.DATABASE_POOL_SIZE,
      pooler,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    });
  const monitoring = sharedMonitoring ?? (await startMonitoring(config));
  const metrics = monitoring.registry ? await addMetrics(monitoring.registry, db) : undefined;
  const feedWaiters = createFeedWaiters(app, db, directUrl);
  shutDownGracefully(app, { delayMs: config.SHUTDOWN_DELAY_MS, timeoutMs: config.SHUTDOWN_TIMEOUT_MS });
  if (!shared) app.addHook("onClose", async () => db.$disconnect());
  app.decorate("metricsUrl", monitoring.url);
  monitoring.addCheck(() => readinessProblem(app, db));
  if (!sharedMonitoring) app.addHook("onClose", () => monitoring.stop());
  if (metrics) countRequests(app, metrics);
  if (tracing) traceRequests(app, tracing);
  const publisher = createPublisher(db, app.log, tracing);
  const secretBox = configuredSecretBox(config);
  const client = createHttpClient({
    connectTimeoutMs: config.DELIVERY_CONNECT_TIMEOUT_MS,
    allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK,
    allowedRanges: config.WEBHOOKS_ALLOW_ADDRESSES,
  });
  app.addHook("onClose", async () => client.destroy());
  const redis = connectRedis(app, config.REDIS_URL);
  const { makeChange, makePreparedChange } = createMakeChange(db, publisher, secretBox);
  const baseUrl = () => config.PUBLIC_URL ?? app.listeningOrigin.replace(/0\.0\.0\.0|\[::1?\]/, "localhost");

  warnOfPlainHttp(app, config.PUBLIC_URL);
  for (const warning of unencryptedWarnings(address)) app.log.warn(warning);
  sendRequestId(app);
  preventSniffing(app);
  logRequests(app, db, { keepsEntries: config.REQUEST_LOG_DAYS > 0, observer: metrics?.requestLog });
  warnOfUntrustedProxy(app, config.TRUST_PROXY);
  // A route keeps the error handler that is set when it is added, and CORS adds a route.
  handleErrors(app, sendErrorResponse);
  keepConsoleSessions(app);
  brandPages(app, configuredBrand(config));
  preventCaching(app);
  checkHostHeader(app);
  await allowOtherOrigins(app);
  refuseExpectations(app);
  refuseEncodings(app);
  parseJson(app);
  parseForms(app);
  await app.register(cookie);
  const countRequest = await createRequestCounter(app, redis);

  const policy = {
    maxSubscriptions: config.MAX_SUBSCRIPTIONS,
    allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK,
    allowedRanges: config.WEBHOOKS_ALLOW_ADDRESSES,
  };
  const admitRequest = createAdmission(
    app,
    {
      maxInFlight: config.MAX_REQUESTS_IN_FLIGHT,
      maxDelayMs: config.MAX_EVENT_LOOP_DELAY_MS,
    },
    () => metrics?.refused("overload"),
  );
  const searches = new SearchLimit(config.MAX_CONCURRENT_SEARCHES, () => metrics?.refused("searches"));
  const oauth = createOAuthContext({ db, baseUrl, publicUrl: config.PUBLIC_URL, redis });
  const handlers: Handlers = {
    ...healthOperations(app, db, problem),
    ...oauthOperations(oauth),
    ...consoleOperations({
      ...oauth,
      admitRequest,
      searches,
      flashMessages: createFlashMessages(db, secretBox, oauth.clock),
      publisher,
      secretBox,
      policy,
      client,
      timeoutMs: config.DELIVERY_TIMEOUT_MS,
    }),
    ...accountOperations(db),
    ...chatbotOperations(db),
    ...leadOperations(db, makeChange),
    ...conversationOperations(db, makeChange),
    ...ticketOperations(db, makeChange),
    ...meetingOperations(db),
    ...eventOperations(db, feedWaiters),
    ...subscriptionOperations({
      db,
      makeChange,
      secretBox,
      baseUrl,
      sourceAddresses: config.WEBHOOK_SOURCE_ADDRESSES,
      ...policy,
    }),
    ...signingKeyOperations({ db, makeChange, secretBox, baseUrl }),
    ...deliveryOperations({
      db,
      makeChange,
      makePreparedChange,
      secretBox,
      client,
      timeoutMs: config.DELIVERY_TIMEOUT_MS,
    }),
    ...platformOperations(db, publisher),
    ...erasureOperations(db),
  };
  const platformKeyHashes = config.PLATFORM_KEY_HASHES;
  const security = securityHandlers(app, {
    findCaller: createCallerLookup(app, { db, directUrl, observer: metrics?.tokenCache }),
    countRequest,
    admitRequest,
    platformKeyHashes,
  });
  await serveContract(app, {
    handlers,
    security,
    searches,
    sendError: sendErrorResponse,
    isPage,
    hasSession: createSessionCheck(oauth),
  });
  await serveDocs(app, { baseUrl, clientId: config.DOCS_CLIENT_ID });
  serveNpmPackages(app);
  app.get("/", (_request, reply) => reply.redirect("/docs/"));
  return app;
}

async function addMetrics(registry: Registry, db: Database): Promise<ApiMetrics> {
  const { createApiMetrics } = await import("./metrics/api-metrics.ts"); // Loaded here because it needs 15 MB.
  return createApiMetrics(registry, db);
}
