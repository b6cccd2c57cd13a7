import { FUZZ_BODIES } from './fuzz-bodies.ts';
import { FUZZ_PATHS } from './fuzz-paths.ts';
import { FUZZ_QUERIES } from './fuzz-queries.ts';
import type { Scenario } from './scenario.ts';

/** Malformed requests. The server has to stay up, answer with a status below 500 and reveal nothing. */
export const FUZZ: Scenario[] = [...FUZZ_QUERIES, ...FUZZ_BODIES, ...FUZZ_PATHS];
