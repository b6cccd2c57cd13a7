/**
 * Makes the system end a program when the process that starts it ends, however that is. Elsewhere than on Linux nothing
 * does so.
 * @param signal what the program gets; one that has processes of its own has to end them
 * @returns command and arguments for `spawn`
 */
export function dieWithParent(
  command: string,
  args: readonly string[],
  signal: 'TERM' | 'QUIT' | 'KILL' = 'TERM',
): [command: string, args: readonly string[]] {
  if (process.platform !== 'linux') return [command, args];
  return ['setpriv', ['--pdeathsig', signal, '--', command, ...args]];
}
