/** An app that has a key system. */
export type App = 'main' | 'companion';

/** How many steps a run of each app has. */
export const STEPS: Record<App, number> = { main: 6, companion: 3 };
