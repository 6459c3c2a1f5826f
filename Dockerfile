# One image for all roles: api, worker, migrate and admin. docs/operating/image.md describes it.
#   docker build -t parley .
#   docker run --rm parley api --help
ARG NODE_IMAGE=docker.io/library/node:26.10.0-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm run build && npm run collect /parley

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="Self-hosted chatbot platform integration API" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9464
COPY --from=build /parley /parley
WORKDIR /parley
# By number, so that Kubernetes can check that it is not root.
USER 10001:10001
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/parley/deploy/image/check-health.mjs"]
# Node.js handles SIGTERM itself, so it can be the first process of the container.
ENTRYPOINT ["node", "/parley/deploy/image/parley.mjs"]
CMD ["api"]
