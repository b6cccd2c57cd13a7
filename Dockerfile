# syntax=docker/dockerfile:1
# One server of the site; docs/deploy.md, "In containers".

FROM node:26-slim AS build
WORKDIR /site
COPY . .
RUN --mount=type=cache,target=/root/.npm npm run build

# The programs in dist contain nearly all packages. These are for the few that they load.
FROM node:26-slim AS packages
WORKDIR /site
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --omit=dev --omit=peer --omit=optional --workspace=@app/api \
    && mkdir -p api/node_modules

FROM node:26-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
# tools/site/fork-server.ts says what memory this and the sizes below save.
ENV MALLOC_ARENA_MAX=1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /site
COPY --from=packages /site/node_modules node_modules
COPY --from=packages /site/api/node_modules api/node_modules
COPY --from=build /site/api/pictures api/pictures
COPY --from=build /site/dist dist
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 3000
# Not /readyz: a server whose database is away needs no restart.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m --start-interval=1s \
    CMD ["node", "--eval", "fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The secrets are settings in a file, which the environment of a container would show.
ENTRYPOINT ["node", "--disable-sigusr1", "--max-semi-space-size=4", "--max-old-space-size=1024", "--env-file-if-exists=/run/secrets/site.env"]
CMD ["dist/api/main.js"]
