import * as runtime from 'react-refresh/runtime';

/**
 * Gives all units of a page one React Refresh, because React connects only to the last one that is loaded. Units may
 * have files with the same name, so each registered id begins with the name of the unit.
 */
const reactRefreshOf = (unit: string) => ({
  ...runtime,
  register: (type: unknown, id: string) => runtime.register(type, `${unit} ${id}`),
});
Object.assign(globalThis, { reactRefreshOf });
