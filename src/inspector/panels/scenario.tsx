import type { Route } from '../route.ts';

export const ScenarioPanel = (_: { readonly route: Route }) => <p>…</p>;
