import { parseEnv } from '#api/foundation/settings/env.ts';
import { openOps } from './open-ops.ts';
import { runOps } from './run-ops.ts';
import { startProgram } from './command-line.ts';

startProgram((argv, output) =>
  runOps(argv, { open: () => openOps(parseEnv(process.env)), place: () => parseEnv(process.env), ...output }),
);
