# The same commands as on any machine, in four stages. Everything, installing included, runs as an unprivileged user.
FROM node:24-bookworm-slim AS house
USER node
RUN mkdir /home/node/app /home/node/data
WORKDIR /home/node/app
COPY --chown=node:node package.json package-lock.json .npmrc ./

FROM house AS packages
RUN npm ci --omit=dev

FROM house AS build
RUN npm ci
COPY --chown=node:node . .
RUN npm run build

FROM house AS product
COPY --from=packages --chown=node:node /home/node/app/node_modules ./node_modules
COPY --chown=node:node . .
COPY --from=build --chown=node:node /home/node/app/build ./build
# Without DATABASE_URL the database lives in DATA_DIR too.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/home/node/data
VOLUME /home/node/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "scripts/healthcheck.mjs"]
STOPSIGNAL SIGTERM
# What `npm start` runs, without npm in between.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=50", "--use-largepages=silent", "scripts/start.mjs"]
