/** The time of a day, such as 18:05. */
export function formatTime(at: number): string {
  return new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** A moment, such as Nov 22, 18:05. */
export function formatMoment(at: number): string {
  return new Date(at).toLocaleString('en', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
