FROM node:22-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22-alpine
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/dist dist
COPY --from=build /build/scenarios scenarios
COPY --from=build /build/fixtures fixtures
USER node
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=2s CMD ["node", "-e", "fetch('http://127.0.0.1:4010/__admin/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js", "--host", "0.0.0.0"]
