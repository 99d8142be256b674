import type { Route } from '../route.ts';

export const AssumptionsPanel = (_: { readonly route: Route }) => <p>…</p>;
