/** What the app takes from Next.js, which only `npm run bench -- peers` installs. */
declare module 'next/document' {
  import type { ComponentType, HTMLAttributes, ReactNode } from 'react';

  export const Html: ComponentType<HTMLAttributes<HTMLHtmlElement>>;
  export const Head: ComponentType<{ children?: ReactNode }>;
  export const Main: ComponentType;
  export const NextScript: ComponentType;
}
