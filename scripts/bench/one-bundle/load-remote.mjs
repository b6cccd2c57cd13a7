/** Stands where the shell fetches a remote, in the build without federation: every remote is part of the bundle. */
import companion from '../../../remotes/companion/src/remote.ts';
import keySystem from '../../../remotes/key-system/src/remote.ts';
import marketing from '../../../remotes/marketing/src/remote.ts';
import tools from '../../../remotes/tools/src/remote.ts';

const REMOTES = { companion, 'key-system': keySystem, marketing, tools };

export function loadRemote(unit) {
  return Promise.resolve(REMOTES[unit]);
}
