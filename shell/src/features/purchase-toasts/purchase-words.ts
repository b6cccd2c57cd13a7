/**
 * Writes a moment as people say it, in the visitor's time zone: `Today at 3:05 PM`, `Yesterday at …`, or
 * `dd/mm/yyyy at …` when it is older.
 */
export function formatMoment(at: Date, now: Date): string {
  const time = at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', hour12: true });
  if (isSameDay(at, now)) return `Today at ${time}`;

  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (isSameDay(at, yesterday)) return `Yesterday at ${time}`;

  return `${twoDigits(at.getDate())}/${twoDigits(at.getMonth() + 1)}/${at.getFullYear()} at ${time}`;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
