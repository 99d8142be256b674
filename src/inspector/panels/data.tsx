import type { Route } from '../route.ts';

export const DataPanel = (_: { readonly route: Route }) => <p>…</p>;
