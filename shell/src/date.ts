import { locale } from '@app/platform';
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(locale(), CLOCK).format(at);
}

export function formatDateTime(at: number): string {
  const day = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long' }).format(at);
  return `${day}, ${formatTime(at)}`;
}
