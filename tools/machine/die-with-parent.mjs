import { existsSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';

/**
 * Makes the system end a program when the process that starts it ends, however that is: by `setpriv` of Linux's
 * util-linux. Where that is not installed, nothing does so. Node 20 reads this file before anything is installed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {'TERM' | 'QUIT'} [signal] what the program gets; one that has processes of its own has to end them
 * @returns {[command: string, args: readonly string[]]} for `spawn`
 */
export function dieWithParent(command, args, signal = 'TERM') {
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', signal, '--', command, ...args]] : [command, args];
}
