import type { Route } from '../route.ts';

export const RequestsPanel = (_: { readonly route: Route }) => <p>…</p>;
