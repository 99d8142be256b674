import type { Route } from '../route.ts';

export const FaultsPanel = (_: { readonly route: Route }) => <p>…</p>;
