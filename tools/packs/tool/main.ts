import { startProgram } from '../../../api/src/ops/command-line.ts';
import { runTeam } from './run-team.ts';

startProgram(runTeam);
