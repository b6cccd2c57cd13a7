/** Reads the number in a message `{"online": n}`. Undefined when the message is malformed. */
export function parseOnline(data: unknown): number | undefined {
  try {
    const message: unknown = JSON.parse(String(data));
    const online = typeof message === 'object' && message !== null && 'online' in message ? message.online : undefined;
    return typeof online === 'number' && Number.isFinite(online) ? online : undefined;
  } catch {
    return undefined;
  }
}
