# uWebSockets.js comes as binaries for glibc, so Alpine images do not work. Node 24 needs glibc 2.38:
#   docker build --build-arg NODE_IMAGE=node:24-trixie-slim .
ARG NODE_IMAGE=node:20-bookworm-slim

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
    npm_config_update_notifier=false
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# For the operator's command line: docker exec CONTAINER npm run admin -- --help
COPY --from=build /app/scripts scripts
COPY --from=build /app/src src
COPY package.json LICENSE README.md ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]
