export { openGateway, type TestContext } from './tools/test-gateway/open-gateway.ts';
export type { TestGateway } from './tools/test-gateway/test-gateway.ts';
export type { TestServerOptions } from './tools/test-gateway/test-server.ts';
