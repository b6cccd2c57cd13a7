import { buildOutdated } from '../tools/units/build-units.ts';

/** `npm run build` builds each unit, and the API, whose inputs have changed since its last build. */
await buildOutdated();
