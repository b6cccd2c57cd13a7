/** Comes without types. */
declare module 'react-refresh/runtime' {
  export function register(type: unknown, id: string): void;
}
