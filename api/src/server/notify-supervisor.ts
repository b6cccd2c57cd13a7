import { execFile } from 'node:child_process';

/** How long systemd's program may take, in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * Tells the supervisor that the server is ready or that it stops, where one has said that it wants to know
 * (`NOTIFY_SOCKET`, sd_notify(3)). Node has no UNIX datagram sockets, so systemd's own program sends the word; the
 * unit needs `NotifyAccess=all`.
 * @param socket what `NOTIFY_SOCKET` says; nothing is done without it
 * @param warn is told when the supervisor could not be told; that stops nothing
 */
export function notifySupervisor(
  socket: string | undefined,
  word: 'READY=1' | 'STOPPING=1',
  warn: (error: Error) => void,
): void {
  if (socket === undefined) return;

  // With nothing of the environment but what the program reads.
  const env = { NOTIFY_SOCKET: socket, PATH: process.env['PATH'] };
  execFile('systemd-notify', [word], { env, timeout: TIMEOUT_MS }, (error) => {
    if (error) warn(error);
  });
}
