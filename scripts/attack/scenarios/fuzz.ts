import { FUZZ_BODIES } from './fuzz-bodies.ts';
import { FUZZ_PATHS } from './fuzz-paths.ts';
import { FUZZ_QUERIES } from './fuzz-queries.ts';
import type { Scenario } from './scenario.ts';

/** Asking in ways that no page does. The server has to stay up, answer below 500 and give nothing away. */
export const FUZZ: Scenario[] = [...FUZZ_QUERIES, ...FUZZ_BODIES, ...FUZZ_PATHS];
