import * as runtime from 'react-refresh/runtime';

/**
 * One React Refresh for a page: each has its own idea of what replaced what, and React listens to the last one.
 * Units have files of the same names, so what a unit registers carries the unit's.
 */
const reactRefreshOf = (unit: string) => ({
  ...runtime,
  register: (type: unknown, id: string) => runtime.register(type, `${unit} ${id}`),
});
Object.assign(globalThis, { reactRefreshOf });
