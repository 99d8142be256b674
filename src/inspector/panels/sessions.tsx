import type { Route } from '../route.ts';

export const SessionsPanel = (_: { readonly route: Route }) => <p>…</p>;
