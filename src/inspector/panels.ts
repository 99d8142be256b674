// All panels but the one that is shown first: they are loaded when one of them is first opened.
export { AssumptionsPanel } from './panels/assumptions.tsx';
export { ClockPanel } from './panels/clock.tsx';
export { DataPanel } from './panels/data.tsx';
export { FaultsPanel } from './panels/faults.tsx';
export { ScenarioPanel } from './panels/scenario.tsx';
export { SessionsPanel } from './panels/sessions.tsx';
