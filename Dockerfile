# Node 24 is the newest LTS: `process.release.lts` of 26 is still undefined. The base has no digest, since it could be neither
# learned nor pulled where this file was written: add one with `docker buildx imagetools inspect node:24-alpine`.
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-alpine
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/dist dist
ENV GATEWAY_MOCK_HOST=0.0.0.0
USER node
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=2s CMD ["node", "-e", "require(process.env.GATEWAY_MOCK_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.GATEWAY_MOCK_PORT || 4010, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
