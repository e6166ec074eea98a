# Builds for amd64 and arm64: the base image has both, and npm ci takes the binaries of the one it runs on.
#   docker buildx build --platform linux/amd64,linux/arm64 .
# A tag can be moved to other content, a digest cannot. To pin the base by the digest that its tag has today:
#   docker buildx imagetools inspect node:20.20.2-bookworm-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg NODE_IMAGE=node:20.20.2-bookworm-slim@sha256:DIGEST .
# uWebSockets.js comes as binaries for glibc; where none loads, Node's own server is used, which is slower.
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Before the sources, so that a change of theirs does not install everything again. The scripts of packages
# are not needed: all native parts come as prebuilt packages.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts scripts
COPY workers workers
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    QRELAY_BOOTSTRAP=off \
    npm_config_update_notifier=false
RUN install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE README.md ./
# No account is made by itself, since its key would be in the container's log:
#   docker exec CONTAINER qrelay admin account create Acme --plan agency
#   docker exec CONTAINER qrelay admin key create ACCOUNT
RUN ln -s /app/dist/main.js /usr/local/bin/qrelay
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
