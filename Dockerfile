# Four stages with the same commands as on any machine. Everything runs as an unprivileged user.
FROM node:24-bookworm-slim AS base
USER node
RUN mkdir /home/node/app /home/node/data
WORKDIR /home/node/app
COPY --chown=node:node package.json package-lock.json .npmrc ./

FROM base AS packages
RUN npm ci --omit=dev

FROM base AS build
RUN npm ci
COPY --chown=node:node . .
RUN npm run build

FROM base AS product
COPY --from=packages --chown=node:node /home/node/app/node_modules ./node_modules
COPY --chown=node:node . .
COPY --from=build --chown=node:node /home/node/app/build ./build
# Without DATABASE_URL, DATA_DIR also holds the database.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/home/node/data
VOLUME /home/node/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "scripts/healthcheck.mjs"]
STOPSIGNAL SIGTERM
# The command of `npm start`, without npm.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=50", "--use-largepages=silent", "scripts/start.mjs"]
