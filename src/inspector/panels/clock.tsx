import type { Route } from '../route.ts';

export const ClockPanel = (_: { readonly route: Route }) => <p>…</p>;
