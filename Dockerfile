# The Node of package.json. The digest is from Docker's record of its official images, github.com/docker-library/repo-info.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM $NODE_IMAGE AS base
USER node
RUN mkdir /home/node/app
WORKDIR /home/node/app
COPY --chown=node:node package.json package-lock.json .npmrc ./

FROM base AS packages
RUN npm ci --omit=dev

FROM base AS build
RUN npm ci
COPY --chown=node:node . .
RUN npm run build

# The code belongs to root: the product runs as a user who can write only to its data.
FROM $NODE_IMAGE AS product
USER node
RUN mkdir /home/node/data
WORKDIR /app
COPY --from=packages /home/node/app/node_modules ./node_modules
COPY . .
COPY --from=build /home/node/app/build ./build
# Without a database of yours, DATA_DIR also holds the embedded one.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/home/node/data
VOLUME /home/node/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "scripts/healthcheck.mjs"]
STOPSIGNAL SIGTERM
# The command of `npm start`, without npm. With DATABASE_URL it migrates and serves; to keep the owner's password from the
# container that serves, run `node scripts/migrate.ts` with DATABASE_URL before, and this one with APP_DATABASE_URL.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "--use-largepages=silent", "scripts/start.mjs"]
